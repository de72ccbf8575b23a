"""The loops behind the odds, compiled by numba when first used and kept on disk from then on.

Everything exact about blackjack's odds is a sum over multisets: those the player can hold (about three thousand) times
those that finish the dealer's hand (up to two thousand an upcard). A multiset of drawn cards has the probability

    orders x product over the values of falling(cards of that value, cards drawn) / falling(cards in all, cards drawn)

where falling(n, k) = n (n - 1) ... (n - k + 1). What makes it fast: the product is cut in two, aces to threes and fours
to tens. Both halves of a hand and of a dealer's draw come from short lists, so each pair of halves is multiplied out
once; and hands that share their high half, their class of total and their number of cards share all of the dealer's
side, which is summed up for them once and then met by one product of vectors a hand.

All compiled functions live in this module, since a change in another one would not renew what is kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LOW: Final = 3
"""Values before this index (ace to three) are the low half of a multiset."""
MOST_OUT: Final = 5
"""How many depletions of a pair's value four split hands can need: none to four further cards out."""
BUST: Final = -1
"""In place of a hand's number: the drawn card passes 21."""
STAND, HIT, DOUBLE = 0, 1, 2
BLACKJACK: Final = 6
"""The dealer's result after bust (0) and 17 to 21 (1 to 5)."""


class Hands(NamedTuple):
    """Every hand that is not bust (n of them), in order of hard totals."""

    counts: Ints
    """(n, 10): each hand's cards by value."""
    cards: Ints
    """(n,): how many cards."""
    totals: Ints
    """(n,): best total."""
    drawn: Ints
    """(n, 10): the hand that drawing each value makes, by its place here, or `BUST`."""
    low_of: Ints
    """(n,): the place of each hand's low half in `lows`."""
    high_of: Ints
    lows: Ints
    """(L, 3): the low halves."""
    highs: Ints
    """(H, 7): the high halves."""


class Dealer(NamedTuple):
    """The multisets that finish the dealer's hand from one upcard (E of them), the upcard included."""

    lows: Ints
    """(3, D): the low halves."""
    highs: Ints
    """(7, D)."""
    entries: Ints
    """(2, E): number of cards times the number of low halves plus the low half, ascending; and the high half."""
    weights: Floats
    """(6, E): in how many orders each is drawn, signed by who wins: player's totals to 16, and 17 to 21."""


_OPTIONS: Final = {"nogil": True, "fastmath": {"reassoc", "contract"}, "error_model": "numpy"}
F = TypeVar("F", bound=Callable[..., object])


def _compiled(function: F) -> F:
    """The function compiled; sums may be reordered, which moves results by rounding only."""
    compiled: F
    try:
        compiled = numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # nowhere to keep it: a read-only installation without a home folder
        compiled = numba.njit(**_OPTIONS)(function)
    return compiled


@_compiled
def falling_factorials(shoe: Floats, held: int, drawn: int) -> Floats:
    """falling(max(shoe[v] - h, 0), d) for each value v, h up to `held` and d up to `drawn`: (10, held+1, drawn+1)."""
    table = np.ones((len(shoe), held + 1, drawn + 1))
    for v in range(len(shoe)):
        for h in range(held + 1):
            left = max(shoe[v] - h, 0.0)
            for d in range(1, drawn + 1):
                table[v, h, d] = table[v, h, d - 1] * max(left - (d - 1), 0.0)
    return table


@_compiled
def _half(falling: Floats, first: int, holds: Ints, wanted: Bools, draws: Ints, left_out: int) -> Floats:
    """Products of one half: what `holds` (H, k) leave to `draws` (k, D), but for the value `left_out` (or -1)."""
    products = np.zeros((len(holds), draws.shape[1]))
    for h in range(len(holds)):
        if not wanted[h]:
            continue
        products[h] = 1.0
        for k in range(len(draws)):
            if first + k == left_out:
                continue
            row = falling[first + k, holds[h, k]]
            for d in range(draws.shape[1]):
                products[h, d] *= row[draws[k, d]]
    return products


@_compiled
def _with_out(rest: Floats, falling: Floats, holds: Ints, wanted: Bools, draws: Ints, out: int) -> Floats:
    """`rest`, products that left out a value, with that value: `falling` (held, drawn), and `out` more cards gone."""
    products = np.zeros_like(rest)
    for h in range(len(holds)):
        if wanted[h]:
            row = falling[holds[h] + out]
            for d in range(rest.shape[1]):
                products[h, d] = rest[h, d] * row[draws[d]]
    return products


@_compiled
def _standing(
    shoe: Floats,
    upcard: int,
    barred: int,
    value: int,
    first_out: int,
    hands: Hands,
    which: Ints,
    low: Floats,
    high: Floats,
    dealer: Dealer,
    stand: Floats,
) -> None:
    """Fill `stand` (k, n) for the hands `which`, numbers sorted by (high half, total, number of cards).

    `shoe` still holds the upcard and the hands' own cards; in row k, `first_out` + k more cards of `value` are gone.
    `low` and `high` (k or 1, halves, dealer's halves) are the products of the halves; one that stands alone serves all
    rows. `barred` is the value that the hole card is known not to be, or -1.
    """
    cards, high_of, entries = hands.cards, hands.high_of, dealer.entries
    whole = shoe.sum()
    width = low.shape[2]
    most = entries[0, -1] // width + 1
    # The dealer's side of the sum for hands that share it, by number of the dealer's cards and his low half.
    by_cards, shared = np.zeros(most * width), np.zeros(width)
    start = 0
    while start < len(which):
        of_high, kind = high_of[which[start]], max(hands.totals[which[start]], 16) - 16
        end = start
        while end < len(which) and high_of[which[end]] == of_high and max(hands.totals[which[end]], 16) - 16 == kind:
            end += 1
        weights = dealer.weights[kind]
        for k in range(len(stand)):
            out = first_out + k
            if k < len(high):
                theirs = high[k, of_high]
                by_cards[:] = 0.0
                for e in range(entries.shape[1]):
                    by_cards[entries[0, e]] += theirs[entries[1, e]] * weights[e]
            ours = low[min(k, len(low) - 1)]
            last_cards = -1
            for i in which[start:end]:
                unseen = whole - cards[i] - out
                if cards[i] != last_cards:
                    last_cards = cards[i]
                    shared[:] = 0.0
                    scale = 1.0
                    for number in range(1, most):
                        rest = unseen - (number - 1)
                        if rest <= 0:
                            break  # the shoe cannot give the dealer so many cards
                        scale /= rest
                        part = by_cards[number * width : (number + 1) * width]
                        for d in range(width):
                            shared[d] += scale * part[d]
                # The chance of the upcard itself is divided out: it lies there.
                showing = shoe[upcard] - hands.counts[i, upcard] - (out if upcard == value else 0)
                if showing <= 0:
                    stand[k, i] = 0.0
                    continue
                won = 0.0
                row = ours[hands.low_of[i]]
                for d in range(width):
                    won += row[d] * shared[d]
                won *= unseen / showing
                if barred >= 0:
                    spare = unseen - 1
                    left = max(shoe[barred] - hands.counts[i, barred] - (out if barred == value else 0), 0.0)
                    blackjack = left / spare if spare > 0 else 0.0
                    # A blackjack was counted as lost; what is left is given that there is none.
                    won = (won + blackjack) / (1 - blackjack) if blackjack < 1 else 0.0
                stand[k, i] = won
        start = end


@_compiled
def _wanted(which: Ints, place_of: Ints, number: int) -> Bools:
    """Which of `number` halves these hands have."""
    wanted = np.zeros(number, np.bool_)
    for i in which:
        wanted[place_of[i]] = True
    return wanted


@_compiled
def draw_chances(left: Floats, barred: int, chances: Floats) -> None:
    """Fill `chances` (10,) of each value as the next card from `left`, given that the hole card is not `barred`.

    The hole card is one of the cards left; knowing what it is not makes the barred value a little likelier to come.
    Zeros where no card is left to draw.
    """
    unseen = left.sum()
    if barred < 0:
        for v in range(10):
            chances[v] = left[v] / unseen if unseen > 0 else 0.0
        return
    others = unseen - left[barred]
    possible = unseen > 1 and others > 0
    for v in range(10):
        if not possible:
            chances[v] = 0.0
        elif v == barred:
            chances[v] = left[v] / (unseen - 1)
        else:
            chances[v] = left[v] * (others - 1) / ((unseen - 1) * others)


@_compiled
def _draws(shoe: Floats, upcard: int, barred: int, value: int, out: int, held: Ints, left: Floats, to: Floats) -> None:
    """Chances of the next card to a hand with cards `held`; `left` is room to work in."""
    for v in range(10):
        gone = held[v] + (1 if v == upcard else 0) + (out if v == value else 0)
        left[v] = max(shoe[v] - gone, 0.0)
    draw_chances(left, barred, to)


@_compiled
def play_values(
    shoe: Floats,
    upcard: int,
    barred: int,
    hands: Hands,
    which: Ints,
    grouped: Ints,
    paid: Floats,
    doubles: Bools,
    dealer: Dealer,
) -> tuple[Floats, Floats, Floats, Floats]:
    """What the hands `which` (ascending; `grouped`: the same, for `_standing`) are worth: plain, stand, hit, double.

    plain is standing without what charlies and bonuses (`paid`, not-a-number for other hands) pay. hit and double are
    minus infinity where there is no such move. Entries of other hands are left zero.
    """
    falling = falling_factorials(shoe, 26, 22)
    n = len(hands.counts)
    low = _half(falling, 0, hands.lows, _wanted(which, hands.low_of, len(hands.lows)), dealer.lows, -1)
    high = _half(falling, LOW, hands.highs, _wanted(which, hands.high_of, len(hands.highs)), dealer.highs, -1)
    standing, best = np.zeros((1, n)), np.zeros(n)
    _standing(
        shoe, upcard, barred, -1, 0, hands, grouped, low.reshape((1, *low.shape)), high.reshape((1, *high.shape)),
        dealer, standing,
    )  # fmt: skip
    plain = standing[0]
    stand, hit, double = np.zeros(n), np.full(n, -np.inf), np.full(n, -np.inf)
    left, chances = np.zeros(10), np.zeros(10)
    for place in range(len(which) - 1, -1, -1):
        i = which[place]
        bonus = not np.isnan(paid[i])
        stand[i] = paid[i] if bonus else plain[i]
        best[i] = stand[i]
        if bonus or hands.totals[i] == 21:
            continue
        _draws(shoe, upcard, barred, -1, 0, hands.counts[i], left, chances)
        worth, twice = 0.0, 0.0
        for v in range(10):
            after = hands.drawn[i, v]
            worth += chances[v] * (-1.0 if after == BUST else best[after])
            twice += chances[v] * (-1.0 if after == BUST else plain[after])
        hit[i] = worth
        best[i] = max(stand[i], worth)
        if doubles[i]:
            double[i] = 2.0 * twice
    return plain, stand, hit, double


@_compiled
def split_values(
    shoe: Floats,
    upcard: int,
    barred: int,
    value: int,
    depletions: int,
    root: int,
    hands: Hands,
    which: Ints,
    grouped: Ints,
    strategy: Ints,
    paid: Floats,
    dealer: Dealer,
    bust: float,
) -> Floats:
    """One hand of a split by its strategy, for each number of further cards of the pair's value that are out.

    `which` and `grouped` are the hands that `root`, one card of the pair, can grow into. Returns (depletions, 3): its
    worth whatever its second card, its worth when that card is again of the pair's value, and the chance of that card.
    `shoe` holds the upcard and the pair; `bust` is what a bust is worth, -1 of its bet.
    """
    n = len(hands.counts)
    reached, ends = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    reached[root] = True
    for i in which:
        if not reached[i]:
            continue
        if strategy[i] == STAND:
            ends[i] = True
            continue
        for v in range(10):
            after = hands.drawn[i, v]
            if after != BUST and strategy[i] == HIT:
                reached[after] = True
            elif after != BUST:
                ends[after] = True
    path = which[reached[which]]
    compared = grouped[ends[grouped]]
    falling = falling_factorials(shoe, 26, 22)
    worth, standing = np.zeros(n), np.zeros((depletions, n))
    left, chances = np.zeros(10), np.zeros(10)
    found = np.zeros((depletions, 3))
    want_low = _wanted(compared, hands.low_of, len(hands.lows))
    want_high = _wanted(compared, hands.high_of, len(hands.highs))
    low = _half(falling, 0, hands.lows, want_low, dealer.lows, value)
    high = _half(falling, LOW, hands.highs, want_high, dealer.highs, value)
    # One half knows the pair's value, and so how many of it are out; the other serves for all.
    lows = np.empty((depletions if value < LOW else 1, *low.shape))
    highs = np.empty((1 if value < LOW else depletions, *high.shape))
    lows[0], highs[0] = low, high
    # One card of the pair is in the hand, the other in the next hand: it is out from the start.
    for out in range(depletions):
        if value < LOW:
            lows[out] = _with_out(low, falling[value], hands.lows[:, value], want_low, dealer.lows[value], out + 1)
        else:
            k = value - LOW
            highs[out] = _with_out(high, falling[value], hands.highs[:, k], want_high, dealer.highs[k], out + 1)
    _standing(shoe, upcard, barred, value, 1, hands, compared, lows, highs, dealer, standing)
    for out in range(depletions):
        for place in range(len(path) - 1, -1, -1):
            i = path[place]
            if strategy[i] == STAND:
                worth[i] = standing[out, i] if np.isnan(paid[i]) else paid[i]
                continue
            _draws(shoe, upcard, barred, value, out + 1, hands.counts[i], left, chances)
            total = 0.0
            for v in range(10):
                after = hands.drawn[i, v]
                if after == BUST:
                    total += bust * chances[v]
                else:
                    total += chances[v] * (worth[after] if strategy[i] == HIT else standing[out, after])
            worth[i] = total * (1.0 if strategy[i] == HIT else 2.0)
            if i == root:
                found[out, 0], found[out, 1], found[out, 2] = total, worth[hands.drawn[i, value]], chances[value]
    return found


@_compiled
def dealer_results(shoes: Floats, drawn: Ints, orders: Floats, results: Ints) -> Floats:
    """Chances (n, 7) of the dealer's results from `shoes` (n, 10), which lack the upcard; `drawn` (E, 10) too."""
    chances = np.zeros((len(shoes), BLACKJACK + 1))
    for s in range(len(shoes)):
        falling = falling_factorials(shoes[s], 0, 22)
        whole = shoes[s].sum()
        for e in range(len(drawn)):
            product, number = orders[e], 0
            for v in range(10):
                product *= falling[v, 0, drawn[e, v]]
                number += drawn[e, v]
            for k in range(number):
                product = product / (whole - k) if whole > k else 0.0
            chances[s, results[e]] += product
    return chances
