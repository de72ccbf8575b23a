"""Everything that can happen at the table, each as a frozen value that is also its own plain form.

A change says what was seen or said and nothing of what follows from it: the state is the fold of the changes
(`advisor.table.fold`), and what a round comes to is worked out from the state by its game. `read_change` reads what a
display sends or a log holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from advisor.games.cards import CardError, parse_card
from advisor.money.amounts import MoneyError, parse_amount

BACK: Final = "back"
UNREAD: Final = "?"
"""How a face that nobody could read is written; a guess has the mark before its label."""
SUIT_OPEN: Final = "?~"
"""What stands before a guess whose rank was read surely, and only its suit was not."""

Seat = Annotated[int, Field(ge=0, le=7)]
"""0 is the house."""
HandNumber = Annotated[int, Field(ge=1, le=8)]
CardNumber = Annotated[int, Field(ge=1)]
Bit = Annotated[int, Field(ge=0, le=1)]
Text = Annotated[str, Field(max_length=80)]


class ChangeError(ValueError):
    """A change that cannot be read or cannot be made now; the message is a sentence."""


class _Change(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @property
    def data(self) -> dict[str, Any]:
        """The change as text and whole numbers; `read_change` reads it back."""
        return self.model_dump(mode="json", exclude_defaults=False)


class CardCame(_Change):
    """A card has come to rest at a hand."""

    op: Literal["card-came"] = "card-came"
    card: CardNumber
    seat: Seat
    hand: HandNumber
    face: str
    """"10H"; "?10H" a guess; "?~10H" a guess at the suit alone; "?" unread; "back"."""
    crosswise: Bit = 0
    x: int = 0
    y: int = 0
    """Its centre, pixels of the camera's picture: what tells equal cards apart after a restart."""


class CardShown(_Change):
    """A card's face is known better than before, or was turned; or it lies otherwise. What was gone is there again."""

    op: Literal["card-shown"] = "card-shown"
    card: CardNumber
    face: str
    crosswise: Bit = 0


class CardLies(_Change):
    """A card lies at another hand than was thought, or has been moved there."""

    op: Literal["card-lies"] = "card-lies"
    card: CardNumber
    seat: Seat
    hand: HandNumber


class CardGone(_Change):
    """A card has been picked up."""

    op: Literal["card-gone"] = "card-gone"
    card: CardNumber


class CardsCleared(_Change):
    """The cards have been picked up, and the round is over."""

    op: Literal["cards-cleared"] = "cards-cleared"


class ChipsKept(_Change):
    """What the chips have told of a round's payouts so far, for a restart; it changes nothing at the table."""

    op: Literal["chips-kept"] = "chips-kept"
    round: Annotated[int, Field(ge=0)]
    places: list[dict[str, str | int]]


class BetsLaid(_Change):
    """What surely lay at the seats' places when the round's first card came."""

    op: Literal["bets-laid"] = "bets-laid"
    bets: dict[str, str]
    """Amounts by seat."""


class NameCard(_Change):
    """Somebody says what a card is; the camera no longer has a say in it."""

    op: Literal["name-card"] = "name-card"
    card: CardNumber
    label: str


class RemoveCard(_Change):
    """Somebody says that no card is there."""

    op: Literal["remove-card"] = "remove-card"
    card: CardNumber


class MoveCard(_Change):
    """Somebody says whose a card is."""

    op: Literal["move-card"] = "move-card"
    card: CardNumber
    seat: Seat
    hand: HandNumber = 1


class AddCard(_Change):
    """Somebody says that a card lies where the camera sees none."""

    op: Literal["add-card"] = "add-card"
    label: str
    seat: Seat
    hand: HandNumber = 1


class Tell(_Change):
    """Somebody says what the camera cannot see: an operation of the game's round."""

    op: Literal["tell"] = "tell"
    operation: dict[str, str | int]


class PayoutFine(_Change):
    """Somebody says that a payout that was found wrong is as it should be, or stays as it lies."""

    op: Literal["found-fine"] = "found-fine"
    seat: Annotated[int, Field(ge=1, le=7)]
    bet: Text = ""
    """The bet that has a place of its own, such as "insurance"; empty for those on the seat's hands."""


class UsualBet(_Change):
    """What a seat is taken to bet where nothing else is said."""

    op: Literal["usual-bet"] = "usual-bet"
    seat: Annotated[int, Field(ge=1, le=7)]
    amount: str


class EndRound(_Change):
    """Somebody ends the round as it stands."""

    op: Literal["end-round"] = "end-round"


class VoidRound(_Change):
    """Somebody says that the round does not count: all bets go back."""

    op: Literal["void-round"] = "void-round"


class Shuffled(_Change):
    """Somebody says that the cards have been shuffled."""

    op: Literal["shuffled"] = "shuffled"


class SetTable(_Change):
    """Another game, other rules or another felt; the round before it ends unfinished."""

    op: Literal["set-table"] = "set-table"
    game: Text
    rules: Text
    """A preset's name, or where the rules came from."""
    values: dict[str, str | int] = Field(default_factory=dict)
    """Every field of the rules, as text or a whole number."""
    layout: Text = ""
    seats: Annotated[int, Field(ge=1, le=7)] = 7
    anew: bool = False
    """Whether everything begins again too: a new shoe, the bank where it was at first, no totals."""


class Undo(_Change):
    """The last thing that somebody said in this round is taken back."""

    op: Literal["undo"] = "undo"


class Redo(_Change):
    """What was taken back last is said again."""

    op: Literal["redo"] = "redo"


Seen = CardCame | CardShown | CardLies | CardGone | CardsCleared | ChipsKept | BetsLaid
"""What a camera reports."""
Said = NameCard | RemoveCard | MoveCard | AddCard | Tell | PayoutFine
"""What somebody says of a round, and may take back."""
Change = Annotated[
    CardCame
    | CardShown
    | CardLies
    | CardGone
    | CardsCleared
    | ChipsKept
    | BetsLaid
    | NameCard
    | RemoveCard
    | MoveCard
    | AddCard
    | Tell
    | PayoutFine
    | UsualBet
    | EndRound
    | VoidRound
    | Shuffled
    | SetTable
    | Undo
    | Redo,
    Field(discriminator="op"),
]
SEEN: Final[tuple[type[BaseModel], ...]] = get_args(Seen)
SAID: Final[tuple[type[BaseModel], ...]] = get_args(Said)
_READER: Final[TypeAdapter[Change]] = TypeAdapter(Change)


def read_change(data: Any) -> Change:
    """The change that `data` stands for; raises `ChangeError` with a sentence."""
    try:
        change = _READER.validate_python(data)
    except ValidationError as error:
        raise ChangeError(_sentence(error)) from None
    _check_texts(change)
    return change


def _check_texts(change: Change) -> None:
    if isinstance(change, NameCard | AddCard):
        check_label(change.label)
    if isinstance(change, CardCame | CardShown) and change.face not in (BACK, UNREAD):
        check_label(label_in(change.face), back=False)
    if isinstance(change, UsualBet):
        amount_of(change.amount)
    if isinstance(change, BetsLaid):
        laid_by_seat(change)


def amount_of(text: str) -> Fraction:
    """An amount above 0; raises `ChangeError`."""
    try:
        amount = parse_amount(text)
    except MoneyError as error:
        raise ChangeError(f"{error}.") from None
    if amount <= 0:
        raise ChangeError(f"A bet of {text} cannot be: it must be more than 0.")
    return amount


def laid_by_seat(change: BetsLaid) -> dict[int, Fraction]:
    """The bets as numbers; raises `ChangeError`."""
    if any(seat not in "1234567" or len(seat) != 1 for seat in change.bets):
        raise ChangeError("Bets lie at seats 1 to 7.")
    return {int(seat): amount_of(amount) for seat, amount in change.bets.items()}


def label_in(face: str) -> str:
    """The label of a face as a change writes it, sure or guessed; nothing where it was not read."""
    return face.removeprefix(SUIT_OPEN) if face.startswith(SUIT_OPEN) else face.removeprefix(UNREAD)


def check_label(label: str, back: bool = True) -> None:
    """That the text is a card in canonical form, JOKER, or (with `back`) "back"; raises `ChangeError`."""
    if label == "JOKER" or (back and label == BACK):
        return
    try:
        known = str(parse_card(label)) == label
    except CardError:
        known = False
    if not known:
        raise ChangeError(f"{label[:20]!r} is no card: write a rank and a suit such as 10H, JOKER, or back.")


def _sentence(error: ValidationError) -> str:
    """The first thing that is wrong, in words."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    if first["type"].startswith("union_tag"):
        return "This change is not known: reload the page."
    return f"The field {where!r} cannot be read: {first['msg'].lower()}." if where else f"{first['msg']}."


def plain_values(values: Mapping[str, Any]) -> dict[str, str | int]:
    """Rules as the log holds them: yes and no instead of true and false."""
    return {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in values.items()}
