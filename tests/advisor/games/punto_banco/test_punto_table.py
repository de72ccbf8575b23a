"""Punto banco on the table: what each step is taken from, what cannot be, and whole shoes seen by a camera."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from punto_driver import Table, tables
from table_scenes import Scene

from advisor.games.cards import FULL_PACK, parse_cards
from advisor.games.contract import HOUSE, GridCell, Lying, Place, Played
from advisor.games.punto_banco import PRESETS, Bet, PuntoBancoRules
from advisor.games.punto_banco.round import LOG, Round, replay
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.table import GAME
from advisor.games.punto_banco.table.drive import drive
from advisor.games.punto_banco.table.start import as_carried, read_start

USUAL = PRESETS["eight-deck"]
PLAYER, BANKER = 1, 2


def table(*bets: tuple[int, str, str], rules: PuntoBancoRules = USUAL) -> Scene:
    """These bets (seat, bet, amount), said."""
    scene = Scene(GAME, rules)
    for seat, bet, amount in bets:
        scene.say("place-bet", seat=seat, bet=bet, amount=amount)
    return scene.now()


def coup(scene: Scene, player: str, banker: str) -> Scene:
    """Both hands as they lie, the first four dealt by turns."""
    one, other = player.split(), banker.split()
    for at in range(3):
        scene.deal(HOUSE, *one[at : at + 1], hand=PLAYER).deal(HOUSE, *other[at : at + 1], hand=BANKER)
    return scene


def said(played: Played) -> list[str]:
    return [str(it["op"]) for it in played.operations]


def values(played: Played) -> dict[str, str]:
    return {it.name: it.value for it in played.facts}


# Bets


def test_the_first_card_closes_the_bets() -> None:
    scene = table((1, "player", "10"))
    assert (scene.played.phase, scene.played.step) == ("bets", "No more bets: seat 1 10 on Player.")
    scene.deal(HOUSE, "2C", hand=PLAYER)
    assert said(scene.played) == ["place-bet", "close-bets", "deal"]


def test_a_coup_without_bets_is_followed_and_called() -> None:
    scene = coup(Scene(GAME, USUAL), "9C KC", "2C 3D")
    assert scene.played.step == "Player wins with a natural, 9 against 5. Clear the cards."
    assert (scene.played.phase, scene.played.hands, scene.played.faults) == ("clear", (), ())
    final = scene.clear().played
    assert (final.phase, final.carried["coups"], final.net) == ("over", ["player natural"], {HOUSE: 0})


def test_a_bet_said_after_the_first_card_counts_and_is_noted() -> None:
    scene = coup(Scene(GAME, USUAL), "9C KC", "2C 3D").tell(
        {"op": "place-bet", "seat": 3, "amount": "10", "bet": "player"}
    )
    assert scene.played.notices == ("Seat 3's bets were said after the first card.",)
    assert scene.played.hands[0].payment is not None and scene.played.hands[0].payment.amount == 10


def test_bets_are_corrected_taken_back_and_kept_within_the_limits() -> None:
    scene = table((1, "player", "10"), (1, "player", "20"), (2, "tie", "1")).say("take-back-bets", seat=2)
    assert [(it.title, it.bets[0].amount) for it in scene.played.hands] == [("Seat 1: Player", 20)]
    scene.tell({"op": "place-bet", "seat": 1, "amount": "4", "bet": "banker"})
    assert [it.words for it in scene.played.faults] == ["Seat 1: a bet on Banker of 4 is under the least allowed, 5."]


def test_closing_the_bets_twice_is_no_fault() -> None:
    scene = table((1, "player", "10")).say("close-bets").tell({"op": "close-bets"})
    assert scene.played.step == "Deal Player's first card, face up." and not scene.played.faults


# The cards


def test_the_third_card_rules_are_said_with_their_reason() -> None:
    scene = table((1, "player", "10")).deal(HOUSE, "2C", "3C", hand=PLAYER).deal(HOUSE, "6H", "KD", hand=BANKER)
    player, banker = scene.played.house
    assert scene.played.step == "Player draws a third card: it has 5, and draws on 0 to 5."
    assert (player.total, player.active, player.why) == ("5", True, ("Player draws: it has 5, and draws on 0 to 5.",))
    assert (banker.total, banker.active, banker.why) == ("6", False, ())
    scene.deal(HOUSE, "5D", hand=PLAYER)
    player, banker = scene.played.house
    call = "Banker wins, 6 against 0."
    assert banker.why == ("Banker stands: it has 6, and Player drew a card of 5.", call)
    assert (player.action, player.why) == ("done", (call,))


@pytest.mark.parametrize(
    ("player", "banker", "why"),
    [
        ("9C KC", "2C 3D 4D", "Banker takes no card: it has 5, and a natural ends the coup."),
        ("6C KC 2D", "7C KD", "Player takes no card: it has 6, and stands on 6 and 7."),
        ("6C KC", "6H KD 2D", "Banker takes no card: it has 6, and Player stood on 6."),
        ("2C 3C 8D", "3D KD 2S", "Banker takes no card: it has 3, and Player drew a card of 8."),
        ("2C 3C 6D 7D", "6H KD 3S", "Player takes no card: it has three cards."),
    ],
)
def test_a_card_that_the_rules_do_not_give_is_a_fault_that_says_why(player: str, banker: str, why: str) -> None:
    scene = coup(Scene(GAME, USUAL), player, banker)
    if len(player.split()) > 3:
        scene.deal(HOUSE, player.split()[3], hand=PLAYER)
    (fault,) = scene.played.faults
    assert fault.words == why
    assert fault.choices[0].operation == {"op": "remove-card", "card": fault.card}


def test_bankers_third_card_before_players_is_a_fault_and_can_be_moved() -> None:
    scene = coup(Scene(GAME, USUAL), "2C 3C", "6H KD 5D")
    (fault,) = scene.played.faults
    assert fault.words == "Banker has a card too soon: Player draws first, for it has 5, and draws on 0 to 5."
    assert fault.choices[0].operation == {"op": "move-card", "card": 5, "seat": HOUSE, "hand": PLAYER}


def test_cards_of_the_two_sides_may_be_seen_in_any_order() -> None:
    scene = Scene(GAME, USUAL).deal(HOUSE, "6H", "KD", "3S", hand=BANKER)
    assert (scene.played.step, scene.played.faults) == ("Deal Player's first card, face up.", ())
    scene.deal(HOUSE, "2C", "3C", "6D", hand=PLAYER)
    assert scene.played.step == "Banker wins, 9 against 1. Clear the cards."


def test_a_card_face_down_is_to_be_turned_and_one_unread_named() -> None:
    scene = Scene(GAME, USUAL).deal(HOUSE, "back", hand=PLAYER)
    assert (scene.played.step, scene.played.step_place) == ("Turn Player's card up.", Place(HOUSE, PLAYER))
    unread = Scene(GAME, USUAL).now(cards=(Lying(1, Place(HOUSE, BANKER), None), Lying(2, Place(HOUSE, PLAYER), "5H")))
    assert unread.played.step == "A card of Banker's cannot be read: name it."
    assert unread.played.house[1].problems == ("Name the card that cannot be read.",)


def test_an_unsure_card_counts_as_its_guess_and_is_to_be_checked() -> None:
    scene = Scene(GAME, USUAL).deal(HOUSE, "5H", hand=PLAYER, sure=False)
    assert scene.played.house[0].total == "5"
    assert scene.played.house[0].problems == ("Check the five of hearts: it may be misread.",)


def test_what_does_not_belong_there_is_a_fault_and_left_out() -> None:
    scene = Scene(GAME, USUAL).deal(HOUSE, "JOKER", "5H", hand=PLAYER).deal(3, "7H").deal(HOUSE, "8H", hand=3)
    assert [it.words for it in scene.played.faults] == [
        "'JOKER' is not a card of this game: take it out, or name it.",
        "The seven of hearts lies at seat 3, where this game deals no cards.",
        "The eight of hearts lies beside both hands.",
    ]
    assert scene.played.house[0].total == "5"


# Settlement


@pytest.mark.parametrize(
    ("preset", "player", "banker", "bet", "net", "words", "owed"),
    [
        ("eight-deck", "9C KC", "2C 3D", "player", 20, "wins 1:1", None),
        ("eight-deck", "6C KC", "7C KD", "banker", 20, "wins 1:1, 1 commission to mark", "1"),
        ("eight-deck", "6C KC", "7C KD", "player", -20, "loses", None),
        ("eight-deck", "7C KC", "7H KD", "player", 0, "a tie: stays", None),
        ("eight-deck", "7C KC", "7H KD", "tie", 160, "wins 8:1", None),
        ("tie-nine", "7C KC", "7H KD", "tie", 180, "wins 9:1", None),
        ("eight-deck", "4C 4D", "7H 2D", "player_pair", 220, "wins 11:1", None),
        ("no-commission", "2C 3C KD", "6H KD", "banker", 10, "wins 1:2", None),
        ("at-once", "6C KC", "7C KD", "banker", 19, "wins 1:1, less 1 commission", None),
    ],
)
def test_each_bet_is_paid_with_its_terms(
    preset: str, player: str, banker: str, bet: str, net: int, words: str, owed: str | None
) -> None:
    rules = PRESETS[preset] if preset in PRESETS else USUAL.with_values({"commission_taken": preset})
    scene = coup(table((4, bet, "20"), rules=rules), player, banker)
    (hand,) = scene.played.hands
    assert hand.payment is not None and hand.active and scene.played.phase == "settle"
    assert (hand.payment.amount, hand.payment.words, hand.payment.done) == (net, words, False)
    final = scene.clear().played
    assert final.net == {HOUSE: -net, 4: net}
    assert values(final).get("commission-4") == owed


def test_commission_is_owed_until_it_is_collected() -> None:
    scene = coup(table((2, "banker", "20")), "6C KC", "7C KD").clear()
    again = Scene(GAME, USUAL).now(carried=scene.played.carried)
    assert values(again.played)["commission-2"] == "1"
    again.say("collect-commission", seat=2)
    assert "commission-2" not in values(again.played)
    assert (again.played.net[2], again.played.carried["commission"]) == (-1, {})


def test_a_coup_cleared_before_its_end_is_called_off() -> None:
    final = coup(table((2, "banker", "20")), "2C 3C", "7C KD").clear().played
    assert (final.phase, final.net, final.carried["coups"]) == ("over", {HOUSE: 0, 2: 0}, [])
    assert final.hands[0].payment is not None and final.hands[0].payment.words == "called off: given back"


# Chances, the shoe, the scoreboard


def test_the_chances_are_the_published_ones_and_for_the_dealer_alone() -> None:
    played = Scene(GAME, USUAL).played
    found = values(played)
    assert [found[f"chance-{it}"] for it in ("banker", "player", "tie")] == ["45.8597 %", "44.6247 %", "9.5156 %"]
    assert [found[f"edge-{it}"] for it in ("banker", "player", "tie")] == ["1.0579 %", "1.2351 %", "14.3596 %"]
    assert found["cards-left"] == "416"
    assert all(it.private for it in played.facts if it.name.startswith(("chance", "edge")))


def test_the_chances_are_those_of_the_bets_until_the_coup_is_decided() -> None:
    scene = table((1, "player", "10"))
    before = values(scene.played)["chance-banker"]
    coup(scene, "2C 3C", "6H KD")
    assert values(scene.played)["chance-banker"] == before
    assert (
        values(scene.deal(HOUSE, "6D", "3S", hand=PLAYER).deal(HOUSE, "3S", hand=BANKER).played)["chance-banker"]
        != before
    )


def test_a_card_too_many_shows_a_new_shoe_unless_the_coup_contradicts_itself() -> None:
    rules = USUAL.with_values({"decks": 1})
    owed = {3: Fraction(2)}
    carried = as_carried(parse_cards("5H 6H"), owed, ())
    scene = Scene(GAME, rules).now(carried=carried).deal(HOUSE, "5H", hand=PLAYER)
    assert scene.played.notices == (
        "The five of hearts cannot come again from the last shoe, so this one is taken as freshly shuffled.",
    )
    assert scene.played.carried["seen"] == ["5H"] and scene.played.carried["commission"] == {"3": "2"}
    twice = Scene(GAME, rules).now(carried=carried).deal(HOUSE, "7H", hand=PLAYER).deal(HOUSE, "7H", hand=BANKER)
    assert not twice.played.notices
    (fault,) = twice.played.faults
    assert fault.words.startswith("Banker cannot have the seven of hearts: 2 sevens of hearts seen in 1 deck")
    assert twice.played.carried["seen"] == ["5H", "6H", "7H"]


def test_a_shoe_with_too_few_cards_is_shuffled_when_cards_come() -> None:
    rules = USUAL.with_values({"decks": 1})
    seen = [card for card in FULL_PACK if card.rank != "K"]
    scene = Scene(GAME, rules).now(carried=as_carried(seen, {}, ()))
    assert scene.played.step == "The shoe holds 4 cards, too few for a coup: shuffle."
    scene.deal(HOUSE, "KC", hand=PLAYER)
    assert scene.played.carried["seen"] == ["KC"] and scene.played.notices


def test_a_shuffle_that_the_table_knows_of_begins_a_new_shoe_and_scoreboard() -> None:
    carried = {"seen": ["5H"], "coups": ["banker", "tie"], "commission": {"2": "1"}}
    scene = Scene(GAME, USUAL).now(carried=carried)
    assert values(scene.played)["cards-left"] == "415" and len(scene.played.grids[0].cells) == 2
    scene.now(carried={**carried, "shuffled": True})
    assert values(scene.played)["cards-left"] == "416" and not scene.played.grids[0].cells
    assert scene.played.carried == {"seen": [], "coups": [], "commission": {"2": "1"}}


def test_a_coup_called_off_gives_the_bets_back_even_when_the_cards_are_cleared() -> None:
    scene = coup(table((2, "banker", "20")), "6C KC", "7C KD").tell({"op": "call-off"}).clear()
    final = scene.played
    assert (final.phase, final.faults, final.net, final.carried["commission"]) == ("over", (), {HOUSE: 0, 2: 0}, {})
    assert final.carried["coups"] == []


def test_the_scoreboard_shows_the_coup_as_soon_as_it_is_decided() -> None:
    scene = Scene(GAME, USUAL).now(carried={"coups": ["tie", "banker", "banker", "tie", "player natural"]})
    coup(scene, "4C 4D", "KH 9D")
    beads, road = scene.played.grids
    assert beads.cells[-1] == GridCell(
        0, 5, "banker", "Banker wins with a natural, pair of Player", ("player-pair", "natural")
    )
    assert [(it.column, it.row, it.kind, it.marks) for it in road.cells] == [
        (0, 0, "banker", ("ties-1",)),
        (0, 1, "banker", ("ties-1",)),
        (1, 0, "player", ("natural",)),
        (2, 0, "banker", ("player-pair", "natural")),
    ]


def test_ties_before_the_first_win_are_shown_on_the_big_road() -> None:
    _, road = Scene(GAME, USUAL).now(carried={"coups": ["tie", "tie"]}).played.grids
    assert road.cells == (GridCell(0, 0, "tie", "Tie", ("ties-2",)),)


@pytest.mark.parametrize(
    "carried",
    [
        {"seen": ["5H"] * 9},
        {"seen": "5H"},
        {"seen": ["XX"], "coups": ["banker"]},
        {"commission": {"two": "1", "99": "1", "3": "-1", "4": None}, "coups": ["whist", "", "banker sideways"]},
    ],
)
def test_what_cannot_be_carried_is_taken_as_a_fresh_shoe(carried: dict[str, Any]) -> None:
    start = read_start(USUAL, carried)
    assert (start.seen, dict(start.commission), start.history) == ((), {}, ())


# Whole coups, as a camera sees them


def watched(table: Table, carried: dict[str, Any], bets: list[ops.Operation], random: Random) -> Played:
    """A coup of `Table`'s on the table: bets said, cards seen, payments said or taken from the clearing."""
    scene = Scene(GAME, table.state.rules).now(carried=carried)
    for operation in bets:
        scene.tell(LOG.as_dict(operation))
    paid = random.random() < 0.5
    while not table.state.finished:
        before = len(table.operations)
        table.step()
        for operation in table.operations[before:]:
            match operation:
                case ops.Deal(side, card) | ops.Draw(side, card):
                    scene.deal(HOUSE, str(card), hand=list(type(side)).index(side) + 1)
                case ops.Settle() if not paid:
                    pass
                case ops.ClearCards():
                    scene.clear()
                case ops.CloseBets() if random.random() < 0.5:
                    pass
                case _:
                    scene.tell(LOG.as_dict(operation))
        assert not drive(scene.rules, scene.story).faults
    return scene.played


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_whole_coups_seen_on_the_table_come_to_what_was_played(table: Table, seed: int, coups: int) -> None:
    """The log worked out from cards and bets is the log of the coup, coup after coup, commission carried on."""
    random = Random(seed)
    carried = as_carried(table.state.seen, table.state.commission, ())
    for number in range(coups):
        start = Round.start(table.state.rules, seen=table.state.seen, commission=dict(table.state.brought))
        bets: list[ops.Operation] = [ops.PlaceBet(it.seat, it.amount, it.bet) for it in table.state.bets]
        table.operations.clear()
        played = watched(table, carried, bets, random)
        final = table.state
        assert list(played.operations) == [LOG.as_dict(it) for it in (*bets, *table.operations)]
        again = replay(start.rules, map(LOG.from_dict, played.operations), seen=start.seen, commission=start.commission)
        assert again == final and played.phase == "over" and sum(played.net.values()) == 0
        carried = json.loads(json.dumps(dict(played.carried)))
        read = read_start(final.rules, carried)
        assert (read.seen, dict(read.commission)) == (final.known_cards, final.commission)
        assert len(read.history) <= number + 1
        table = Table(final.following(), table.shoe)
        table.do(ops.PlaceBet(1, final.rules.minimum, Bet.BANKER))
