"""The whole recipe in one command: render, train the networks that read cards, export. Safe to stop and start again.

    python -m models.recipes --out FOLDER [--device cpu|0] [--photographs FOLDER] [--films FOLDER]

On a CPU with two cores this takes under three hours; on a GPU, minutes after rendering. Every step that is already
done in FOLDER is skipped, and detector training goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from datasets.faces import faces_of, write_faces
from datasets.finds import write_finds
from datasets.hand_scenes import write_hand_patches
from datasets.patches import patches_of, write_patches
from datasets.photo_sets import write_photographs
from datasets.rounds.stills import write_crops, write_cuts
from datasets.yolo import write_scenes
from models.recipes import detector, faces, lean, mirrors, reader
from vision.cards.reader import CardReader, Settings

DETECTOR_SIZE, DETECTOR_CARD_PX = 416, (40.0, 480.0)
READER_SIZE, READER_CARD_PX = 640, (75.0, 1000.0)
FACES_SIZE, FACES_CARD_PX = 480, (60.0, 330.0)
HELD_OUT = 200
READER_SEED, READER_CHECK_SEED = 20_000_000, 30_000_000
FACES_SEED, FACES_CHECK_SEED = 42_000_000, 44_000_000
HANDS_SEED, FINDS_SEED = 50_000_000, 72_000_000


def main() -> None:
    """Run the steps in order."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--device", default="cpu", help="cpu, or a GPU number")
    ask.add_argument("--scenes", type=int, default=8_900, help="scenes for the detector")
    ask.add_argument("--patch-scenes", type=int, default=5_000, help="scenes for the reader")
    ask.add_argument("--hand-scenes", type=int, default=3_400, help="pictures of hands and ribbons for the reader")
    ask.add_argument("--find-scenes", type=int, default=1_800, help="hands in which the detector finds, for the reader")
    ask.add_argument("--face-scenes", type=int, default=8_000, help="scenes for the witness of whole faces")
    ask.add_argument("--detector-epochs", type=int, default=5)
    ask.add_argument("--reader-epochs", type=int, default=8)
    ask.add_argument("--photographs", type=Path, help="labelled training photographs (folders fmjio and bicycle)")
    ask.add_argument("--films", type=Path, help="scripts of rounds (tableside dataset rounds FOLDER --scripts)")
    a = ask.parse_args()
    workers = os.cpu_count() or 1
    scenes, patches = a.out / "scenes", a.out / "patches"
    if not (scenes / "done").exists():
        print("Rendering scenes for the detector")
        write_scenes(scenes / "val", range(HELD_OUT), DETECTOR_SIZE, DETECTOR_CARD_PX, workers)
        write_scenes(scenes / "train", range(HELD_OUT, HELD_OUT + a.scenes), DETECTOR_SIZE, DETECTOR_CARD_PX, workers)
        (scenes / "done").touch()
    if not (patches / "done").exists():
        print("Rendering patches for the reader")
        seeds = range(READER_SEED, READER_SEED + a.patch_scenes)
        write_patches(patches / "train", seeds, READER_SIZE, READER_CARD_PX, workers)
        check = range(READER_CHECK_SEED, READER_CHECK_SEED + 128)
        write_patches(patches / "val", check, READER_SIZE, READER_CARD_PX, workers)
        (patches / "done").touch()
    if not (a.out / "hands.done").exists():
        print("Rendering hands for the reader")
        write_hand_patches(patches / "train", range(HANDS_SEED, HANDS_SEED + a.hand_scenes), workers)
        (a.out / "hands.done").touch()
    if not (a.out / "finds.done").exists():
        print("Looking at what the detector finds")
        write_finds(patches / "train", range(FINDS_SEED, FINDS_SEED + a.find_scenes), workers)
        (a.out / "finds.done").touch()
    cards, scripts = a.out / "faces", sorted(a.films.glob("*.json")) if a.films else []
    if not (cards / "done").exists():
        print("Rendering cards for the witness")
        write_faces(cards / "train", range(FACES_SEED, FACES_SEED + a.face_scenes), FACES_SIZE, FACES_CARD_PX, workers)
        check = range(FACES_CHECK_SEED, FACES_CHECK_SEED + 128)
        write_faces(cards / "val", check, FACES_SIZE, FACES_CARD_PX, workers)
        (cards / "done").touch()
    if scripts and not (a.out / "films.done").exists():
        print(f"Filming {len(scripts)} scripts for all three")
        write_crops(scenes / "train", scripts, DETECTOR_SIZE, workers)
        write_cuts(patches_of, patches / "train", scripts, workers)
        write_cuts(faces_of, cards / "train", scripts, workers)
        (a.out / "films.done").touch()
    photographs = a.out / "photographs"
    if a.photographs and not (photographs / "done").exists():
        print("Finding the indices of the training photographs")
        finder = CardReader.load(settings=Settings(scales=(320, 640, 832), least_found=0.2))
        write_photographs(a.photographs, photographs, scenes / "train", finder, DETECTOR_SIZE)
        (photographs / "done").touch()
    on = "cpu" if a.device == "cpu" else f"cuda:{a.device}"
    if not (a.out / "detector.onnx").exists():
        teacher = a.out / "teacher" / "detector.onnx"
        if not teacher.exists():
            detector.train(detector.Plan(scenes, teacher.parent, epochs=a.detector_epochs, device=a.device))
        lean.train(lean.Plan(teacher, (scenes / "train" / "images",), a.out, device=on))
    if not (a.out / "reader.onnx").exists():
        reader.train(
            reader.Plan(
                patches / "train",
                a.out,
                epochs=a.reader_epochs,
                device=on,
                photographs=photographs if a.photographs else None,
            ),
            patches / "val",
        )
    if not (a.out / "faces.onnx").exists():
        faces.train(faces.Plan(cards / "train", a.out, device=on), cards / "val")
    if not (a.out / "mirrors.onnx").exists():
        shown = photographs if a.photographs else None
        mirrors.train(mirrors.Plan(patches / "train", a.out, photographs=shown), patches / "val")
    print(f"Networks: detector.onnx, reader.onnx, faces.onnx and mirrors.onnx in {a.out}")


if __name__ == "__main__":
    main()
