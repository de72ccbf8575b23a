"""Pictures that cannot be used get a sentence; those that can are loaded."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import pictures
from vision.pictures import PictureError, heif_size, is_heif, load_picture

HEIC = Path(__file__).parent / "heic"
"""Pictures of 64 x 48: red to the left, blue to the right, the upper left corner white."""
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


def test_what_may_never_end_gets_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    for endless in (tmp_path / "pipe.jpg", Path("/dev/zero")):
        with pytest.raises(PictureError, match="no file but a pipe or a device"):
            load_picture(endless)


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


@pytest.mark.parametrize("name", ["upright", "turned", "ten_bits"])
def test_what_an_iphone_saves_loads_upright_in_eight_bits(name: str) -> None:
    image = load_picture(HEIC / f"{name}.heic")
    assert image.shape == (48, 64, 3)
    assert image.dtype == np.uint8
    assert image[8, 8].min() > 200
    assert image[40, 8].argmax() == 2  # red, in BGR
    assert image[40, 60].argmax() == 0
    assert image.flags.owndata and image.flags.c_contiguous  # the decoder's memory is gone by now


def test_a_grey_heic_picture_whose_sides_are_odd_loads() -> None:
    image = load_picture(HEIC / "grey.heic")
    assert image.shape == (47, 61, 3)
    assert image[8, 8].tolist() == [240] * 3
    assert image[40, 60].tolist() == [60] * 3


def test_a_heic_picture_says_its_size_before_it_is_decoded() -> None:
    data = (HEIC / "turned.heic").read_bytes()
    assert heif_size(data) == (64, 48)
    assert heif_size(data[:40]) == (0, 0)
    assert not is_heif(encoded())


@pytest.mark.parametrize("kept", [12, 40, 300, 600])
def test_a_damaged_heic_picture_gets_a_sentence(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.heic"
    path.write_bytes((HEIC / "turned.heic").read_bytes()[:kept])
    with pytest.raises(PictureError, match=r"cut\.heic: this HEIC picture could not be decoded") as error:
        load_picture(path)
    assert "JPEG" in str(error.value)


def test_a_heic_picture_of_too_many_pixels_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PIXELS", 1_000)
    with pytest.raises(PictureError, match="64 x 48 pixels are too many"):
        load_picture(HEIC / "upright.heic")
