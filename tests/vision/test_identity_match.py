"""What it costs to take a sighting for a card that is known."""

from __future__ import annotations

from vision.identity_match import fit
from vision.identity_names import Name
from vision.sightings import CardSighting, Quad


def quad(x: float, y: float, wide: float, high: float) -> Quad:
    return ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))


def king(y: float, *marks: Quad) -> CardSighting:
    return CardSighting("card", quad(100, y, 64, 89), "KC", 1.0, {}, marks)


def test_of_two_equal_cards_with_one_index_between_them_a_sighting_is_the_one_where_it_lies() -> None:
    """An index of the lower king was once taken for the upper one's; a hand then hides the upper king."""
    shared, own = quad(104, 204, 8, 12), quad(152, 274, 8, 12)
    upper, lower, seen = king(95, shared), king(200, own), king(200, shared, own)
    name = Name("KC", True, 1.0)
    costs = [fit(held, True, name, seen) for held in (upper, lower)]
    assert costs[0] is not None and costs[1] is not None
    assert costs[1].cost < costs[0].cost


def test_another_cards_guess_beside_a_known_card_does_not_carry_that_card_away() -> None:
    """A hand hid the two of clubs while an eight of spades was laid over it, which one picture left unsure."""
    two, name = CardSighting("card", quad(100, 100, 64, 89), "2C", 0.97), Name("2C", True, 3.0)

    def seen(x: float, label: str, chances: dict[str, float]) -> CardSighting:
        return CardSighting("unsure", quad(x, 100, 64, 89), label, 0.58, chances)

    eight, either = {"8S": 0.58, "6S": 0.2}, {"8C": 0.58, "2C": 0.3}
    assert fit(two, True, name, seen(137, "8S", eight)) is None
    assert fit(two, True, name, seen(112, "8S", eight)) is not None, "just there it is the card, misread"
    assert fit(two, True, name, seen(137, "8C", either)) is not None


def ends(label: str, x: float, y: float, corners: str = "ac") -> CardSighting:
    """A card with the indices in the corners named: a, b, c, d clockwise from its top left."""
    spots = {"a": (4, 4), "b": (52, 4), "c": (52, 73), "d": (4, 73)}
    marks = tuple(quad(x + spots[k][0], y + spots[k][1], 8, 12) for k in corners)
    return CardSighting("card", quad(x, y, 64, 89), label, 1.0, {}, marks)


def test_another_card_laid_close_upon_a_known_one_is_not_that_one_misread() -> None:
    """A five laid on a king that had been read once took its place, and the hand lacked ten. Both ends of both cards
    say where they lie; what shows one index may be drawn a little off."""
    held, name = ends("KH", 100, 100, "acd"), Name("KH", True, 1.0, whole=1)
    assert fit(held, True, name, ends("5D", 111, 92, "abc")) is None
    assert fit(held, True, name, ends("5D", 104, 97)) is not None, "where nothing can be dealt beside it"
    assert fit(held, True, name, ends("KD", 111, 92)) is not None, "a suit of its colour is misread more often"
    assert fit(held, True, name, ends("5D", 111, 92, "a")) is not None


def test_another_card_whose_index_lies_just_on_a_known_ones_is_not_that_one_misread() -> None:
    """The last card of one hand reached over the other hand's first, which had gone on under it: its own was missed."""
    name = Name("3C", True, 3.0)
    three, five = ends("3C", 100, 100), ends("5H", 52, 31)
    assert three.indices[0] == five.indices[1], "in one place"
    assert fit(three, True, name, five) is None
    assert fit(three, True, name, ends("5H", 52, 31, "c")) is not None, "what shows one index may be drawn off"
