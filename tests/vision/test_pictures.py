"""Pictures that cannot be used get a sentence; those that can are loaded."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import PictureError, load_picture

NOISE = np.random.default_rng(1).integers(0, 255, (80, 60, 3)).astype(np.uint8)


def encoded(ending: str = ".jpg") -> bytes:
    return cv2.imencode(ending, NOISE)[1].tobytes()


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
def test_usual_formats_load(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    path.write_bytes(encoded(ending))
    assert load_picture(path).shape == (80, 60, 3)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.jpg", b"", "empty"),
        ("cut.jpg", encoded()[:-400], "cut short"),
        ("cut.png", encoded(".png")[:-400], "cut short"),
        ("text.jpg", b"this is no picture", "not a picture"),
        ("zeros.png", bytes(4000), "not a picture"),
    ],
)
def test_bad_files_get_a_sentence(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PictureError, match=said) as error:
        load_picture(path)
    assert name in str(error.value)


def test_missing_file_and_folder_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "nowhere.jpg")
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


def test_what_phones_append_behind_a_jpeg_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "motion.jpg"
    path.write_bytes(encoded() + b"MotionPhoto" + bytes(50_000))
    assert load_picture(path).shape == (80, 60, 3)


def test_a_thumbnails_end_does_not_hide_that_the_picture_is_cut(tmp_path: Path) -> None:
    data = encoded()
    thumbnail = b"\xff\xe1" + (len(data) + 2).to_bytes(2, "big") + data if len(data) < 60_000 else b""
    path = tmp_path / "cut.jpg"
    path.write_bytes(data[:2] + thumbnail + data[2:-400])
    with pytest.raises(PictureError, match="cut short"):
        load_picture(path)


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "dot.png"
    cv2.imwrite(str(path), np.zeros((1, 1, 3), np.uint8))
    assert load_picture(path).shape == (1, 1, 3)
