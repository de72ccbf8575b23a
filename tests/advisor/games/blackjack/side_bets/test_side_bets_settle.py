"""Side bets settled: which outcome the cards make, and what it pays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from advisor.games.blackjack.side_bets import BETS, MissingCards, default_paytable, settle
from advisor.games.cards import parse_cards


@pytest.mark.parametrize(
    ("bet", "player", "dealer", "outcome"),
    [
        ("perfect-pairs", "8H 8H", "", "identical-pair"),
        ("perfect-pairs", "8H 8D", "", "same-colour-pair"),
        ("perfect-pairs", "8S 8C", "", "same-colour-pair"),
        ("perfect-pairs", "8H 8S", "", "mixed-pair"),
        ("perfect-pairs", "KH QH", "", None),
        ("21+3", "9H 9H", "9H", "suited-three-of-a-kind"),
        ("21+3", "9H 9D", "9H", "three-of-a-kind"),
        ("21+3", "9H 7H", "8H", "straight-flush"),
        ("21+3", "AH 3D", "2S", "straight"),
        ("21+3", "QH AD", "KS 5C", "straight"),
        ("21+3", "KH 2D", "AS", None),
        ("21+3", "KH 2H", "AH", "flush"),
        ("21+3", "9H 9D", "8H", None),
        ("lucky-ladies", "QH QH", "AS 10D", "queen-of-hearts-pair-with-dealer-blackjack"),
        ("lucky-ladies", "QH QH", "9S 10D", "queen-of-hearts-pair"),
        ("lucky-ladies", "QH QH", "AS AD", "queen-of-hearts-pair"),
        ("lucky-ladies", "QS QS", "", "matched-20"),
        ("lucky-ladies", "QS 10S", "", "suited-20"),
        ("lucky-ladies", "AS 9S", "", "suited-20"),
        ("lucky-ladies", "QS QH", "", "any-20"),
        ("lucky-ladies", "9S AD", "", "any-20"),
        ("lucky-ladies", "AS KS", "", None),
        ("kings-bounty", "KS KS", "KH AH", "king-of-spades-pair-with-dealer-blackjack"),
        ("kings-bounty", "KS KS", "KH 9H", "king-of-spades-pair"),
        ("kings-bounty", "KH KH", "", "suited-kings"),
        ("kings-bounty", "JH JH", "", "suited-queens-jacks-or-tens"),
        ("kings-bounty", "KH JH", "", "suited-20"),
        ("kings-bounty", "9H AH", "", "suited-20"),
        ("kings-bounty", "KH KS", "", "unsuited-kings"),
        ("kings-bounty", "QH QS", "", "unsuited-20"),
        ("kings-bounty", "9H 10H", "", None),
        ("suited-777", "7H 7H", "7H", "three-suited-sevens"),
        ("suited-777", "7H 7D", "7H", "three-sevens-of-one-colour"),
        ("suited-777", "7H 7S", "7D", "three-sevens"),
        ("suited-777", "7H 7S", "8D", "two-sevens"),
        ("suited-777", "8D 7S", "7D", "one-seven"),
        ("suited-777", "8D 9S", "7D", None),
        ("super-sevens", "7H 7H 7H", "", "three-suited-sevens"),
        ("super-sevens", "7H 7H 7D", "", "three-sevens"),
        ("super-sevens", "7H 7H 8D", "", "two-suited-sevens"),
        ("super-sevens", "7H 7D 8D", "", "two-sevens"),
        ("super-sevens", "7H 8D", "", "one-seven"),
        ("super-sevens", "8D 7H", "", None),
        ("over-13", "AH KD", "", None),
        ("over-13", "9H 5D", "", "over"),
        ("over-13", "9H 4D", "", None),
        ("under-13", "9H 4D", "", None),
        ("under-13", "AH KD", "", "under"),
    ],
)
def test_the_cards_make_the_outcome(bet: str, player: str, dealer: str, outcome: str | None) -> None:
    paid = default_paytable(bet)
    settled = settle(bet, paid, parse_cards(player), parse_cards(dealer))
    assert settled.outcome == outcome
    assert settled.pays == (Fraction(-1) if outcome is None else paid.odds(outcome))
    assert settled.won == (outcome is not None)


@pytest.mark.parametrize(
    ("bet", "player", "dealer", "says"),
    [
        ("perfect-pairs", "8H", "", "Perfect Pairs needs the player's first 2 cards"),
        ("21+3", "8H 8D", "", r"21\+3 needs the dealer's first card to be settled"),
        ("lucky-ladies", "QH QH", "AS", "Lucky Ladies needs the dealer's first 2 cards"),
        ("super-sevens", "7H 7D", "", "Super Sevens needs the player's first 3 cards"),
        ("suited-777", "7H 7D", "", "Suited 777 needs the dealer's first card"),
    ],
)
def test_cards_that_are_not_there_yet_are_asked_for(bet: str, player: str, dealer: str, says: str) -> None:
    with pytest.raises(MissingCards, match=says):
        settle(bet, default_paytable(bet), parse_cards(player), parse_cards(dealer))


@pytest.mark.parametrize("bet", BETS)
def test_a_bet_names_only_outcomes_that_it_has(bet: str) -> None:
    assert tuple(name for name, _ in default_paytable(bet).pays) == BETS[bet].outcomes


def test_a_paytable_of_another_bet_is_refused() -> None:
    with pytest.raises(ValueError, match=r"is for 21\+3, not for over-13"):
        settle("over-13", default_paytable("21+3"), parse_cards("9H 5D"))
