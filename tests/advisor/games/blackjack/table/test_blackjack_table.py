"""A round follows itself: what a camera sees of it is enough to know where it stands and what is owed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from round_driver import Driver
from round_strategies import any_operation, round_rules, tables
from story_of import stories

from advisor.games.blackjack import HouseRules
from advisor.games.blackjack.round import Operation, Round, as_dict, operation_from_dict, replay
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.table import GAME
from advisor.games.cards import FULL_PACK, cards_text
from advisor.games.contract import Carried, Lying, Place, Played, Story, Told

SOME = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
HOME = HouseRules()


def carried_to(round_: Round) -> Carried:
    return {"seen": cards_text(round_.seen), "shuffled": round_.new_shuffle}


@SOME
@given(tables())
def test_what_is_seen_leads_to_the_same_money_and_is_never_wrong_on_the_way(table: Driver) -> None:
    final = table.finish()
    seen = list(stories(table.operations, carried_to(final)))
    for story in seen[:-1:3]:
        assert GAME.play(final.rules, story).faults == ()
    shown = GAME.play(final.rules, seen[-1])
    assert (shown.phase, shown.faults) == ("over", ())
    assert dict(shown.net) == {seat.number: final.net(seat.number) for seat in final.seats}
    again = replay(
        final.rules, map(operation_from_dict, shown.operations), seen=final.seen, new_shuffle=final.new_shuffle
    )
    assert again.house_net == final.house_net


def lay(*cards: str) -> Story:
    """Cards in the order in which they came: "2:10H" to seat 2, "0:back" to the dealer, "3.2:8C" to a second hand.

    "+" before the face lies crosswise, "?" is a guess ("?~" at the suit alone), "-" was picked up again, "^" was
    dealt face down.
    """
    lying = []
    for number, text in enumerate(cards, 1):
        where, face = text.split(":")
        seat, _, hand = where.partition(".")
        label = face.lstrip("+?~-^")
        marks = face[: len(face) - len(label)]
        lying.append(
            Lying(
                number,
                Place(int(seat), int(hand or 1)),
                None if label in ("back", "") else label,
                up=label != "back",
                sure="?" not in marks and label != "",
                suit_open="~" in marks,
                crosswise="+" in marks,
                gone="-" in marks,
                turned="^" in marks,
            )
        )
    return Story(tuple(lying))


def tell(story: Story, *operations: Operation) -> Story:
    told = [Told(100 + at, as_dict(operation), len(story.cards)) for at, operation in enumerate(operations)]
    return replace(story, told=(*story.told, *told))


START = ("1:10H", "2:8S", "0:6D", "1:7C", "2:8D", "0:back")


def test_nothing_on_the_felt_asks_for_bets() -> None:
    shown = GAME.play(HOME, Story())
    assert (shown.phase, shown.faults) == ("bets", ())
    assert shown.step.startswith("Take the bets")


def test_seats_whose_chips_lie_there_stay_in_until_the_deal_has_gone_past_them() -> None:
    laid = {1: Fraction(30), 2: Fraction(20), 4: Fraction(10)}

    def shown(*cards: str) -> tuple[str, dict[int, Fraction]]:
        played = GAME.play(HOME, replace(lay(*cards), laid=laid))
        assert played.faults == ()
        return played.step, {hand.place.seat: hand.bets[0].amount for hand in played.hands}

    assert shown("1:10H") == ("Deal to seat 2.", laid)
    assert shown("2:10H") == ("Deal to seat 4.", {2: 20, 4: 10})
    assert shown("1:10H", "2:8S") == ("Deal to seat 4.", laid)
    assert shown("1:10H", "2:8S", "0:6D") == ("Deal a second card to seat 1.", {1: 30, 2: 20})
    assert shown("1:10H", "1:8S") == ("Deal the dealer one card.", {1: 30})
    assert shown("1:10H", "2:8S", "0:6D", "4:7C")[1] == laid


def test_a_seat_that_said_nothing_bets_its_usual_amount_and_that_is_marked() -> None:
    shown = GAME.play(HOME, replace(lay(*START), usual_bets={2: Fraction(20)}))
    assert [[(bet.amount, bet.assumed) for bet in hand.bets] for hand in shown.hands] == [[(5, True)], [(20, True)]]
    told = GAME.play(HOME, tell(lay(*START), ops.PlaceBet(1, Fraction(15))))
    assert [(bet.amount, bet.assumed) for bet in told.hands[0].bets] == [(15, False)]


def test_a_bet_that_cannot_be_is_said_and_the_round_goes_on() -> None:
    shown = GAME.play(HOME, tell(lay(*START), ops.PlaceBet(1, Fraction(3))))
    assert "under the minimum of 5" in shown.faults[0].words
    assert shown.phase == "play"


def test_the_first_hand_is_asked_and_every_hand_has_advice() -> None:
    shown = GAME.play(HOME, lay(*START))
    assert (shown.step_place, shown.phase) == (Place(1), "play")
    assert [(hand.action, hand.active) for hand in shown.hands] == [("stand", True), ("split", False)]
    assert [choice.words for choice in shown.choices[:2]] == ["Stands", "Doubles"]


def test_a_dealers_blackjack_counts_though_its_second_card_was_never_seen_face_down() -> None:
    cards = ("1:10H", "2:8S", "0:AC", "1:7C", "2:8D", "0:QH")
    shown = GAME.play(HOME, lay(*cards))
    assert (shown.phase, shown.faults) == ("settle", ())
    cleared = lay(*(text.replace(":", ":-") for text in cards))
    over = GAME.play(HOME, replace(cleared, cleared=True))
    assert (over.phase, over.faults, dict(over.net)) == ("over", (), {1: -5, 2: -5})


def test_a_hole_card_under_the_dealers_hand_lies_there_once_something_later_is_said() -> None:
    """The dealer's hand rested on the back from the deal to the end of insurance: no reader can have seen it."""
    unseen = ("1:10H", "2:8S", "0:AC", "1:7C", "2:8D")
    shown = GAME.play(HOME, lay(*unseen))
    assert shown.step.startswith("Deal the dealer's hole card")
    assert [choice.words for choice in shown.choices[:1]] == ["It lies there"]
    there = GAME.play(HOME, tell(lay(*unseen), operation_from_dict(shown.choices[0].operation)))
    assert there.step.startswith("Offer insurance") and there.faults == ()
    insured = tell(lay(*unseen), ops.Insure(1, Fraction(2)))
    shown = GAME.play(HOME, insured)
    assert shown.step.startswith("Check that each insurance bet") and shown.faults == ()
    # It is turned up: the same insurance, paid two for one.
    turned = lay(*unseen, "0:QH")
    shown = GAME.play(HOME, replace(turned, told=insured.told))
    assert (shown.phase, shown.faults) == ("settle", ())
    cleared = replace(lay(*(f"{it[:2]}-{it[2:]}" for it in (*unseen, "0:QH"))), cleared=True, told=insured.told)
    assert dict(GAME.play(HOME, cleared).net) == {1: -1, 2: -5}
    # Or it shows face down after all: it is the one that was told of.
    seen = replace(lay(*unseen, "0:back"), told=tell(lay(), ops.DealDealer(None)).told)
    assert GAME.play(HOME, seen).faults == () and GAME.play(HOME, seen).step.startswith("Offer insurance")


def test_a_guess_at_the_hole_card_ends_no_round() -> None:
    shown = GAME.play(HOME, lay("1:10H", "2:8S", "0:AC", "1:7C", "2:8D", "0:?QH"))
    assert shown.step.startswith("Offer insurance")


def test_the_upcard_of_two_that_were_dealt_face_down_leaves_the_players_their_turns() -> None:
    shown = GAME.play(HOME, lay("1:10H", "2:8S", "0:^6C", "1:7C", "2:8D", "0:back"))
    assert (shown.phase, shown.step_place) == ("play", Place(1))


def test_a_card_to_the_second_seat_says_that_the_first_stood() -> None:
    shown = GAME.play(HOME, lay(*START, "2:2C"))
    assert shown.hands[0].why == ("Stands.",)
    assert shown.step_place == Place(2)


def test_a_late_card_to_the_first_seat_is_no_fault() -> None:
    shown = GAME.play(HOME, lay(*START, "2:2C", "1:3C"))
    assert shown.faults == ()
    assert [hand.total for hand in shown.hands] == ["hard 20", "hard 18"]


def test_a_card_at_a_right_angle_doubles_the_bet() -> None:
    shown = GAME.play(HOME, lay("1:6H", "0:6D", "1:5C", "0:back", "1:+9C"))
    assert [(bet.name, bet.amount) for bet in shown.hands[0].bets] == [("bet", 5), ("double", 5)]
    assert shown.step.startswith("Reveal")


def test_two_hands_in_a_seat_are_a_split() -> None:
    shown = GAME.play(HOME, lay("1:8S", "0:6D", "1.2:8D", "0:back"))
    assert [hand.title for hand in shown.hands] == ["Seat 1, hand 1", "Seat 1, hand 2"]
    assert shown.step == "Deal the second card to seat 1, hand 1."


def test_two_hands_that_are_no_pair_are_said_to_be_wrong() -> None:
    shown = GAME.play(HOME, lay("1:8S", "0:6D", "1.2:9D", "0:back", "1.2:2D"))
    assert shown.faults[0].words == "Seat 1: two hands lie here, but hard 17 cannot be split."
    assert shown.faults[0].choices[0].operation == {"op": "move-card", "card": 3, "seat": 1, "hand": 1}


def test_a_back_that_went_from_a_seat_alone_was_none() -> None:
    """A sleeve was taken for a card face down for half a second, and the seat waited for it to be turned."""
    shown = GAME.play(HOME, lay("1:10H", "0:6D", "1:7C", "0:back", "1:-back"))
    assert shown.faults == () and shown.hands[0].total == "hard 17"
    before = GAME.play(HOME, lay("1:-back", "1:10H", "0:6D", "1:7C", "0:back"))
    assert before.faults == () and before.hands[0].total == "hard 17"
    story = lay("1:6H", "0:6D", "1:5C", "0:back", "1:-+back")
    gone = replace(story, cards=tuple(replace(it, gone=it.place.seat == 1) for it in story.cards))
    assert [bet.name for bet in GAME.play(HOME, gone).hands[0].bets] == ["bet", "double"], "picked up with its hand"


def test_a_hole_card_that_is_taken_up_before_the_upcard_was_one_all_the_same() -> None:
    story = lay("1:-10H", "0:6D", "1:-6C", "0:-back", "1:-KC")
    told = tuple(replace(it, came_at=at, gone_at=6 + at if it.gone else 0) for at, it in enumerate(story.cards, 1))
    kept = (*told[:3], replace(told[3], gone_at=6), told[4])
    shown = GAME.play(HOME, replace(story, cards=kept))
    assert [card.lies for card in shown.house[0].cards] == ["up", "down"]


def test_a_face_where_a_doubled_card_lay_and_was_lost_is_that_card_turned() -> None:
    """A double's back was lost six moves before it was turned up: the face came "after the dealer had gone on"."""
    story = lay("1:6H", "0:6D", "1:5C", "0:back", "1:-back", "0:^10S", "0:KC", "1:10D")
    hole = replace(story.cards[3], up=True, label="10S", turned=True, came_at=4, turned_at=7)
    double = replace(story.cards[4], came_at=5, gone_at=6)
    draw, face = replace(story.cards[6], came_at=8), replace(story.cards[7], came_at=9)
    first = tuple(replace(it, came_at=at) for at, it in enumerate(story.cards[:3], 1))
    shown = GAME.play(HOME, replace(story, cards=(*first, hole, double, draw, face)))
    assert shown.faults == ()
    assert [bet.name for bet in shown.hands[0].bets] == ["bet", "double"] and shown.hands[0].total == "hard 21"
    hit = replace(face, came_at=7)
    early = replace(story, cards=(*first, replace(story.cards[3]), double, hit))
    assert [bet.name for bet in GAME.play(HOME, early).hands[0].bets] == ["bet"], (
        "before the dealer went on it is a hit"
    )


def test_a_back_that_went_from_the_dealers_hand_alone_was_none() -> None:
    """The hole card was seen twice while it was laid down; then every draw came "after the dealer had gone on"."""
    story = lay("1:10H", "0:6D", "1:5C", "0:-back", "0:back", "1:2C")
    told = tuple(replace(it, came_at=at, gone_at=6 if it.gone else 0) for at, it in enumerate(story.cards, 1))
    later = (*told[:5], replace(told[5], came_at=7))
    shown = GAME.play(HOME, replace(story, cards=later))
    assert shown.faults == () and shown.hands[0].total == "hard 17"


def test_a_back_that_another_card_of_its_hand_came_after_was_none() -> None:
    """Two chips that a player pushed forward were taken for a card face down, gone before the lost hand was."""
    story = lay("1:9D", "0:6D", "1:4H", "0:back", "1:back", "1:KS", "0:^7S", "0:4C")

    def taken_up(back_at: int) -> Played:
        cards = (replace(it, gone=it.place.seat == 1, gone_at=8 if it.up else back_at) for it in story.cards)
        return GAME.play(HOME, replace(story, cards=tuple(cards)))

    assert taken_up(7).faults == () and taken_up(7).hands[0].total == "bust 23"
    assert taken_up(8).faults, "picked up with its hand: it may have been a card in a lamp's glare"


def test_a_pair_that_was_drawn_apart_says_what_its_doubtful_card_is() -> None:
    """A queen in odd letters, of which the next card leaves the corner to be seen, and that looks like a nine."""
    shown = GAME.play(HOME, lay("1:?9S", "0:6D", "1.2:JC", "0:back", "1:9D", "1.2:7C"))
    assert [hand.total for hand in shown.hands] == ["hard 19", "hard 17"]
    assert not [fault for fault in shown.faults if "split" in fault.words]
    sure = GAME.play(HOME, lay("1:9S", "0:6D", "1.2:JC", "0:back", "1:9D"))
    assert "cannot be split" in sure.faults[0].words, "what was read surely stays"
    alike = GAME.play(HOME, lay("1:?", "0:6D", "1.2:8C", "0:back"))
    assert len(alike.hands) == 2


def test_the_dealer_who_draws_on_seventeen_is_told() -> None:
    shown = GAME.play(HOME, lay("1:10H", "0:10D", "1:9C", "0:^7S", "0:4C"))
    assert [fault.words for fault in shown.faults] == [
        "The four of clubs is one too many: the dealer takes no more cards."
    ]
    assert shown.hands[0].payment is not None
    assert shown.hands[0].payment.amount == 5


def test_an_unsure_card_is_asked_about_and_gets_no_advice() -> None:
    shown = GAME.play(HOME, lay("1:10H", "0:6D", "1:?7C", "0:back"))
    assert shown.hands[0].action is None
    assert shown.hands[0].problems == ("Check what looks like the seven of clubs.",)


def test_where_only_the_suit_is_open_the_advice_stands_and_the_suit_is_asked_about() -> None:
    sure = GAME.play(HOME, lay("1:10H", "0:6D", "1:7C", "0:back")).hands[0]
    shown = GAME.play(HOME, lay("1:10H", "0:6D", "1:?~7C", "0:back")).hands[0]
    assert (shown.action, shown.values) == (sure.action, sure.values) and shown.action is not None
    assert shown.problems == ("Check the suit of what looks like the seven of clubs.",)
    assert shown.cards[1].lies == "unsure"


def test_a_guess_at_a_card_that_lies_elsewhere_is_taken_for_another_of_its_value_and_refuses_none() -> None:
    """In a game of one pack an ace looked like the seven of diamonds, which the dealer then turned up."""
    one = HouseRules(decks=1)
    shown = GAME.play(one, lay("1:?JC", "2:9S", "0:6D", "1:2H", "2:8H", "0:back", "2:JC"))
    assert shown.faults == ()
    assert [card.label for card in shown.hands[0].cards] == ["JS", "2H"]
    assert shown.hands[0].problems == ("Check what looks like the jack of spades.",)
    seen = {"seen": "JC JS JD JH"}
    ten = GAME.play(one, replace(lay("1:?JC", "0:6D", "1:2H", "0:back"), carried=seen))
    assert ten.faults == () and ten.hands[0].cards[0].label == "10C"
    two = GAME.play(HouseRules(decks=2), lay("1:?JC", "2:9S", "0:6D", "1:2H", "2:JC", "0:back"))
    assert two.hands[0].cards[0].label == "JC", "two packs hold two"


def test_a_card_nobody_can_read_holds_the_round_up() -> None:
    shown = GAME.play(HOME, lay("1:10H", "0:6D", "1:", "0:back"))
    assert shown.faults[0].words == "Seat 1: a card could not be read: say what it is."


def test_cards_of_another_shoe_are_taken_as_a_shuffle() -> None:
    one = HouseRules(decks=1)
    shown = GAME.play(one, replace(lay("1:10H", "0:6D"), carried={"seen": "10H 2C"}))
    assert shown.faults == ()
    assert "shuffled" in shown.notices[0]


def test_a_card_misread_as_another_of_the_round_hides_no_shuffle() -> None:
    seen = {"seen": "9C 4H"}
    shown = GAME.play(HouseRules(decks=1), replace(lay("1:QC", "2:4H", "0:6D", "1:9D", "2:QC"), carried=seen))
    assert not shown.faults, "the four is of the new shoe; the queen lies there twice, and one of the two is doubtful"
    assert "shuffled" in shown.notices[0]
    same = GAME.play(HouseRules(decks=1), replace(lay("1:QC", "2:4D", "0:6D", "1:9D", "2:QC"), carried=seen))
    assert not same.faults
    assert not any("shuffled" in notice for notice in same.notices)


def test_a_suit_misread_refuses_no_card() -> None:
    shown = GAME.play(HouseRules(decks=1), lay("1:7S", "2:4D", "0:6D", "1:9D", "2:7S"))
    assert not shown.faults
    assert shown.hands[1].total == "hard 11"
    assert [card.label for card in shown.hands[1].cards] == ["4D", "7C"]
    assert shown.hands[1].problems == ("Check what looks like the seven of clubs.",)
    assert not shown.hands[0].problems


def test_of_two_cards_alike_in_one_pack_the_one_that_nobody_named_is_doubtful() -> None:
    story = lay("1:7S", "2:4D", "0:6D", "1:9D", "2:7S")
    named = replace(story, cards=(*story.cards[:4], replace(story.cards[4], named=True)))
    shown = GAME.play(HouseRules(decks=1), named)
    assert not shown.hands[1].problems
    assert shown.hands[0].problems == ("Check what looks like the seven of clubs.",)
    both = replace(named, cards=(replace(named.cards[0], named=True), *named.cards[1:]))
    assert [fault.card for fault in GAME.play(HouseRules(decks=1), both).faults] == [5]


def test_a_card_that_went_before_its_like_came_may_be_the_same_one() -> None:
    story = lay("1:7S", "2:4D", "0:6D", "1:9D", "2:7S")
    first = replace(story.cards[0], gone=True, came_at=1, gone_at=4)
    moved = replace(story, cards=(first, *story.cards[1:4], replace(story.cards[4], came_at=5)))
    shown = GAME.play(HouseRules(decks=1), moved)
    assert [card.label for card in shown.hands[1].cards][-1] == "7S"


def test_the_same_card_twice_in_one_pack_is_a_fault() -> None:
    shown = GAME.play(HouseRules(decks=1), lay("1:10H", "0:6D", "1:10H"))
    assert "ten" in shown.faults[0].words
    assert shown.faults[0].card == 3


def test_a_blackjack_is_paid_while_the_dealer_plays_on() -> None:
    shown = GAME.play(HOME, lay("1:AH", "2:9S", "0:6D", "1:KC", "2:7D", "0:back"))
    assert shown.step == "Seat 1: blackjack. Pay 7.50 now (3:2 on 5)."
    assert shown.choices[0].words == "Paid"


def test_cards_cleared_before_the_end_give_the_bets_back() -> None:
    story = replace(lay("1:-10H", "0:-6D", "1:-9H", "0:-back"), cleared=True)
    shown = GAME.play(HOME, story)
    assert shown.phase == "over"
    assert "cleared before the round was finished" in shown.faults[0].words
    assert dict(shown.net) == {1: 0}


def test_a_doubled_card_face_down_is_turned_at_the_end() -> None:
    rules = HouseRules(doubled_card_face_down=True)
    down = ("1:6H", "0:10D", "1:5C", "0:^8S", "1:back")
    assert GAME.play(rules, lay(*down)).step == "Turn the doubled card of seat 1."
    up = GAME.play(rules, lay("1:6H", "0:10D", "1:5C", "0:^8S", "1:^9C"))
    assert up.hands[0].payment is not None
    assert up.hands[0].payment.amount == 10


def test_a_doubled_card_that_was_turned_up_counts_whoever_is_paid_first() -> None:
    rules = HouseRules(doubled_card_face_down=True)
    bets = [ops.PlaceBet(seat, Fraction(20)) for seat in (1, 2)]

    def at_the_end(doubled: str, hole: str, *drawn: str) -> Played:
        cards = ("1:8H", "2:10S", "0:6D", "1:3C", "2:8D", f"0:{hole}", f"1:{doubled}", *drawn)
        return GAME.play(rules, tell(lay(*cards), *bets, ops.Double(1, Fraction(20), 1)))

    bust = at_the_end("^10C", "^10H", "0:9C")
    assert bust.step == "Seat 2 wins, for the dealer is bust: pay 20." and not bust.faults
    assert [hand.payment and hand.payment.amount for hand in bust.hands] == [40, 20]
    still_down = at_the_end("back", "^10H", "0:9C").hands[0]
    assert (still_down.total, still_down.payment) == ("hard 11", None)
    dealer_to_come = at_the_end("^10C", "back").hands[0]
    assert (dealer_to_come.total, dealer_to_come.payment) == ("hard 21", None)


LABELS = st.sampled_from(["10H", "AS", "AC", "8D", "8H", "5C", "JOKER", "6S"]) | st.none()
LYING = st.builds(
    Lying,
    st.integers(1, 30),
    st.builds(Place, st.integers(0, 3), st.integers(1, 3)),
    LABELS,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
SAID = st.builds(Told, st.integers(0, 9), any_operation(st.sampled_from(FULL_PACK)).map(as_dict), st.integers(0, 20))
STORIES = st.builds(
    Story,
    st.lists(LYING, max_size=14, unique_by=lambda card: card.card).map(tuple),
    st.lists(SAID, max_size=5).map(tuple),
    st.sampled_from([{}, {"seen": "10H 10H"}, {"seen": "what"}, {"shuffled": True}]),
    st.just({1: Fraction(10)}),
    st.booleans(),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STORIES, round_rules())
def test_any_story_at_all_is_answered(story: Story, rules: HouseRules) -> None:
    shown = GAME.play(rules, story)
    assert shown.step
    assert shown == GAME.play(rules, story)
    shown_cards = [card.card for hand in (*shown.house, *shown.hands) for card in hand.cards]
    assert sorted(shown_cards) == sorted(card.card for card in story.cards)
    for choice in shown.choices:
        if choice.operation.get("amount") != "":
            GAME.check(rules, choice.operation)
