"""What truly happens in a film, for whoever compares: when each card lies still, where, and as what. JSON beside it.

::

    {"version": 1, "size": [1920, 1080], "fps": 30, "layout": "three-seats",
     "views": [{"from": 0.0, "matrix": [[...], [...], [...]]}],
     "rests": [{"card": 0, "label": "8S", "up": true, "seat": 1, "hand": 1, "number": 1, "crosswise": false,
                "from": 1.45, "until": 7.56, "mm": [368.9, 476.6], "turn": -2.0, "corners": [[x, y], ...]}],
     "chips": [{"seat": 1, "spot": "bet", "chips": ["red"], "from": 0.6, "until": 12.0, "mm": [390.0, 640.0]}]}

Seconds from the first frame; millimetres of `vision.felt.layout`, turns in degrees clockwise seen from above; `matrix`
takes millimetres to pixels from its second on (a knocked camera has two); corners are pixels at the rest's beginning,
clockwise from the card's own top-left. Seat 0 is the house.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from math import degrees, isfinite
from pathlib import Path
from typing import Any, Final

import cv2

from datasets.rounds.film import Film
from datasets.rounds.moves import Rest
from datasets.rounds.script_file import as_data

VERSION: Final = 1


def truth(film: Film, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The truth about a film as plain data; `more` is kept with it under "game"."""
    c = film.conditions
    starts = [0.0] if c.bump is None else [0.0, c.bump]
    return {
        "version": VERSION,
        "seed": film.seed,
        "title": film.script.title,
        "size": [c.width, c.height],
        "fps": c.fps,
        "length": round(film.script.length, 3),
        "layout": film.spots.layout.name,
        "camera": c.camera,
        "views": [
            {"from": start, "matrix": stage.view.homography.tolist()}
            for start, stage in zip(starts, film.stages, strict=True)
        ],
        "rests": [_rest(film, rest) for rest in film.course.rests],
        "chips": [
            {
                "seat": stack.seat,
                "spot": stack.spot,
                "chips": list(stack.chips),
                "from": round(stack.start, 3),
                "until": round(stack.end, 3) if isfinite(stack.end) else round(film.script.length, 3),
                "mm": [round(v, 1) for v in stack.point],
            }
            for stack in film.course.stacks
        ],
        "script": as_data(film.script),
        "game": dict(more or {}),
    }


def _rest(film: Film, rest: Rest) -> dict[str, Any]:
    return {
        "card": rest.card,
        "label": rest.label,
        "up": rest.up,
        "seat": rest.seat,
        "hand": rest.hand,
        "number": rest.number,
        "crosswise": rest.crosswise,
        "from": round(rest.start, 3),
        "until": round(rest.end, 3),
        "mm": [round(rest.place.x, 1), round(rest.place.y, 1)],
        "turn": round(degrees(rest.place.angle), 2),
        "corners": [[round(float(v), 2) for v in corner] for corner in film.corners(rest.place, rest.start)],
    }


def write_film(
    film: Film, clip: Path, more: Mapping[str, Any] | None = None, done: Callable[[], None] | None = None
) -> Path:
    """Write the film as MPEG-4 and its truth beside it as JSON, whose path is returned; raises `OSError`.

    `done` is called after each frame.
    """
    clip.parent.mkdir(parents=True, exist_ok=True)
    write_clip(film, clip, done)
    beside = clip.with_suffix(".json")
    beside.write_text(json.dumps(truth(film, more)), encoding="utf-8")
    return beside


def write_clip(film: Film, clip: Path, done: Callable[[], None] | None = None) -> None:
    """Write the film alone. Raises `OSError`; a clip that was begun and not finished is not left behind."""
    c = film.conditions
    part = clip.with_name(f".{clip.stem}.{os.getpid()}{clip.suffix}")
    writer = cv2.VideoWriter(str(part), cv2.VideoWriter.fourcc(*"mp4v"), c.fps, (c.width, c.height))
    try:
        if not writer.isOpened():
            raise OSError(f"{clip}: it could not be written; check the folder, and that its name ends in .mp4.")
        for frame in film:
            writer.write(frame)
            if done:
                done()
        writer.release()
        part.replace(clip)
    finally:
        writer.release()
        part.unlink(missing_ok=True)
