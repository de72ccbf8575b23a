"""``tableside dataset rounds``: filmed rounds as clips, each with its truth beside it.

The renderer knows no game; what happens in a round comes from the games. So this command lives here, and is added to
those of `datasets.cli`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.cli.terminal import USAGE, Failure, Progress, count

if TYPE_CHECKING:
    from advisor.cli.table_films import Staged
    from datasets.rounds.film import Conditions

SIZES: Final = {"1080p": (1920, 1080), "720p": (1280, 720), "360p": (640, 360)}
CAMERAS: Final = ("above", "players", "dealer")
SEATS: Final = (3, 7, 5, 1)


def register(which: Any) -> None:
    """Add ``rounds`` to the commands of ``dataset``."""
    rounds = which.add_parser(
        "rounds",
        help="film whole rounds, with what truly happened beside each clip",
        description="Film whole rounds, with what truly happened beside each clip.",
        epilog="example: tableside dataset rounds films --count 6 --seed 40 --game punto-banco",
    )
    rounds.add_argument("folder", type=Path, help="gets NAME.mp4 and NAME.json for each film")
    rounds.add_argument("--count", type=count, default=6, help="how many films (default 6)")
    rounds.add_argument("--seed", type=int, default=0, help="the first film's seed (default 0)")
    rounds.add_argument("--game", help="blackjack, punto-banco or pontoon (default: all in turn)")
    rounds.add_argument("--seats", type=int, help="seats at the table, 1 to 7 (default: 3, 7, 5 and 1 in turn)")
    rounds.add_argument("--rounds", type=count, default=1, help="rounds in each film (default 1)")
    rounds.add_argument("--size", choices=sorted(SIZES), default="1080p", help="of the picture (default 1080p)")
    rounds.add_argument("--fps", type=count, default=30, help="frames a second (default 30)")
    rounds.add_argument("--camera", choices=CAMERAS, help="where it hangs (default: all in turn)")
    rounds.add_argument(
        "--scripts", action="store_true", help="write only what happens (NAME.json), to film later as learning needs it"
    )
    rounds.add_argument("--workers", type=count, default=os.cpu_count() or 1, help="processes (default: one a core)")
    rounds.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Film all of them."""
    from advisor.cli.table_films import GAMES

    if arguments.game is not None and arguments.game not in GAMES:
        raise Failure(f"--game {arguments.game}: use one of {', '.join(GAMES)}.", USAGE)
    if arguments.seats is not None and not 1 <= arguments.seats <= 7:
        raise Failure(f"--seats {arguments.seats}: a table has 1 to 7 seats.", USAGE)
    if arguments.seed < 0:
        raise Failure(f"--seed {arguments.seed}: give 0 or more.", USAGE)
    films = list(plans(arguments))
    if arguments.scripts:
        return write_scripts(arguments.folder, [staged for staged, _ in films])
    progress = Progress(len(films), least=2)
    progress.draw()
    try:
        with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
            for done in as_completed([pool.submit(write, arguments.folder, *film) for film in films]):
                done.result()
                progress.step()
    except OSError as error:
        raise Failure(f"{arguments.folder}: it could not be written ({error.strerror or error}).") from error
    finally:
        progress.clear()
    print(f"{len(films)} films in {arguments.folder}")
    return 0


def write_scripts(folder: Path, films: list[Staged]) -> int:
    """The scripts alone."""
    from datasets.rounds.script_file import save_script

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for staged in films:
            save_script(staged.script, folder / f"{staged.game}-{staged.seed:04d}.json")
    except OSError as error:
        raise Failure(f"{folder}: it could not be written ({error.strerror or error}).") from error
    print(f"{len(films)} scripts in {folder}")
    return 0


def plans(arguments: argparse.Namespace) -> Iterator[tuple[Staged, Conditions]]:
    """The films that the options ask for."""
    from advisor.cli.table_films import GAMES, stage
    from datasets.rounds.film import Conditions

    width, height = SIZES[arguments.size]
    for number in range(arguments.count):
        seed = arguments.seed + number
        game = arguments.game or GAMES[seed % len(GAMES)]
        seats = arguments.seats or SEATS[seed // len(GAMES) % len(SEATS)]
        staged = stage(game, seed, arguments.rounds, seats)
        yield (
            staged,
            Conditions(
                width=width,
                height=height,
                fps=arguments.fps,
                camera=arguments.camera or CAMERAS[seed // 2 % len(CAMERAS)],
                light="changing" if seed % 2 else "steady",
                bump=staged.rounds[0].decided * 0.6 if seed % 4 == 3 else None,
                lines=seed % 3 == 2,
                house_hands=staged.house_hands,
            ),
        )


def write(folder: Path, staged: Staged, conditions: Conditions) -> None:
    """Film one of them; raises `OSError`."""
    import cv2

    from datasets.rounds.film import Film
    from datasets.rounds.truth import write_film

    cv2.setNumThreads(1)
    film = Film(staged.script, staged.seed, conditions)
    write_film(film, folder / f"{staged.game}-{staged.seed:04d}.mp4", staged.as_data())
