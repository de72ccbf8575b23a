"""The demo's clips: rendered from the shipped scripts when first asked for, and kept in the user's cache."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from advisor.cli.terminal import Failure, Progress, say

if TYPE_CHECKING:
    from datasets.rounds.film import Conditions

RULES: Final = {"blackjack": "home", "punto-banco": "eight-deck", "pontoon": "home"}
"""The house rules of each game's clip."""
BEGINS_ANEW: Final = frozenset({"blackjack", "pontoon"})
"""Games that cannot go on where the clip ended when it starts over: its shoe has the same cards again on top, and the
bank of pontoon has passed to a seat while the clip's dealer goes on banking. Punto banco's shoe holds them many times.
"""
LAYOUT: Final = "three-seats"
"""The felt on which all of them are filmed; its markers are in the picture."""
LOOK: Final = 1
"""Counts up when the renderer draws something else, so that clips are made again."""
SEED: Final = 39
"""A green felt."""


def demo_clip(game: str, folder: Path | None = None) -> Path:
    """The game's clip, rendered first where it is not kept yet; raises `Failure` with a sentence.

    `folder` is where clips are kept; by default the user's cache.
    """
    from advisor.cli.table_films.demo import DEMOS, script_path
    from datasets.rounds.script import ScriptError
    from datasets.rounds.script_file import load_script

    if game not in DEMOS:
        raise Failure(f"the demo has no clip of {game}: use one of {', '.join(DEMOS)}.")
    try:
        script = load_script(script_path(game))
        shot = conditions(game)
        key = f"{LOOK} {SEED} {sorted(asdict(shot).items())}".encode() + script_path(game).read_bytes()
    except (ScriptError, OSError) as error:
        raise Failure(f"the demo's script is damaged; install tableside again ({error}).") from error
    clip = (folder or cache_folder()) / f"{game}-{hashlib.sha256(key).hexdigest()[:12]}.mp4"
    if clip.is_file():
        return clip
    from datasets.rounds.film import Film
    from datasets.rounds.truth import write_film

    film = Film(script, SEED, shot)
    progress = Progress(film.frames)
    if not progress.shown:
        say(f"rendering the demo's {game}, once; it takes some seconds")
    try:
        write_film(film, clip, done=progress.step)
    except OSError as error:
        raise Failure(f"the demo's clip could not be written: {error.strerror or error}.") from error
    finally:
        progress.clear()
    return clip


def conditions(game: str) -> Conditions:
    """How the clip of a game is filmed: as large as a webcam's picture, and no quicker than a dealer needs."""
    from datasets.rounds.film import Conditions

    return Conditions(
        width=1920, height=1080, fps=12, noise=1.8, own_deck=True, house_hands=2 if game == "punto-banco" else 1
    )


def cache_folder() -> Path:
    """Where rendered clips are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("tableside", appauthor=False) / "demo"
