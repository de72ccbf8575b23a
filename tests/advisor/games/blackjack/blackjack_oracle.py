"""A slow, plain second opinion: cards dealt one by one from a small shoe, hole card and all, every order followed.

Nothing here is shared with the code it checks. It uses no exchangeability, no multisets and no conditioning formula:
the hole card is really taken out of the shoe first, and split hands are really played in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

Counts = tuple[int, ...]


def take(shoe: Counts, value: int, by: int = 1) -> Counts:
    return (*shoe[:value], shoe[value] - by, *shoe[value + 1 :])


def draws(shoe: Counts) -> Iterator[tuple[int, float]]:
    total = sum(shoe)
    for value, count in enumerate(shoe):
        if count:
            yield value, count / total


def best_total(hand: Counts) -> tuple[int, bool]:
    hard = sum((value + 1) * count for value, count in enumerate(hand))
    soft = hand[0] > 0 and hard <= 11
    return hard + 10 * soft, soft


@cache
def dealer(hand: Counts, shoe: Counts, hit_soft_17: bool) -> dict[int, float]:
    """Chances of the dealer's totals; 22 for a bust, 99 for a blackjack."""
    total, soft = best_total(hand)
    if sum(hand) == 2 and total == 21:
        return {99: 1.0}
    if sum(hand) >= 2 and (total > 17 or (total == 17 and not (soft and hit_soft_17))):
        return {min(total, 22): 1.0}
    results: dict[int, float] = {}
    for value, chance in draws(shoe):
        for result, part in dealer(take(hand, value, -1), take(shoe, value), hit_soft_17).items():
            results[result] = results.get(result, 0.0) + chance * part
    return results


def payoff(total: int, results: dict[int, float]) -> float:
    if total > 21:
        return -1.0
    won = sum(chance for result, chance in results.items() if result == 22 or result < total)
    lost = sum(chance for result, chance in results.items() if result != 22 and result > total)
    return won - lost


def hole_cards(shoe: Counts, upcard: int) -> list[tuple[int, float]]:
    """The hole cards left possible by a peek that found no blackjack, with their chances."""
    barred = {0: 9, 9: 0}.get(upcard)
    possible = [(value, count) for value, count in enumerate(shoe) if count and value != barred]
    total = sum(count for _, count in possible)
    return [(value, count / total) for value, count in possible]


def stand(hand: Counts, shoe: Counts, upcard: int, *, hit_soft_17: bool = False, peek: bool = True) -> float:
    showing = take((0,) * 10, upcard, -1)
    if not peek:
        return payoff(best_total(hand)[0], dealer(showing, shoe, hit_soft_17))
    return sum(
        chance * payoff(best_total(hand)[0], dealer(take(showing, hole, -1), take(shoe, hole), hit_soft_17))
        for hole, chance in hole_cards(shoe, upcard)
    )


def next_cards(shoe: Counts, upcard: int, *, peek: bool) -> dict[int, float]:
    """Chance of each value as the player's next card."""
    if not peek:
        return dict(draws(shoe))
    chances: dict[int, float] = {}
    for hole, known in hole_cards(shoe, upcard):
        for value, chance in draws(take(shoe, hole)):
            chances[value] = chances.get(value, 0.0) + known * chance
    return chances


def hit(hand: Counts, shoe: Counts, upcard: int, *, hit_soft_17: bool = False, peek: bool = True) -> float:
    """Drawing one card, then the best of standing and drawing again."""
    worth = 0.0
    for value, chance in next_cards(shoe, upcard, peek=peek).items():
        longer, left = take(hand, value, -1), take(shoe, value)
        if best_total(longer)[0] > 21:
            worth -= chance
            continue
        after = stand(longer, left, upcard, hit_soft_17=hit_soft_17, peek=peek)
        if best_total(longer)[0] < 21:
            after = max(after, hit(longer, left, upcard, hit_soft_17=hit_soft_17, peek=peek))
        worth += chance * after
    return worth


def double(hand: Counts, shoe: Counts, upcard: int, *, hit_soft_17: bool = False, peek: bool = True) -> float:
    worth = 0.0
    for value, chance in next_cards(shoe, upcard, peek=peek).items():
        longer = take(hand, value, -1)
        if best_total(longer)[0] > 21:
            worth -= 2 * chance
        else:
            left = take(shoe, value)
            worth += 2 * chance * stand(longer, left, upcard, hit_soft_17=hit_soft_17, peek=peek)
    return worth


def split(
    value: int,
    shoe: Counts,
    upcard: int,
    most: int,
    strategy: Callable[[Counts], str],
    *,
    peek: bool = True,
) -> float:
    """Splitting a pair and playing each hand in turn by the strategy; drawn pairs split again, up to `most` hands."""
    showing = take((0,) * 10, upcard, -1)
    one = take((0,) * 10, value, -1)

    @cache
    def play(held: Counts, done: tuple[tuple[int, int], ...], waiting: int, left: Counts, hole: int | None) -> float:
        if sum(held) == 0:
            if waiting == 0:
                dealt = showing if hole is None else take(showing, hole, -1)
                results = dealer(dealt, left, False)
                return sum(stake * payoff(total, results) for total, stake in done)
            return play(one, done, waiting - 1, left, hole)
        action = "hit" if sum(held) == 1 else strategy(held)
        if action == "stand":
            return play((0,) * 10, tuple(sorted((*done, (best_total(held)[0], 1)))), waiting, left, hole)
        worth = 0.0
        for drawn, chance in draws(left):
            longer, rest = take(held, drawn, -1), take(left, drawn)
            if sum(held) == 1 and drawn == value and len(done) + waiting + 1 < most:
                after = play(one, done, waiting + 1, rest, hole)
            elif action == "double" or best_total(longer)[0] > 21:
                stake = 2 if action == "double" else 1
                ended = tuple(sorted((*done, (min(best_total(longer)[0], 22), stake))))
                after = play((0,) * 10, ended, waiting, rest, hole)
            else:
                after = play(longer, done, waiting, rest, hole)
            worth += chance * after
        return worth

    if not peek:
        return play(one, (), 1, shoe, None)
    return sum(chance * play(one, (), 1, take(shoe, hole), hole) for hole, chance in hole_cards(shoe, upcard))
