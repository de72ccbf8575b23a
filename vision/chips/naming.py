"""Naming chips by a network that sees all of a picture's stacks at once, and one's own set beside them.

A chip that is half inserts looks like no colour by itself: which half is the chip's shows its face, a chip of the same
kind in another stack, or the chip as it was shown when the set was learned. So the network is given the portraits of
all of them (`vision.chips.portraits`) with what the counter says of each, and looks at everything in sight of
everything else (A. Vaswani and others, 2017). It says which of the twelve colours each is, how like each is to each,
and whether neighbours are of one colour.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np

from vision.cards.runtime import open_network
from vision.chips.appearance import Appearance, described
from vision.chips.crops import Floats, to_input
from vision.chips.orders import likeliest
from vision.chips.portraits import Portrayed
from vision.chips.values import COLOURS

LEAST = 1e-4
"""No name is less likely before the network has its say."""
SAID = 0.3
"""What its say weighs, as a logarithm of chances: all is too much on sets like none that it learned from."""


@dataclass(frozen=True, eq=False)
class Named:
    """What one stack's chips are: each one's ``chances`` of the ``names`` (count x names), and how much more likely
    each two neighbours are of one colour than of two (``alike``, logarithms).
    """

    names: tuple[str, ...]
    chances: Floats
    alike: Floats


class Naming:
    """The trained network and what is made of its output."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)

    def named(
        self,
        stacks: Sequence[Portrayed],
        guesses: Sequence[Named],
        usual: Collection[str],
        known: Appearance | None = None,
    ) -> list[Named]:
        """The chips of each of a picture's stacks, from what each looks like by itself (``guesses``): of the set
        ``known``, or of the twelve colours, of which those are expected that are ``usual``.
        """
        if not stacks:
            return []
        taught = () if known is None else known.shown
        every = [*stacks, *(it for _, it in taught)]
        begins = [0, *accumulate(len(it.pictures) for it in every)]
        meant = [] if known is None else [known.meant(name) for name, _ in taught]
        colours, like, same = (SAID * it for it in self._said(every, begins, meant, usual))
        mixed = _mixed(taught, guesses[0].names, begins[len(stacks) :])
        out = []
        for stack, guess, begin in zip(stacks, guesses, begins, strict=False):
            count = len(stack.words)
            chips, face = slice(begin, begin + count), begin + count
            logits = np.log(np.maximum(guess.chances, LEAST))
            if known is not None:
                logits += like[chips] @ mixed[0]
                logits[-1] += like[face] @ mixed[1]
            else:
                logits += colours[chips]
                logits[-1] += colours[face]
            chances = np.exp(logits - logits.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            alike = guess.alike + same[begin : begin + count - 1]
            out.append(Named(guess.names, np.asarray(chances, np.float32), np.asarray(alike, np.float32)))
        return out

    def _said(
        self, stacks: Sequence[Portrayed], begins: Sequence[int], meant: Sequence[int | None], usual: Collection[str]
    ) -> list[Floats]:
        """For all T pictures of ``stacks``, of which the last were shown to be learned and are ``meant`` to be of such
        a colour (None: of none of the twelve): T x 12 which colour, T x T how like, T how likely it is of one colour
        with the next.
        """
        total, learned = begins[-1], len(stacks) - len(meant)
        faces, shown = np.zeros(total, np.float32), np.zeros(total, np.float32)
        words, labels = (np.zeros((total, len(COLOURS)), np.float32) for _ in range(2))
        before, after = np.arange(total, dtype=np.int64) - 1, np.arange(total, dtype=np.int64) + 1
        for k, (stack, begin, end) in enumerate(zip(stacks, begins[:-1], begins[1:], strict=True)):
            faces[end - 1] = 1
            words[begin : end - 1] = described(stack.words)
            before[begin] = after[end - 1] = total
            if k >= learned:
                shown[begin:end] = 1
                number = meant[k - learned]
                if number is not None:
                    labels[begin:end, number] = 1
        expected = np.array([c in usual for c in COLOURS], np.float32)
        pictures = to_input(np.concatenate([it.pictures for it in stacks]))
        feeds = (pictures, faces, words, labels, shown, expected, before, after)
        inputs = {it.name: feed for it, feed in zip(self._session.get_inputs(), feeds, strict=True)}
        return [np.asarray(it, np.float32) for it in self._session.run(None, inputs)]


def ordered(named: Named) -> tuple[tuple[str, ...], float]:
    """The likeliest colours of a stack from the bottom up, and the chance that all are right."""
    best = likeliest(named.chances, named.alike)
    return tuple(named.names[k] for k in best.colours), best.chance


def _mixed(taught: Sequence[tuple[str, Portrayed]], names: Sequence[str], begins: Sequence[int]) -> Floats:
    """What each picture of the set weighs for each name, for edges and for faces: 2 x T x names."""
    out = np.zeros((2, begins[-1], len(names)), np.float32)
    for (name, stack), begin in zip(taught, begins, strict=False):
        k, face = names.index(name), begin + len(stack.words)
        out[0, begin:face, k] = 1
        out[1, face, k] = 1
    return np.asarray(out / np.maximum(out.sum(1, keepdims=True), 1), np.float32)
