"""``tableside bench rummy``: rendered hands from picture to score, and what is required beside what is reached."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.rummy_variants import DEFAULT_VARIANT, chosen_variant
from advisor.cli.terminal import USAGE, Failure, Progress, command, count

if TYPE_CHECKING:
    from advisor.games.rummy import Variant
    from datasets.hands import HandPicture
    from vision.cards.reader import CardReader
    from vision.sightings import Reading

PICTURES = 20
TIMED = 8
PHONE_SIDE = 4032
"""The longer side of a 12-megapixel photograph."""
REQUIRED_EXACT, REQUIRED_F1, REQUIRED_S = 0.97, 0.95, 1.5
SOLVER_MEDIAN_MS, SOLVER_WORST_MS = 5.0, 50.0

Outcome = Literal["exact", "flagged", "silent"]
"""Scored exactly; not, and said so (a card asked about, or something wrong with the picture); not, and nothing said."""


@dataclass(frozen=True)
class Judged:
    """One picture beside its truth."""

    name: str
    outcome: Outcome
    points: int
    true_points: int
    missed: tuple[str, ...]
    """Cards that no sure reading names."""
    extra: tuple[str, ...]
    """Sure readings of cards that are not there, or not so often."""
    unsure: int
    said: tuple[str, ...]
    doubted: bool
    """Whether a card was said to be missing or seen twice by the way the hand lies."""
    groups_right: bool | None
    """For melds: whether they were parted as they lie."""


@dataclass
class Tally:
    """Counts over the pictures of one kind."""

    pictures: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    cards: int = 0
    sure_right: int = 0
    extra: int = 0
    unsure: int = 0
    jokers: int = 0
    jokers_missed: int = 0
    doubted_for_nothing: int = 0
    groups_right: int = 0

    def add(self, judged: Judged, cards: Sequence[str]) -> None:
        """Count one picture."""
        self.pictures += 1
        self.outcomes[judged.outcome] += 1
        self.cards += len(cards)
        self.sure_right += len(cards) - len(judged.missed)
        self.extra += len(judged.extra)
        self.unsure += judged.unsure
        self.jokers += cards.count("JOKER")
        self.jokers_missed += judged.missed.count("JOKER")
        self.doubted_for_nothing += judged.outcome == "exact" and judged.doubted
        self.groups_right += judged.groups_right is True

    @property
    def exact(self) -> float:
        """The share scored exactly."""
        return self.outcomes["exact"] / max(self.pictures, 1)

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "pictures": self.pictures,
            **{outcome: self.outcomes[outcome] for outcome in ("exact", "flagged", "silent")},
            "exact_share": round(self.exact, 4),
            "cards": self.cards,
            "sure_right": self.sure_right,
            "sure_wrong": self.extra,
            "unsure": self.unsure,
            "jokers": self.jokers,
            "jokers_missed": self.jokers_missed,
            "doubted_for_nothing": self.doubted_for_nothing,
        }


def register(what: Any) -> None:
    """Add ``rummy`` to the benchmarks."""
    parser = command(
        what,
        "rummy",
        "rendered rummy hands from picture to score, with what is required",
        "tableside bench rummy --pictures 50 --failures misread/",
    )
    parser.add_argument(
        "--pictures", type=count, default=PICTURES, metavar="N", help=f"of each kind (default {PICTURES})"
    )
    parser.add_argument("--kinds", default="", metavar="NAMES", help="of fan,ribbon,heaps,melds (all)")
    parser.add_argument(
        "--manifest", type=Path, metavar="FILE", help="also labelled photographs, as tableside bench cards takes them"
    )
    parser.add_argument("--failures", type=Path, metavar="FOLDER", help="write the pictures not scored exactly there")
    parser.add_argument("--variant", default=DEFAULT_VARIANT, metavar="NAME", help=f"default {DEFAULT_VARIANT}")
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, metavar="N", help="processes that render (one a core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from datasets.hands import KINDS

    variant = chosen_variant(arguments.variant, [])
    kinds = [kind.strip() for kind in arguments.kinds.split(",") if kind.strip()] or list(KINDS)
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise Failure(f"--kinds: there is no kind {unknown[0]!r}; there are {', '.join(KINDS)}.", USAGE)
    real = _real(arguments)
    reader = load_reader(arguments)
    failures = _Failures(arguments.failures) if arguments.failures else None
    tallies = {kind: Tally() for kind in kinds}
    every: list[Judged] = []
    timed: list[HandPicture] = []
    progress = Progress(len(kinds) * arguments.pictures)
    progress.draw()
    for picture in _rendered(kinds, arguments.pictures, arguments.workers):
        reading = reader.read(picture.image)
        found = judge(variant, picture, reading)
        tallies[picture.kind].add(found, picture.cards)
        every.append(found)
        if failures and found.outcome != "exact":
            failures.write(picture, reading, found)
        if len(timed) < TIMED:
            timed.append(picture)
        progress.step()
    progress.clear()
    answer: dict[str, Any] = {
        "hands": {kind: tally.as_dict() for kind, tally in tallies.items()},
        "picture_to_score_s": _speed(variant, reader, timed),
        "solver_ms": _solver(variant),
        "not_exact": [_as_object(each) for each in every if each.outcome != "exact"],
    }
    if "melds" in tallies:
        answer["hands"]["melds"]["groups_right"] = tallies["melds"].groups_right
    if real is not None:
        answer["photographs"] = _photographs(real, reader)
    if arguments.json:
        print(json.dumps(answer))
        return 0
    for line in _words(answer):
        print(line)
    return 0


def judge(variant: Variant, picture: HandPicture, reading: Reading) -> Judged:
    """What the page or the command would say of the picture, beside what lies in it."""
    from advisor.games.rummy import parse_rummy_card, score
    from advisor.games.rummy.limits import hand_problems, pack_problems
    from advisor.table.hand_seen import DOUBTS, Trouble, hand_seen
    from advisor.table.melds import meld_groups
    from vision.cards.glare import burnt_ends

    melds = picture.kind == "melds"
    seen = hand_seen(reading, burnt=burnt_ends(picture.image, reading))
    truth, got = Counter(picture.cards), Counter(s.label for s in reading.cards if s.label)
    cards = [parse_rummy_card(label) for label in got.elements()]
    # Cards lying face down are said, but the score is what it is; melds of several players lie far apart.
    passed = {Trouble.FACE_DOWN, Trouble.SEVERAL_HANDS} if melds else {Trouble.FACE_DOWN}
    said = [str(kind) for kind, _ in seen.troubles if kind not in passed]
    said += pack_problems(variant, cards) if melds else hand_problems(variant, cards)
    doubted = [kind for kind in said if kind in DOUBTS]
    right = got == truth and len(doubted) == len(said)
    told = len(doubted) < len(said) or _concerned(doubted, got, truth)
    groups = None
    if melds:
        named = [sorted(s.label or "?" for s in group) for group in meld_groups(seen.faces)]
        groups = sorted(named) == sorted(sorted(group) for group in picture.groups)
    return Judged(
        picture.name,
        "exact" if right else "flagged" if told else "silent",
        score(variant, cards).points,
        score(variant, [parse_rummy_card(label) for label in picture.cards]).points,
        tuple((truth - got).elements()),
        tuple((got - truth).elements()),
        len(seen.unsure),
        tuple(said),
        bool(doubted),
        groups,
    )


def _rendered(kinds: Sequence[str], pictures: int, workers: int) -> Iterator[HandPicture]:
    """The pictures in their order, made ahead by other processes."""
    from datasets.hands import picture_of

    asked = [(kind, number) for kind in kinds for number in range(pictures)]
    if workers == 1 or len(asked) < 4:
        yield from (picture_of(kind, number) for kind, number in asked)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(picture_of, *zip(*asked, strict=True))


def _speed(variant: Variant, reader: CardReader, pictures: Sequence[HandPicture]) -> dict[str, Any]:
    """Seconds from the bytes of a 12-megapixel JPEG to the score; the first is left out."""
    import cv2
    import numpy as np

    from advisor.games.rummy import parse_rummy_card, score
    from advisor.table.hand_seen import hand_seen
    from vision.cards.glare import burnt_ends
    from vision.cards.sharpness import index_edges
    from vision.pictures import decode_picture

    spans, worked = [], []
    for picture in (*pictures[:1], *pictures):
        scale = PHONE_SIDE / max(picture.image.shape[:2])
        large = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        data = np.frombuffer(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes(), np.uint8)
        began, busy = time.perf_counter(), time.process_time()
        image = decode_picture(data, picture.name)
        reading = reader.read(image)
        seen = hand_seen(reading, index_edges(image, reading), burnt_ends(image, reading))
        score(variant, [parse_rummy_card(s.label) for s in seen.faces if s.kind == "card" and s.label])
        spans.append(time.perf_counter() - began)
        worked.append(time.process_time() - busy)
    spans, worked = spans[1:], worked[1:]
    return {
        "pictures": len(spans),
        "median": round(statistics.median(spans), 3),
        "worst": round(max(spans), 3),
        "processor_median": round(statistics.median(worked), 3),
    }


def _concerned(doubts: Sequence[str], got: Counter[str], truth: Counter[str]) -> bool:
    """Whether a doubt is about what is wrong: a card that may lie between, or be burnt out, where some lack, one seen
    twice where one is too many."""
    from advisor.table.hand_seen import Trouble

    unread = Trouble.GAP in doubts or Trouble.BURNT in doubts
    return (unread and bool(truth - got)) or (Trouble.TWICE in doubts and bool(got - truth))


def _solver(variant: Variant) -> dict[str, float]:
    """The lay-down of random 12-card hands, as ``bench rummy-solver`` times it."""
    from advisor.cli.bench_rummy import CARDS, HANDS, random_hands
    from advisor.games.rummy import lay_down

    first, *hands = random_hands(variant, HANDS + 1, CARDS, 0)
    lay_down(variant, first)
    spans, possible = [], 0
    for number, hand in enumerate(hands):
        began = time.perf_counter()
        possible += lay_down(variant, hand, number % len(variant.deals) + 1).possible
        spans.append(1000 * (time.perf_counter() - began))
    return {
        "hands": len(spans),
        "possible": possible,
        "median": round(statistics.median(spans), 2),
        "worst": round(max(spans), 2),
    }


def _real(arguments: argparse.Namespace) -> list[Any] | None:
    from datasets.bench import ManifestError, load_manifest

    if arguments.manifest is None:
        return None
    try:
        return load_manifest(arguments.manifest)
    except ManifestError as error:
        raise Failure(str(error)) from error


def _photographs(items: list[Any], reader: CardReader) -> dict[str, Any]:
    from datasets.bench import bench_cards

    progress = Progress(len(items))
    scores, _ = bench_cards(items, reader, progress.step)
    progress.clear()
    return {name: score.as_dict() for name, score in scores.items()}


def _as_object(found: Judged) -> dict[str, Any]:
    return {
        "picture": found.name,
        "outcome": found.outcome,
        "points": found.points,
        "true_points": found.true_points,
        "missed": list(found.missed),
        "extra": list(found.extra),
        "unsure": found.unsure,
        "said": list(found.said),
    }


def _words(answer: dict[str, Any]) -> Iterator[str]:
    for kind, each in answer["hands"].items():
        needs = f" (required {REQUIRED_EXACT:.0%})" if kind == "fan" else ""
        exact, silent = f"scored exactly {each['exact']} = {each['exact_share']:.1%}{needs}", each["silent"]
        yield (
            f"{kind:8s} {each['pictures']:4d} pictures: {exact}, flagged {each['flagged']}, "
            f"wrong without a word {silent} (required 0); doubted for nothing {each['doubted_for_nothing']}"
        )
        right, jokers = each["sure_right"] / max(each["cards"], 1), each["jokers"]
        yield (
            f"         {each['cards']} cards: surely and rightly read {right:.1%}, asked about {each['unsure']}, "
            f"surely but wrongly {each['sure_wrong']}; jokers {jokers - each['jokers_missed']} of {jokers}"
        )
        if "groups_right" in each:
            yield f"         melds parted as they lie, and all read, in {each['groups_right']} of {each['pictures']}"
    for name, each in answer.get("photographs", {}).items():
        exact = f"exact {each['exact']}/{each['pictures']}"
        yield f"photographs {name:12s} F1 {each['f1']:.3f} (required {REQUIRED_F1}), {exact}"
    speed, solver = answer["picture_to_score_s"], answer["solver_ms"]
    yield (
        f"12-megapixel picture to score: median {speed['median']:.2f} s, worst {speed['worst']:.2f} s "
        f"(required {REQUIRED_S} s; {speed['processor_median']:.2f} s of it the processor was at work)"
    )
    yield (
        f"best lay-down of {solver['hands']} hands ({solver['possible']} have one): median {solver['median']:.2f} ms "
        f"(required {SOLVER_MEDIAN_MS:g}), worst {solver['worst']:.2f} ms (required {SOLVER_WORST_MS:g})"
    )


class _Failures:
    """Writes pictures that were not scored exactly, with what was read drawn on them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{folder}: the folder could not be made ({error.strerror}); name another.") from error

    def write(self, picture: HandPicture, reading: Reading, found: Judged) -> None:
        """The picture, the same with its reading, and why it is here."""
        import cv2

        from vision.cards.draw import annotate

        words = json.dumps({"cards": picture.cards, **_as_object(found)}, indent=1)
        try:
            for name, image in (
                (picture.name, picture.image),
                (f"{picture.name}-read", annotate(picture.image, reading)),
            ):
                data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
                (self._folder / f"{found.outcome}-{name}.jpg").write_bytes(data)
            (self._folder / f"{found.outcome}-{picture.name}.json").write_text(words, encoding="utf-8")
        except OSError as error:
            raise Failure(f"{self._folder}: it could not be written ({error.strerror}).") from error
