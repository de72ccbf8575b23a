"""Advice: brute force on small packs, what is known of the game, and what each side may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pontoon_driver import deal

from advisor.games.cards import parse_card, parse_cards
from advisor.games.operations import IllegalMove
from advisor.games.pontoon import (
    Action,
    BankerAction,
    ImpossiblePosition,
    OpenHand,
    PontoonRules,
    advise_banker,
    advise_punter,
    pool_after,
)
from advisor.games.pontoon.banker import banker_worth
from advisor.games.pontoon.hand import TWENTY_ONE, VALUES, Counts, Kind, best_total, count_values, hard_total, kind
from advisor.games.pontoon.punter import Buying, banker_stays_on, split_worth, worth
from advisor.games.pontoon.round import StepKind
from advisor.games.pontoon.round.views import banker_advice, open_hands, public_pool, punter_advice
from advisor.games.pontoon.settlement import outcome_odds
from advisor.games.pontoon.trees import drawn, hidden_hands
from advisor.games.pontoon.turns import buy_limits

HOME = PontoonRules()
PLAIN = PontoonRules(five_card_trick=False, royal_pontoon=False, split="none")
LESS = PontoonRules(buying="may-be-less", maximum=Fraction(4), split_pontoon=True)
NOTHING: Counts = (0,) * len(VALUES)


def counts(text: str) -> Counts:
    """Values by name, such as "A A 10"."""
    return tuple(text.split().count(name) for name in VALUES)


# The punter, dealt out card by card

Stakes = tuple[Fraction, ...]


class Punter:
    """A punter's game dealt out card by card, in floats, each hand reached by any order reckoned once."""

    def __init__(self, rules: PontoonRules, pool: Counts, stays_on: int, split: bool = False) -> None:
        self.rules, self.pool, self.stays_on, self.split = rules, pool, stays_on, split
        self.bankers: dict[tuple[Counts, Counts], float] = {}
        self.known: dict[object, dict[object, float]] = {}

    def draws(self, *taken: Counts) -> Iterator[tuple[int, float]]:
        """Each next card and its chance once these are gone."""
        left = [count - sum(it[value] for it in taken) for value, count in enumerate(self.pool)]
        return ((value, count / sum(left)) for value, count in enumerate(left) if count > 0)

    def stuck(self, hand: Counts, added: Counts, banker: Counts = NOTHING) -> float:
        """What a stuck hand gains from here on, by dealing out the banker's cards."""
        if sum(banker) >= 2 and (hard_total(banker) > TWENTY_ONE or best_total(banker) >= self.stays_on):
            return float(outcome_odds(self.rules, hand, banker, self.split)[1])
        if (hand, banker) not in self.bankers:
            self.bankers[hand, banker] = sum(
                chance * self.stuck(hand, added, drawn(banker, value)) for value, chance in self.draws(added, banker)
            )
        return self.bankers[hand, banker]

    def moves(self, hand: Counts, added: Counts, stakes: Stakes, twisted: bool = False) -> dict[object, float]:
        """Every move and its worth in currency, every whole buy among them."""
        key = (hand, stakes, twisted)
        if key not in self.known:
            self.known[key] = self._moves(hand, added, stakes, twisted)
        return self.known[key]

    def _moves(self, hand: Counts, added: Counts, stakes: Stakes, twisted: bool) -> dict[object, float]:
        found: dict[object, float] = {}
        if kind(self.rules, hand, self.split) is not Kind.POINTS or best_total(hand) >= self.rules.stick_at:
            found["stick"] = float(sum(stakes)) * self.stuck(hand, added)
        if self.rules.five_card_trick and sum(hand) >= 5:
            return found
        found["twist"] = self._after(hand, added, stakes, True)
        if not twisted:
            least, most = buy_limits(self.rules, stakes)
            for amount in range(int(least), int(most) + 1):
                found[amount] = self._after(hand, added, (*stakes, Fraction(amount)), False)
        return found

    def _after(self, hand: Counts, added: Counts, stakes: Stakes, twisted: bool) -> float:
        total = 0.0
        for value, chance in self.draws(added):
            more = drawn(hand, value)
            if hard_total(more) > TWENTY_ONE:
                total -= chance * float(sum(stakes))
            else:
                total += chance * max(self.moves(more, drawn(added, value), stakes, twisted).values())
        return total


SMALL = counts("A A 3 3 5 6 6 6 7 7 9 9 " + "10 " * 9)
LOW = counts("A 2 2 2 4 4 4 5 5 7 7 7 8 8 " + "10 " * 7)


@pytest.mark.parametrize(
    ("rules", "hand", "stakes", "pool", "twisted", "split"),
    [
        (HOME, "9 5", "3", SMALL, False, False),
        (HOME, "A 5", "3", SMALL, False, False),
        (HOME, "5 6", "2", LOW, False, False),
        (HOME, "2 3", "2", LOW, False, False),
        (HOME, "2 3 4", "3 2", LOW, False, False),
        (HOME, "2 3 4 4", "2 1 2", LOW, False, False),
        (HOME, "7 7", "3", SMALL, False, False),
        (HOME, "10 6", "2", SMALL, False, False),
        (HOME, "4 5 6", "2", LOW, True, False),
        (HOME, "A 10", "2", SMALL, False, False),
        (HOME, "A 10", "2", SMALL, False, True),
        (PLAIN, "5 8", "3", LOW, False, False),
        (PLAIN, "7 8", "3", SMALL, False, False),
        (LESS, "A 6", "3", LOW, False, False),
        (LESS, "2 5", "4", LOW, False, False),
        (LESS, "2 4 5", "4 2", LOW, False, True),
    ],
)
def test_a_punters_moves_are_worth_what_dealing_out_every_card_gives(
    rules: PontoonRules, hand: str, stakes: str, pool: Counts, twisted: bool, split: bool
) -> None:
    held, put = counts(hand), tuple(map(Fraction, stakes.split()))
    staked = sum(put, Fraction(0))
    least, most = buy_limits(rules, put)
    buying = None if twisted else Buying(float(least / staked), float(most / staked), float(rules.minimum / staked))
    stays_on = 15 + sum(held) % 3
    exact = Punter(rules, pool, stays_on, split).moves(held, NOTHING, put, twisted)
    found = worth(rules, held, pool, buying, stays_on, split)
    named = {"stick": found.stick, "twist": found.twist, int(least): found.buy_least, int(most): found.buy_most}
    for move, value in named.items():
        if value is None:
            assert move not in exact
        else:
            assert float(staked) * value == pytest.approx(exact[move], abs=1e-9), move
    # No buy in between beats both the least and the most.
    buys = [value for move, value in exact.items() if isinstance(move, int)]
    if buys:
        assert max(buys) == pytest.approx(max(exact[int(least)], exact[int(most)]), abs=1e-12)


def test_a_split_is_worth_twice_a_hand_of_one_card() -> None:
    put = (Fraction(3),)
    for value, pool, rules in ((6, SMALL, HOME), (0, LOW, LESS)):
        game = Punter(rules, pool, 17, split=True)
        one = drawn(NOTHING, value)
        exact = sum(
            chance * max(game.moves(drawn(one, card), drawn(NOTHING, card), put).values())
            for card, chance in game.draws()
        )
        found = split_worth(rules, value, pool, Buying(1 / 3, 1.0, 1 / 3), 17)
        assert 3 * found == pytest.approx(2 * exact, abs=1e-9)


def test_the_banker_is_taken_to_stay_where_he_does_best() -> None:
    def gain(total: int) -> float:
        hidden = hidden_hands(HOME, 2, NOTHING)
        found, likely = 0.0, 0.0
        for hand, orders in zip(map(tuple, hidden.counts.tolist()), hidden.orders.tolist(), strict=True):
            chance = float(orders)
            for value, held in enumerate(hand):
                for step in range(held):
                    chance *= SMALL[value] - step
            if chance > 0:
                likely += chance
                found -= chance * Punter(HOME, SMALL, total).stuck(hand, hand)
        return found / likely

    best = max(range(14, 20), key=gain)
    assert banker_stays_on(HOME, SMALL) == best


# The banker, all hidden cards together


def hidden_ways(rules: PontoonRules, hands: Sequence[OpenHand]) -> list[tuple[tuple[Counts, ...], int]]:
    lists = []
    for hand in hands:
        found = hidden_hands(rules, hand.hidden, hand.shown, hand.from_split)
        lists.append(list(zip(map(tuple, found.counts.tolist()), found.orders.astype(int).tolist(), strict=True)))
    ways = []
    for choice in product(*lists):
        orders = 1
        for _, number in choice:
            orders *= number
        ways.append((tuple(cards for cards, _ in choice), orders))
    return ways


def jointly(rules: PontoonRules, banker: Counts, hands: Sequence[OpenHand], pool: Counts) -> tuple[float, float]:
    """Staying and drawing where all hidden cards are weighed together: the exact values, however many hands."""
    staked = float(sum(hand.stake for hand in hands))
    ways = []
    for choice, orders in hidden_ways(rules, hands):
        left, weight = list(pool), float(orders)
        for cards in choice:
            for value, count in enumerate(cards):
                for _ in range(count):
                    weight *= left[value]
                    left[value] -= 1
        if weight > 0:
            whole = [
                tuple(a + b for a, b in zip(cards, hand.shown, strict=True))
                for cards, hand in zip(choice, hands, strict=True)
            ]
            ways.append((whole, tuple(left), weight))
    total = sum(weight for _, _, weight in ways)

    def stay(banker: Counts, weights: list[float]) -> float:
        gained = 0.0
        for (whole, _, _), weight in zip(ways, weights, strict=True):
            for hand, cards in zip(hands, whole, strict=True):
                gained -= weight * float(hand.stake) * float(outcome_odds(rules, cards, banker, hand.from_split)[1])
        return gained

    def draw(banker: Counts, taken: Counts, weights: list[float]) -> float:
        gained = 0.0
        for value in range(len(VALUES)):
            new = [
                weight * (left[value] - taken[value]) / (sum(left) - sum(taken))
                for (_, left, _), weight in zip(ways, weights, strict=True)
            ]
            if max(new) <= 0:
                continue
            more = drawn(banker, value)
            best = stay(more, new)
            if hard_total(more) <= TWENTY_ONE:
                best = max(best, draw(more, drawn(taken, value), new))
            gained += best
        return gained

    start = [weight / total for _, _, weight in ways]
    return stay(banker, start) / staked, draw(banker, NOTHING, start) / staked


@pytest.mark.parametrize(
    ("rules", "banker", "hand", "pool"),
    [
        (HOME, "10 6", OpenHand(Fraction(3), 2), SMALL),
        (HOME, "10 4", OpenHand(Fraction(3), 3), SMALL),
        (HOME, "9 6", OpenHand(Fraction(3), 2, counts("5")), LOW),
        (HOME, "A 5", OpenHand(Fraction(3), 2), SMALL),
        (HOME, "8 8", OpenHand(Fraction(2), 3, counts("2")), LOW),
        (HOME, "8 9", OpenHand(Fraction(2), 0, counts("A 10")), SMALL),
        (HOME, "10 5", OpenHand(Fraction(2), 0, counts("10 8")), SMALL),
        (HOME, "10 6", OpenHand(Fraction(2), 5), LOW),
        (PLAIN, "10 5", OpenHand(Fraction(2), 5), LOW),
        (PontoonRules(pontoons_shown=False), "10 5", OpenHand(Fraction(2), 2), SMALL),
        (HOME, "10 6", OpenHand(Fraction(2), 1, counts("A"), from_split=True), SMALL),
    ],
)
def test_a_bankers_moves_are_worth_what_dealing_out_every_card_gives(
    rules: PontoonRules, banker: str, hand: OpenHand, pool: Counts
) -> None:
    stay, draw = jointly(rules, counts(banker), [hand], pool)
    found = banker_worth(rules, counts(banker), (hand,), pool)
    assert (found.stay, found.draw) == (pytest.approx(stay, abs=1e-9), pytest.approx(draw, abs=1e-9))


@pytest.mark.parametrize(
    ("rules", "banker", "hands"),
    [
        (HOME, "10 6", [OpenHand(Fraction(2), 2), OpenHand(Fraction(5), 2)]),
        (HOME, "9 8", [OpenHand(Fraction(2), 2), OpenHand(Fraction(5), 2), OpenHand(Fraction(1), 2, counts("3"))]),
        (HOME, "10 5", [OpenHand(Fraction(2), 2), OpenHand(Fraction(4), 3), OpenHand(Fraction(1), 0, counts("10 9"))]),
        (PLAIN, "10 7", [OpenHand(Fraction(1), 2), OpenHand(Fraction(1), 2), OpenHand(Fraction(2), 2)]),
    ],
)
def test_several_hands_are_weighed_together(rules: PontoonRules, banker: str, hands: list[OpenHand]) -> None:
    stay, draw = jointly(rules, counts(banker), hands, SMALL)
    found = banker_worth(rules, counts(banker), tuple(hands), SMALL)
    assert (found.stay, found.draw) == (pytest.approx(stay, abs=1e-9), pytest.approx(draw, abs=1e-9))
    assert found.exact


def test_too_many_hidden_cards_are_weighed_hand_by_hand_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = parse_cards("10H 6S")
    pool = pool_after(HOME, cards)
    hands = [OpenHand(Fraction(stake), 2) for stake in (1, 2, 3, 4)]
    together = advise_banker(HOME, cards, hands, pool)
    assert together.exact
    banker_worth.cache_clear()
    monkeypatch.setattr("advisor.games.pontoon.banker.MOST_PAIRS", 10)
    apart = advise_banker(HOME, cards, hands, pool)
    banker_worth.cache_clear()
    assert not apart.exact and apart.reasons[-1].startswith("So many cards are hidden")
    assert apart.best is together.best
    assert (apart.stay, apart.draw) == (pytest.approx(together.stay, abs=0.1), pytest.approx(together.draw, abs=0.1))


# What is known of the game, and how it is said


def asked(cards: str, stakes: str = "2", seen: str = "", rules: PontoonRules = HOME, hands: int = 1) -> object:
    own = parse_cards(cards)
    pool = pool_after(rules, (*own, *parse_cards(seen)))
    return advise_punter(rules, own, [Fraction(it) for it in stakes.split()], pool, hands=hands)


@pytest.mark.parametrize(
    ("cards", "stakes", "action", "amount"),
    [
        ("10H 9S", "2", Action.STICK, None),
        ("10H 4S", "2", Action.TWIST, None),
        ("5H 6S", "2", Action.BUY, 2),
        ("AH AS", "2", Action.BUY, 2),
        ("2H 3S 4C 3D", "2 2 4", Action.BUY, 8),
        ("AH KS", "2", Action.PONTOON, None),
        ("8H 8S", "2", Action.SPLIT, None),
    ],
)
def test_plain_hands_are_played_as_everybody_knows(cards: str, stakes: str, action: Action, amount: int | None) -> None:
    best = asked(cards, stakes).best  # type: ignore[attr-defined]
    assert (best.action, best.amount) == (action, amount)


def test_advice_says_what_and_why() -> None:
    own = parse_cards("AH 6S")
    said = advise_punter(HOME, own, [Fraction(2)], pool_after(HOME, own))
    assert said.hand == "soft 17"
    assert [option.action for option in said.options][:2] == [Action.BUY, Action.BUY]
    assert said.reasons[0].startswith("Buy for 2 with soft 17: worth +0.4")
    assert said.reasons[1].startswith("Next best is to buy for 1, ")
    assert said.reasons[2] == "The banker is taken to stay on 17, which serves him best against two hidden cards."
    told = advise_punter(HOME, own, [Fraction(2)], pool_after(HOME, own), stays_on=18)
    assert told.reasons[2] == "The banker is taken to stay on 18, as you say."


def test_the_banker_draws_against_high_stakes_on_what_is_certain_to_beat_him() -> None:
    cards = parse_cards("10H 7S")
    pool = pool_after(HOME, (*cards, *parse_cards("10C 8C")))
    hidden = OpenHand(Fraction(1), 2)
    shown = OpenHand(Fraction(9), 0, count_values(parse_cards("10C 8C")))
    assert advise_banker(HOME, cards, [hidden], pool).best is BankerAction.STAY
    found = advise_banker(HOME, cards, [hidden, shown], pool)
    assert found.best is BankerAction.DRAW
    assert found.reasons[0].startswith("Draw with 17 against 2 open hands: worth -0.")


@pytest.mark.parametrize(
    ("cards", "stakes", "said"),
    [
        ("10H", "2", "two cards or more"),
        ("10H 9S 5C", "2", "the hand is bust with 24"),
        ("10H 9S", "2 2", "2 cards go with 1 to 1 stakes"),
        ("10H 9S", "11", "the first stake of 11 is over the most allowed, 10"),
        ("2H 9S 3C", "2 3", "buy 1 of 3 is over the most allowed, 2"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_a_reason(cards: str, stakes: str, said: str) -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        asked(cards, stakes)
    assert said in str(caught.value)


def test_other_impossible_positions() -> None:
    with pytest.raises(ImpossiblePosition, match="2 tens of hearts seen in 1 pack, which holds only 1"):
        pool_after(HOME, parse_cards("10H 10H"))
    with pytest.raises(ImpossiblePosition, match="5 hands cannot be: these rules allow 1 to 4"):
        asked("10H 9S", hands=5)
    own = parse_cards("10H 9S")
    with pytest.raises(ImpossiblePosition, match="stay on 11: give 12 to 21"):
        advise_punter(HOME, own, [Fraction(2)], pool_after(HOME, own), stays_on=11)
    with pytest.raises(ImpossiblePosition, match="only 19 cards are unseen"):
        advise_punter(HOME, own, [Fraction(2)], counts(" ".join(["9"] * 19)))
    with pytest.raises(ImpossiblePosition, match="nobody can stick on two cards"):
        banker_stays_on(HOME, counts(" ".join(["2"] * 20)))
    pool = pool_after(HOME, own)
    hand = OpenHand(Fraction(2), 2)
    for cards, hands, said in [
        ("10H", [hand], "two cards or more"),
        ("AH 10S", [hand], "nothing is left to decide"),
        ("10H 6S 9C", [hand], "nothing is left to decide"),
        ("10H 6S", [], "no hand is open"),
        ("10H 6S", [OpenHand(Fraction(0), 2)], "a stake of more than 0"),
        ("10H 6S", [OpenHand(Fraction(1), 1)], "two cards or more"),
        ("10H 6S", [OpenHand(Fraction(1), 0, counts("10 5"))], "no hands that may stick can be made"),
    ]:
        with pytest.raises(ImpossiblePosition) as caught:
            advise_banker(HOME, parse_cards(cards), hands, pool)
        assert said in str(caught.value)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(parse_cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC")), min_size=2, max_size=2, unique=True
    ),
    st.integers(1, 10),
)
def test_no_move_is_worth_more_than_can_be_won(cards: list[object], stake: int) -> None:
    own = list(cards)
    said = advise_punter(HOME, own, [Fraction(stake)], pool_after(HOME, own))  # type: ignore[arg-type]
    # Three buys at most, each doubling the stake, and a treble at most.
    assert all(-8 <= option.value <= 24 for option in said.options)
    assert list(said.options) == sorted(said.options, key=lambda it: -it.value)


# At the table


def test_each_side_is_advised_on_what_it_may_know() -> None:
    cards = "10C 5D 9H  7C 4H 7S  2D"
    told = deal(HOME, 3, {1: 2, 4: 4}, cards, private=True).until(StepKind.DECIDE).state
    hidden = deal(HOME, 3, {1: 2, 4: 4}, cards).until(StepKind.DECIDE).state
    # What the table was told of cards face down helps nobody.
    assert public_pool(told) == public_pool(hidden) == counts(" ".join([*VALUES[:9] * 4, *["10"] * 16]))
    own = parse_cards("10C 7C")
    assert punter_advice(told, 4) == punter_advice(hidden, 4, cards=own) == asked("10C 7C", "4")
    with pytest.raises(IllegalMove, match="only its own view"):
        punter_advice(hidden, 4)
    with pytest.raises(IllegalMove, match="has 2 cards, not 1"):
        punter_advice(hidden, 4, cards=[parse_card("10C")])


def test_the_banker_is_advised_on_what_lies_face_up() -> None:
    table = deal(HOME, 3, {1: 2, 4: 4}, "10C 5D 9H  7C 9C 7S  2D", "stick", "twist", "stick", private=True)
    state = table.until(StepKind.BANKER_DECIDES).state
    assert open_hands(state) == (OpenHand(Fraction(4), 2), OpenHand(Fraction(2), 2, counts("2")))
    pool = pool_after(HOME, parse_cards("9H 7S 2D"))
    assert banker_advice(state) == advise_banker(HOME, parse_cards("9H 7S"), open_hands(state), pool)
