"""Chips where a test wants them, looks at them, and whole rounds played with them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count

from advisor.games.catalogue import game as game_named
from advisor.games.contract import BetView, CardView, Fault, HandView, Payment, Place, Played
from advisor.money import SpotCheck, breakdown
from advisor.table import TableState, begin, check, fold, played
from advisor.table import changes as ch
from advisor.table.bets_memory import BetsMemory, BetsSeen, Spot
from advisor.table.bets_seen import REST, laid_now, marked, still_wrong, watch_bets
from advisor.table.seeing import with_laid
from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.values import ChipStack
from vision.felt import load_layout

LAYOUT, OF_BETS = load_layout("seven-seats"), load_layout("five-bets")
RULES = game_named("blackjack").load("home")
NOT_COUNTED = "its chips could not be counted surely"
CARD = (CardView(1, "10H", "up"), CardView(2, "7C", "up"))


def place(
    seat: int, *stacks: str, kind: str = "seat-bet", bet: str = "", in_view: bool = True, outside: float = 0.0
) -> SpotReading:
    """Stacks written from the bottom: "green red red"; "? red" is hidden in part, "~ red" most likely so many."""
    layout = OF_BETS if bet else LAYOUT
    zone = next(z for z in layout.zones if z.kind == kind and z.seat == seat and z.bet == bet)
    placed = []
    for text in stacks:
        words = text.split()
        reason = "something hides a part of it" if "?" in words else NOT_COUNTED if "~" in words else ""
        order = tuple(word for word in words if word not in "?~")
        likely = ((order, 0.8), ((*order, order[-1]), 0.2)) if "~" in words else ()
        stack = ChipStack((0, 0, 9, 9), order, 0.9, reason, open=bool(likely), readings=likely)
        placed.append(PlacedStack(stack, zone.shape.centre, outside))
    return SpotReading(zone, tuple(placed), in_view)


def hand(seat: int, *bets: tuple[str, int], owed: str | None = None, active: bool = False, number: int = 1) -> HandView:
    payment = None if owed is None else Payment(Fraction(owed), "wins")
    views = tuple(BetView(name, Fraction(amount)) for name, amount in bets)
    return HandView(Place(seat, number), f"Seat {seat}", CARD, bets=views, payment=payment, active=active)


def table(**fields: object) -> TableState:
    return replace(begin("blackjack", RULES, "home"), **fields)


class Looking:
    """Looks at the chips again and again, each time long enough for them to count as lying still."""

    def __init__(self, state: TableState | None = None) -> None:
        self.memory, self.state, self.at = BetsMemory(), state or table(), 0.0

    def glance(self, shown: Played, *readings: SpotReading) -> BetsSeen:
        self.memory, seen = watch_bets(self.memory, readings, self.at, self.state, shown)
        return seen

    def look(self, shown: Played, *readings: SpotReading) -> BetsSeen:
        self.glance(shown, *readings)
        self.at += REST
        return self.glance(shown, *readings)


NO_CARDS = Played("bets", "Take bets.")


def playing(*hands: HandView) -> Played:
    return Played("play", "", hands=hands)


def words(seen: BetsSeen) -> list[str]:
    """All that is surely wrong."""
    return [fault.words for fault in (*seen.faults, *(warned.fault for warned in seen.wrong))]


def asked(seen: BetsSeen) -> list[str]:
    """All that somebody should look at."""
    return [question.words for question in seen.questions]


def stack_of(amount: int | str | Fraction) -> str:
    """The fewest chips that make the amount, as one stack."""
    return " ".join(breakdown(amount).stack())


def check_at(seen: BetsSeen, seat: int, bet: str = "") -> SpotCheck:
    """What was found of a place."""
    return seen.checks[Spot(seat, bet)]


class ChipRound:
    """A table whose cards come as they are told, and whose chips are read each time for long enough to lie still."""

    def __init__(self, game: str = "blackjack", rules: str = "home") -> None:
        self.state = begin(game, game_named(game).load(rules), rules)
        self.chips: dict[Spot, tuple[str, ...]] = {}
        self.seen, self.said = BetsSeen(), (1, BetsSeen())
        self.memory, self._at, self.numbers = BetsMemory(), 0.0, count(1)

    def cards(self, *cards: str) -> None:
        """Cards by seat, hand and face: "1 10H", "2.2 8D"; seat 0 is the house."""
        for text in cards:
            where, face = text.split()
            seat, _, hand = where.partition(".")
            came = ch.CardCame(card=next(self.numbers), seat=int(seat), hand=int(hand or 1), face=face)
            for change in with_laid(self.state, [came], laid_now(*self.said, self.state)):
                self.make(change)

    def make(self, change: ch.Change) -> None:
        self.state = fold(self.state, change)

    def say(self, op: str, **fields: str | int) -> None:
        """Somebody says it, and the round accepts it."""
        change = ch.Tell(operation={"op": op, **fields})
        check(self.state, change, laid_now(*self.said, self.state))
        self.make(change)

    def lay(self, seat: int, *stacks: str, bet: str = "") -> None:
        self.chips[Spot(seat, bet)] = stacks

    def look(self) -> BetsSeen:
        """Two glances, a rest apart; what the chips say is taken in."""
        self.glance()
        self._at += REST
        return self.glance()

    def glance(self) -> BetsSeen:
        """What the chips say at a moment."""
        readings = [
            place(seat, *stacks, kind="insurance" if bet == "insurance" else "seat-bet", bet=_own(bet))
            for (seat, bet), stacks in self.chips.items()
        ]
        self.memory, self.seen = watch_bets(self.memory, readings, self._at, self.state, self.shown)
        self.said = (self.state.round, self.seen)
        for change in self.seen.changes:
            check(self.state, change)
            self.make(change)
        return self.seen

    @property
    def played(self) -> Played:
        return played(self.state, laid_now(*self.said, self.state))

    @property
    def shown(self) -> Played:
        """The round with its bets marked, as everybody is shown it."""
        now = self.played
        number, seen = self.said
        read = seen.read if number == self.state.round else frozenset()
        return replace(now, hands=tuple(marked(hand, read) for hand in now.hands))

    @property
    def faults(self) -> list[str]:
        """All that is surely wrong, as everybody is shown it now."""
        number, seen = self.said
        bets = seen.faults if number == self.state.round else ()
        return [fault.words for fault in (*bets, *self.wrong)]

    @property
    def wrong(self) -> list[Fault]:
        """The payouts that are wrong, as everybody is shown them now."""
        number, seen = self.said
        return list(still_wrong(number, seen, self.state, self.played))

    def bets(self, seat: int, hand: int = 1) -> list[tuple[str, str, str]]:
        """Each bet of a hand: its name, its amount, and who says so."""
        view = next(it for it in self.shown.hands if it.place == Place(seat, hand))
        return [(bet.name, str(bet.amount), _how(bet)) for bet in view.bets]


def betting(*stacks: str, rules: str = "home") -> ChipRound:
    """A bet is laid at seat 1 and read."""
    scene = ChipRound(rules=rules)
    scene.lay(1, *stacks)
    scene.look()
    return scene


def reveal(scene: ChipRound, *cards: str) -> None:
    """The dealer turns the hole card and draws."""
    hole = next(card for card in scene.state.cards if card.face == "back")
    scene.make(ch.CardShown(card=hole.card, face=cards[0]))
    scene.cards(*(f"0 {card}" for card in cards[1:]))


def _how(bet: BetView) -> str:
    return "seen" if getattr(bet, "seen", False) else "assumed" if bet.assumed else "said"


def _own(bet: str) -> str:
    return "" if bet == "insurance" else bet
