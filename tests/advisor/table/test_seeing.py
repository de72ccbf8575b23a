"""From cards that lie somewhere to whose they are: by nearness, without any calibration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

from table_stand_ins import HEIGHT, WIDTH, Card, Watched

from advisor.games.catalogue import game
from advisor.games.contract import Place
from advisor.table import SeeingMemory, Table, begin, see
from advisor.table.changes import AddCard, CardCame, MoveCard, NameCard, RemoveCard
from advisor.table.state import lying as lying_now
from vision.felt import Calibration, calibrate_corners, load_layout
from vision.sightings import CardSighting, Point

RIGHT, MIDDLE, LEFT = 1000.0, 640.0, 280.0
LOW, HIGH = 520.0, 120.0


def dealt() -> tuple[Card, ...]:
    """Two seats and the dealer: the right one has 10-7, the left one a pair of eights."""
    return (
        Card(1, "10H", RIGHT, LOW),
        Card(2, "8S", LEFT, LOW),
        Card(3, "6D", MIDDLE, HIGH),
        Card(4, "7C", RIGHT + 22, LOW - 18),
        Card(5, "8D", LEFT + 22, LOW - 18),
        Card(6, "back", MIDDLE + 80, HIGH),
    )


def test_seats_are_numbered_in_the_order_of_the_deal() -> None:
    table = Watched()
    table.deal(*dealt())
    assert table.lies() == {"10H": (1, 1), "7C": (1, 1), "8S": (2, 1), "8D": (2, 1), "6D": (0, 1), "back": (0, 1)}
    assert table.played.step == "Seat 1: hit, stand, double or surrender?"


def test_cards_seen_all_at_once_are_numbered_from_the_dealers_left() -> None:
    table = Watched()
    table.see(*reversed(dealt()))
    assert table.lies()["10H"] == (1, 1)
    assert table.lies()["8S"] == (2, 1)


def test_a_dealer_at_the_bottom_has_his_left_at_the_left() -> None:
    table = Watched(table=Table(WIDTH, HEIGHT, side="bottom"))
    turned = [Card(c.card, c.face, WIDTH - c.x, HEIGHT - c.y) for c in dealt()]
    table.see(*turned)
    assert table.lies()["10H"] == (1, 1)
    assert table.lies()["6D"] == (0, 1)


def test_a_hit_a_reveal_and_a_draw_lead_to_the_payment() -> None:
    table = Watched()
    table.deal(*dealt())
    cards = [*dealt(), Card(7, "2C", LEFT + 44, LOW - 36)]
    table.see(*cards)
    assert table.lies()["2C"] == (2, 1)
    cards[5] = Card(6, "10C", MIDDLE + 80, HIGH)
    table.see(*cards)
    assert table.played.step.startswith("Draw")
    table.see(*cards, Card(8, "KD", MIDDLE + 160, HIGH))
    assert [str(hand.payment.amount) for hand in table.played.hands if hand.payment] == ["5", "5"]
    assert table.played.faults == ()


def test_a_pair_drawn_apart_is_a_split_numbered_from_the_dealers_left() -> None:
    table = Watched()
    table.deal(*dealt())
    cards = list(dealt())
    cards[4] = Card(5, "8D", LEFT + 160, LOW)
    table.see(*cards)
    assert table.lies()["8D"] == (2, 1)
    assert table.lies()["8S"] == (2, 2)
    assert [hand.title for hand in table.played.hands] == ["Seat 1", "Seat 2, hand 1", "Seat 2, hand 2"]
    table.see(*cards, Card(7, "3C", LEFT + 20, LOW - 18))
    assert table.lies()["3C"] == (2, 2)


def test_a_pair_dealt_a_little_apart_is_no_split() -> None:
    table = Watched()
    table.deal(*dealt()[:4], Card(5, "8D", LEFT + 110, LOW), dealt()[5])
    assert table.lies()["8D"] == (3, 1)  # without a calibration, a card by itself is a new hand
    table.make(MoveCard(card=5, seat=2))
    table.see(*dealt()[:4], Card(5, "8D", LEFT + 112, LOW), dealt()[5])
    assert [hand.title for hand in table.played.hands] == ["Seat 1", "Seat 2"]


def test_a_pair_drawn_less_than_a_hands_gap_apart_is_a_split_too_but_no_pair_put_straight() -> None:
    """An outline may be found a quarter too large, and takes from the gap that is there."""
    table = Watched()
    table.deal(*dealt())
    straight = Card(5, "8D", LEFT + 74, LOW)
    table.see(*dealt()[:4], straight, dealt()[5])
    assert table.lies()["8D"] == table.lies()["8S"] == (2, 1)
    table.see(*dealt()[:4], replace(straight, x=LEFT + 86), dealt()[5])
    assert {table.lies()["8D"], table.lies()["8S"]} == {(2, 1), (2, 2)}


def test_a_card_across_the_others_is_a_double() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), Card(7, "3H", RIGHT + 40, LOW - 40, across=True))
    assert [bet.name for bet in table.played.hands[0].bets] == ["bet", "double"]


def test_a_card_that_slides_over_another_seats_as_all_is_picked_up_stays_its_hands() -> None:
    table = Watched()
    table.deal(*dealt())
    doubled = Card(7, "3H", RIGHT + 40, LOW - 40, across=True)
    table.see(*dealt(), doubled)
    turned = replace(dealt()[5], face="10C")
    cards = [*dealt()[:5], turned, doubled, Card(8, "KD", MIDDLE + 160, HIGH)]
    table.see(*cards)
    owed = [hand.payment for hand in table.played.hands]
    cards[6] = replace(doubled, x=LEFT + 44, y=LOW)
    assert [type(change).__name__ for change in table.see(*cards)] == []
    assert table.lies()["3H"] == (1, 1) and [hand.payment for hand in table.played.hands] == owed


def test_picking_everything_up_ends_the_round_and_the_next_begins() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see()
    assert (table.state.round, table.state.cards) == (2, ())
    assert "10H" in str(table.state.carried["seen"])
    table.see(Card(9, "4C", RIGHT, LOW))
    assert table.state.cards[0].card > 6
    assert table.state.results[0].number == 1


def test_a_new_card_after_the_dealers_were_picked_up_begins_the_next_round() -> None:
    table = Watched()
    table.deal(*dealt())
    left = [card for card in dealt() if card.x == LEFT]
    table.see(*left, Card(9, "4C", RIGHT, LOW))
    table.see(*left, Card(9, "4C", RIGHT, LOW))
    assert table.state.round == 2
    assert set(table.lies()) == {"4C"}
    assert len(table.state.left_over) == len(left)
    table.see(Card(9, "4C", RIGHT, LOW))
    assert table.state.left_over == frozenset()


def test_the_camera_does_not_fight_a_correction() -> None:
    table = Watched()
    table.deal(*dealt())
    table.make(NameCard(card=1, label="9H"))
    table.see(*dealt())
    assert table.played.hands[0].total == "hard 16"
    table.make(RemoveCard(card=4))
    assert table.see(*dealt()) == ()
    assert table.played.hands[0].total == "9"


def test_a_third_card_that_came_before_others_had_two_is_asked_about_and_goes_where_it_is_said_to_belong() -> None:
    early = Card(7, "2C", RIGHT + 44, LOW - 36)
    table = Watched()
    first, second, upcard, third, fourth, hole = dealt()
    table.deal(first, second, upcard, third, early, fourth, hole)
    (fault,) = table.played.faults
    assert fault.words == "Seat 1: the two of clubs came before seat 2 had a second card."
    moved, stays = fault.choices
    assert (moved.operation["seat"], stays.operation["seat"]) == (2, 1)
    table.make(MoveCard(card=5, seat=1, hand=1))
    assert table.played.faults == ()
    assert table.played.hands[0].total == "hard 19"


def test_an_early_third_card_is_asked_about_once_however_many_seats_still_wait() -> None:
    table = Watched()
    first, second, upcard, third, fourth, hole = dealt()
    middle = Card(8, "9D", MIDDLE, LOW)
    early, last = Card(7, "2C", RIGHT + 44, LOW - 36), Card(9, "5D", MIDDLE + 22, LOW - 18)
    table.deal(first, middle, second, upcard, third, early, last, fourth, hole)
    assert len([it for it in table.played.faults if "came before" in it.words]) == 1


def test_cards_seen_all_at_once_count_as_dealt_in_turn() -> None:
    table = Watched()
    table.see(*dealt(), Card(7, "2C", RIGHT + 44, LOW - 36))
    assert table.played.faults == ()
    assert table.state.cards[-1].place == Place(1, 1), "the third of the hand, whichever that is"


def test_a_card_that_was_added_while_it_was_hidden_is_not_added_again() -> None:
    table = Watched()
    table.deal(*dealt())
    table.make(AddCard(label="4C", seat=1))
    assert table.played.hands[0].total == "hard 21"
    assert table.see(*dealt(), Card(7, "4C", RIGHT + 44, LOW - 36)) == ()
    assert table.played.hands[0].total == "hard 21"


def test_a_sure_name_is_not_given_up_for_a_doubt() -> None:
    table = Watched()
    table.deal(*dealt())
    assert table.see(Card(1, "?10D", RIGHT, LOW), *dealt()[1:]) == ()


def test_a_sure_name_that_vision_gave_up_is_asked_about() -> None:
    table = Watched()
    table.deal(*dealt())
    before = table.played.hands[0]
    assert before.problems == ()
    table.see(Card(1, "?JD", RIGHT, LOW, given_up=True), *dealt()[1:])
    (held,) = (it for it in lying_now(table.state) if it.label == "JD")
    assert not held.sure and table.played.hands[0].problems != ()


def test_a_guess_whose_rank_is_read_surely_says_so_and_takes_the_sure_name_when_it_comes() -> None:
    table = Watched()
    cards = dealt()
    doubtful = replace(cards[3], face=f"?~{cards[3].face}")
    table.deal(*(doubtful if it is cards[3] else it for it in cards))
    (held,) = (it for it in lying_now(table.state) if it.label == cards[3].face)
    assert (held.sure, held.suit_open) == (False, True)
    assert table.played.hands[0].action is not None and "suit" in table.played.hands[0].problems[0]
    table.see(*cards)
    (held,) = (it for it in lying_now(table.state) if it.label == cards[3].face)
    assert (held.sure, held.suit_open) == (True, False)
    assert table.played.hands[0].problems == ()


def test_a_card_read_as_another_in_the_middle_of_its_hand_stays_one_card_and_is_asked_about() -> None:
    table = Watched()
    table.deal(*dealt())
    # Vision lost card 4 at the moment at which it found card 9 there: a seven of clubs, now a seven of spades.
    other = (*(c for c in dealt() if c.card != 4), Card(9, "7S", RIGHT + 24, LOW - 17))
    table.see(*other)
    assert len(table.state.cards) == len(dealt()) and not any(card.gone for card in table.state.cards)
    assert table.played.hands[0].total == "hard 17"
    assert table.played.hands[0].problems == ("Check what looks like the seven of spades.",)
    assert table.see(*other) == (), "seeing it so again proves nothing"
    table.make(NameCard(card=4, label="7C"))
    assert table.see(*other) == () and table.played.hands[0].problems == ()


def test_a_doubtful_or_hidden_card_read_surely_under_another_number_is_believed() -> None:
    table = Watched()
    cards = [*dealt()[:3], Card(4, "?7S", RIGHT + 22, LOW - 18), *dealt()[4:]]
    table.deal(*cards)
    table.see(*(c for c in cards if c.card != 4), Card(9, "7C", RIGHT + 22, LOW - 18))
    assert table.lies()["7C"] == (1, 1) and table.played.hands[0].problems == ()
    turned = [*(c for c in cards if c.card not in (4, 6)), Card(9, "7C", RIGHT + 22, LOW - 18)]
    table.see(*turned, Card(12, "10C", MIDDLE + 80, HIGH))
    assert table.lies()["10C"] == (0, 1) and sum(c.place.seat == 0 for c in table.state.cards) == 2


def test_a_card_elsewhere_in_the_hand_or_after_all_of_it_went_is_another_card() -> None:
    table = Watched()
    table.deal(*dealt())
    rest = [c for c in dealt() if c.card != 4]
    table.see(*rest, Card(9, "7S", RIGHT + 60, LOW - 50))
    assert sum(c.place.seat == 1 for c in table.state.cards) == 3
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in dealt() if c.card not in (1, 4)), Card(9, "2S", RIGHT, LOW))
    assert all(c.gone for c in table.state.cards if c.card in (1, 4)) and table.state.cards[-1].face == "2S"


def test_after_a_restart_the_cards_that_lie_there_are_known_again() -> None:
    table = Watched()
    table.deal(*dealt())
    table.memory = SeeingMemory()
    again = [Card(card.card + 40, card.face, card.x + 2, card.y - 1) for card in dealt() if card.face != "7C"]
    changes = table.see(*again)
    assert [change.op for change in changes] == ["card-gone"]
    assert table.state.cards[3].gone


def test_a_doubled_card_face_down_does_not_make_the_hand_the_dealers() -> None:
    table = Watched(rules="home")
    table.deal(*dealt()[:5], dealt()[5])
    table.see(*dealt(), Card(7, "back", RIGHT + 44, LOW - 36))
    assert table.lies()["6D"] == (0, 1)
    assert table.lies()["10H"] == (1, 1)


def test_in_punto_banco_the_first_hand_is_the_players() -> None:
    table = Watched("punto-banco", next(iter(game("punto-banco").presets())))
    table.deal(Card(1, "9H", 500, 300), Card(2, "2S", 800, 300), Card(3, "KD", 524, 300), Card(4, "KC", 824, 300))
    assert table.lies() == {"9H": (0, 1), "KD": (0, 1), "2S": (0, 2), "KC": (0, 2)}


def test_face_down_hands_do_not_tell_the_banker_in_pontoon() -> None:
    table = Watched("pontoon", next(iter(game("pontoon").presets())))
    table.see(Card(1, "back", RIGHT, LOW), Card(2, "back", LEFT, LOW), Card(3, "back", MIDDLE, HIGH))
    assert sorted(place.seat for place in table.places().values()) == [0, 1, 2]
    house = next(card for card in table.state.cards if card.place.seat == 0)
    assert house.at == (MIDDLE, HIGH)


def calibrated() -> tuple[Table, Calibration]:
    layout = load_layout("seven-seats")
    width, depth = layout.size
    scale = min(WIDTH / width, HEIGHT / depth) * 0.9
    corners = [(WIDTH / 2 + h.point[0] * scale, 40 + h.point[1] * scale) for h in layout.handles]
    calibration = calibrate_corners(layout, corners, WIDTH, HEIGHT)
    return Table(WIDTH, HEIGHT, layout=layout, calibration=calibration), calibration


def seat_three() -> tuple[Table, Calibration, tuple[float, float]]:
    """A calibrated table, and the middle of where seat 3's cards lie on it."""
    table, calibration = calibrated()
    assert table.layout is not None
    zone = table.layout.zone("seat-cards", 3)
    assert zone is not None
    return table, calibration, zone.shape.centre


def test_with_a_layout_a_card_belongs_to_the_seat_on_whose_area_it_lies() -> None:
    table, calibration = calibrated()
    assert table.layout is not None
    zones = {zone.seat: zone for zone in table.layout.zones if zone.kind == "seat-cards"}
    house = table.layout.zone("house")
    assert house is not None
    places = [(5, zones[5].shape.centre), (2, zones[2].shape.centre), (0, house.shape.centre)]
    cards = []
    for number, (_, centre) in enumerate(places, 1):
        cards.append(lying(calibration, number, f"{number + 1}C", centre))
    watched = Watched(table=table)
    watched.see(*cards)
    assert sorted(watched.lies().values()) == sorted((seat, 1) for seat, _ in places)


def test_a_card_on_the_discards_is_nobodys() -> None:
    table, calibration = calibrated()
    assert table.layout is not None
    pile = table.layout.zone("discards")
    assert pile is not None
    x, y = calibration.to_picture([pile.shape.centre])[0]
    watched = Watched(table=table)
    assert watched.see(Card(1, "10H", x, y)) == ()
    rules = game("blackjack").load("home")
    _, changes = see(SeeingMemory(), [Card(1, "10H", x, y)], begin("blackjack", rules, "home"), Table(WIDTH, HEIGHT))
    assert isinstance(changes[0], CardCame)


def lying(calibration: Calibration, number: int, face: str, at: tuple[float, float], scale: float = 1.0) -> Card:
    """A card on the felt, `scale` times its size, drawn as it would be seen."""
    x, y = at
    w, h = 63.5 / 2 * scale, 88.9 / 2 * scale
    return Drawn(
        number,
        face,
        *calibration.to_picture([at])[0],
        corners=tuple(calibration.to_picture([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)])),
    )


@dataclass(frozen=True)
class Drawn(Card):
    """A card with its own outline, of which so many indices were read."""

    corners: tuple[Point, ...] = ()
    read: int = 1

    @property
    def sighting(self) -> CardSighting:
        return replace(super().sighting, corners=self.corners, indices=(self.corners,) * self.read)


def test_on_a_felt_cards_dealt_to_a_split_hand_are_that_hands() -> None:
    table, calibration = calibrated()
    assert table.layout is not None
    zones = {zone.seat: zone.shape.centre for zone in table.layout.zones if zone.kind == "seat-cards"}
    house = table.layout.zone("house")
    assert house is not None
    (hx, hy), (x, y) = house.shape.centre, zones[4]

    def card(number: int, face: str, dx: float, dy: float = 0.0) -> Card:
        return lying(calibration, number, face, (x + dx, y + dy))

    house_cards = (
        lying(calibration, 2, "6D", (hx - 40, hy)),
        lying(calibration, 4, "back", (hx + 40, hy)),
    )
    watched = Watched(table=table)
    watched.deal(card(1, "8S", -10), house_cards[0], card(3, "8D", 10, 15), house_cards[1])
    split = (card(1, "8S", -60), card(3, "8D", 60), *house_cards)
    watched.see(*split)
    assert {watched.lies()["8S"], watched.lies()["8D"]} == {(4, 1), (4, 2)}
    more = (*split, card(5, "KC", -45, 18), card(6, "5D", 75, 18), card(7, "4H", 85, 36))
    watched.see(*more[:5])
    watched.see(*more[:6])
    watched.see(*more)
    lies = watched.lies()
    assert lies["KC"] == lies["8S"] and lies["5D"] == lies["4H"] == lies["8D"]


def test_a_long_hand_that_reaches_into_the_next_seats_area_stays_that_seats() -> None:
    table, calibration = calibrated()
    assert table.layout is not None
    layout = table.layout
    zones = {zone.seat: zone.shape.centre for zone in layout.zones if zone.kind == "seat-cards"}
    (x, y), (to_x, to_y) = zones[4], zones[5]
    away = dist(zones[4], zones[5])

    def card(number: int, face: str, along: float) -> Card:
        return lying(calibration, number, face, (x + along * (to_x - x) / away, y + along * (to_y - y) / away))

    def area(one: Card) -> int | None:
        zone = layout.spot_of(calibration.to_felt(one.sighting.corners))
        return None if zone is None else zone.seat

    neighbours = (card(1, "9C", away), card(2, "9D", away + 12))
    faces = ("2H", "AC", "2S", "AH", "3H", "5H", "2C", "3C")
    hand = [card(3 + k, face, 25.0 * k) for k, face in enumerate(faces)]
    into = next(k for k, one in enumerate(hand) if area(one) == 5)
    assert into >= 3
    watched = Watched(table=table)
    watched.deal(*neighbours, *hand[: into + 1])
    lies = watched.lies()
    assert {lies[face] for face in faces[: into + 1]} == {(4, 1)}
    assert lies["9C"] == lies["9D"] == (5, 1)


def test_what_is_not_of_a_cards_size_is_nobodys() -> None:
    table, calibration, place = seat_three()
    watched = Watched(table=table)
    assert watched.see(lying(calibration, 1, "back", place, scale=2.2)) == ()
    assert len(watched.see(lying(calibration, 2, "10H", place))) == 1


def test_a_card_that_is_named_at_two_corners_is_one_though_its_outline_is_small() -> None:
    """The outline of one that lies across others may be found as half of it: it was passed over without a word."""
    table, calibration, place = seat_three()
    half = lying(calibration, 1, "AD", place, scale=0.5)
    assert isinstance(half, Drawn)
    assert Watched(table=table).see(half) == ()
    large = lying(calibration, 1, "AD", place, scale=2.2)
    assert isinstance(large, Drawn)
    assert Watched(table=table).see(replace(large, read=2)) == ()
    (came,) = Watched(table=table).see(replace(half, read=2))
    assert isinstance(came, CardCame) and (came.seat, came.face) == (3, "AD")


def test_a_card_that_is_named_at_two_corners_is_one_though_its_outline_holds_the_one_beneath_too() -> None:
    """A double laid across was dropped without a word, and what it won was owed once."""
    table, calibration, place = seat_three()
    both = lying(calibration, 1, "9H", place, scale=1.7)
    assert isinstance(both, Drawn)
    assert Watched(table=table).see(both) == ()
    assert len(Watched(table=table).see(replace(both, read=2))) == 1


def test_a_marker_is_no_card() -> None:
    table, calibration = calibrated()
    assert table.layout is not None and table.layout.markers
    marker = table.layout.markers[0]
    watched = Watched("punto-banco", "eight-deck", table=replace(table, seats_hold_cards=False, house_hands=2))
    assert watched.see(lying(calibration, 1, "?8C", marker.centre)) == ()


def test_a_card_that_comes_after_the_dealer_turned_his_is_left_out_and_said_until_somebody_says_it_lies_right() -> None:
    table = Watched()
    table.deal(*dealt())
    cards = [*dealt()[:5], Card(6, "KC", MIDDLE + 80, HIGH)]
    table.see(*cards)
    late = Card(7, "5H", RIGHT + 44, LOW - 36)
    table.see(*cards, late)
    assert table.played.hands[0].total == "hard 17"
    (fault,) = table.played.faults
    assert fault.words == "Seat 1: the five of hearts came after the dealer had gone on to his own hand."
    assert [choice.words for choice in fault.choices] == ["It is not there", "It was dealt before"]
    table.make(MoveCard(card=7, seat=1, hand=1))
    assert table.played.faults == ()
    assert table.played.hands[0].total == "bust 22"
