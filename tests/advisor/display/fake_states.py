"""States of the wire, version 2, for the display's test bench: what real games send, written out by hand."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np

State = dict[str, Any]

WIDTH, HEIGHT = 1280, 720
CHIPS = [("purple", "500"), ("black", "100"), ("green", "25"), ("red", "5"), ("white", "1"), ("yellow", "0.50")]
_numbers = itertools.count(1)


def chips(amount: str) -> list[State]:
    """The fewest chips of the usual colours; what the server works out for the display."""
    rest = round(abs(float(amount)) * 2)
    made = []
    for colour, value in CHIPS:
        count, rest = divmod(rest, round(float(value) * 2))
        if count:
            made.append({"colour": colour, "count": count})
    return made


def card(text: str) -> State:
    """A card: "10H" up, "?5C" unsure, "?" unread, "back" or "back:5C" down; "/" across, "-" gone at the end."""
    gone, text = text.endswith("-"), text.removesuffix("-")
    crosswise, text = text.endswith("/"), text.removesuffix("/")
    lies, label = "up", text or None
    if text.startswith("?"):
        lies, label = "unsure", text[1:] or None
    elif text.startswith("back"):
        lies, label = "down", text.removeprefix("back").removeprefix(":") or None
    return {"card": next(_numbers), "label": label, "lies": lies, "crosswise": crosswise, "gone": gone}


def bet(amount: str, name: str = "bet", *, assumed: bool = False, seen: bool = False) -> State:
    said = {"name": name, "amount": amount, "assumed": assumed, "chips": chips(amount)}
    return {**said, "seen": True} if seen else said


def payment(amount: str, words: str, *, done: bool = False) -> State:
    return {"amount": amount, "words": words, "done": done, "chips": chips(amount)}


def choice(words: str, operation: State, place: tuple[int, int] | None = None, *, main: bool = False) -> State:
    where = None if place is None else {"seat": place[0], "hand": place[1]}
    return {"words": words, "operation": operation, "place": where, "main": main}


def hand(seat: int, number: int, cards: str = "", total: str = "", **more: Any) -> State:
    """A hand's view; `cards` are texts as `card` reads them, apart by spaces."""
    usual = {
        "place": {"seat": seat, "hand": number},
        "title": f"Seat {seat}" if seat else "Dealer",
        "cards": [card(text) for text in cards.split()],
        "total": total,
        "active": False,
        "action": None,
        "values": {},
        "margin": 0.0,
        "why": [],
        "offer": None,
        "bets": [],
        "payment": None,
        "problems": [],
        "private": False,
    }
    assert set(more) <= set(usual), f"no such field: {set(more) - set(usual)}"
    return usual | more


def sighting(kind: str, label: str | None, x: float, y: float, number: int | None = None, turn: float = 0.0) -> State:
    half = np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]], dtype=float)
    c, s = np.cos(turn), np.sin(turn)
    corners = half @ np.array([[c, s], [-s, c]]) + [x, y]
    return {"kind": kind, "label": label, "confidence": 0.98, "corners": corners.round(1).tolist(), "card": number}


def seen(played: State) -> list[State]:
    """A sighting for every card, the house's above and the seats' in a row below."""
    found = []
    seats = sorted({it["place"]["seat"] for it in played["hands"]})
    for it in [*played["house"], *played["hands"]]:
        seat = it["place"]["seat"]
        x = 640 if seat == 0 else 1280 * (seats.index(seat) + 0.5) / len(seats)
        y = 160 if seat == 0 else 480 + 60 * (it["place"]["hand"] - 1)
        for place, lying in enumerate(it["cards"]):
            kind = {"up": "card", "down": "back", "unsure": "unsure"}[lying["lies"]]
            label = lying["label"] if kind != "back" else None
            found.append(sighting(kind, label, x + 40 * place - 30, y + 12 * place, lying["card"], 0.1 * place))
    return found


def played(**more: Any) -> State:
    usual = {
        "phase": "bets",
        "step": "Take the bets: 5 to 500, in whole units of 1.",
        "step_place": None,
        "house": [],
        "hands": [],
        "choices": [],
        "faults": [],
        "notices": [],
        "facts": [],
        "grids": [],
        "net": {},
        "operations": [],
        "carried": {},
    }
    assert set(more) <= set(usual), f"no such field: {set(more) - set(usual)}"
    return usual | more


def state(shown: State, **more: Any) -> State:
    usual = {
        "version": 2,
        "sequence": 1,
        "camera": {
            "state": "live", "message": "", "frames": 100, "dropped": 3, "reconnects": 0, "errors": 0, "trouble": None,
        },
        "picture": {"url": "/frame.jpg?seq=1", "width": WIDTH, "height": HEIGHT},
        "settled": True,
        "sightings": seen(shown),
        "game": {"name": "blackjack", "title": "Blackjack"},
        "rules": {"name": "home", "summary": "6 decks, dealer stands on soft 17, blackjack pays 3:2, late surrender"},
        "table": {
            "layout": "seven-seats", "seats": 7, "calibrated": True,
            "chips": [{"colour": colour, "value": value} for colour, value in CHIPS],
        },
        "round": 3,
        "played": shown,
        "undo": None,
        "redo": None,
        "role": "dealer",
        "store": {"ok": True, "message": ""},
        "problems": [],
        "ms": {"total": 84.2},
    }  # fmt: skip
    assert set(more) <= set(usual), f"no such field: {set(more) - set(usual)}"
    return copy.deepcopy(usual | more)


FACTS = [
    {"name": "cards-left", "words": "Cards left", "value": "231 of 312", "private": False, "count": True},
    {"name": "running-count", "words": "Running count", "value": "+4", "private": True, "count": True},
    {"name": "true-count", "words": "True count", "value": "+0.9", "private": True, "count": True},
]


def empty_table() -> State:
    return state(played(house=[hand(0, 1)], choices=[choice("Deal the round", {"op": "no-more-bets"}, main=True)]))


def taking_bets(seats: int = 5) -> State:
    """Bets phase: some seats have bet, the others may."""
    hands = [
        hand(1, 1, bets=[bet("10")]),
        hand(2, 1, bets=[bet("5", assumed=True)]),
        hand(4, 1, bets=[bet("37.50"), bet("5", "21+3")]),
    ]
    choices = [choice("No more bets", {"op": "no-more-bets"}, main=True)]
    for seat in range(1, seats + 1):
        choices.append(choice("Bet", {"op": "bet", "seat": seat, "amount": ""}, (seat, 1)))
        choices.append(choice("Out", {"op": "sit-out", "seat": seat}, (seat, 1)))
    return state(played(house=[hand(0, 1)], hands=hands, choices=choices), undo="seat 4 bets 37.50")


WHY_16 = [
    "Split: a pair of 8s (hard 16) against a 10 loses 0.48 bets on average; surrendering loses 0.50 bets.",
    "The dealer busts 23% of the time.",
    "That is basic play for these cards, and the cards that are gone do not change it.",
]
VALUES_16 = {"split": -0.4806, "surrender": -0.5, "hit": -0.5353, "stand": -0.5401, "double": -1.0706}


def three_seats() -> State:
    """Play: seat 2 decides, seat 1 has doubled, seat 3 has an unsure card."""
    hands = [
        hand(1, 1, "8S 3H KC/", "hard 21", action="done", bets=[bet("20")],
             why=["The hand has 21: no card can better it."]),
        hand(
            2, 1, "8C 8D", "hard 16", active=True, action="split", values=VALUES_16, margin=0.0194, why=WHY_16,
            bets=[bet("15")],
        ),
        hand(
            3, 1, "5C ?6D", "hard 11?", action="double", values={"double": 0.1779, "hit": 0.1182, "stand": -0.5404},
            margin=0.0597, why=["Double: hard 11 against a 10 wins 0.18 bets on average; hitting wins 0.12 bets."],
            bets=[bet("10", assumed=True)], problems=["One card is not read surely: check the 6 of diamonds."],
        ),
    ]  # fmt: skip
    choices = [
        choice(word.capitalize(), {"op": word, "seat": 2, "hand": 1}, (2, 1), main=word == "split")
        for word in ("stand", "hit", "double", "split", "surrender")
    ]
    return state(
        played(
            phase="play",
            step="Seat 2: stand, hit, double, split or surrender?",
            step_place={"seat": 2, "hand": 1},
            house=[hand(0, 1, "10H back", "10")],
            hands=hands,
            choices=choices,
            facts=FACTS,
            notices=["The shoe was taken as shuffled."],
        ),
        undo="seat 1’s third card named king of clubs",
    )


def seven_seats(splits: bool = True) -> State:
    """Play at a full table, with splits up to four hands in a seat and doubled cards across."""
    hands = [
        hand(1, 1, "KS 9H", "hard 19", action="stand", values={"stand": 0.27, "hit": -0.7}, bets=[bet("25")],
             why=["Stand: hard 19 against a 6 wins 0.27 bets on average."]),
        hand(2, 1, "8S 3H 2C/", "hard 13", action="done", bets=[bet("50")], title="Seat 2, hand 1"),
        hand(2, 2, "8D KC", "hard 18", action="stand", values={"stand": 0.28, "hit": -0.6}, bets=[bet("25")],
             title="Seat 2, hand 2"),
        hand(3, 1, "AS KH", "blackjack", action="done", bets=[bet("15"), bet("5", "21+3")],
             why=["Blackjack: it pays 3 to 2 unless the dealer has one too."]),
        hand(4, 1, "2S 3C 2D AH 4C 5S", "hard 17", active=True, action="stand", bets=[bet("10")],
             values={"stand": 0.01, "hit": -0.42}, margin=0.43,
             why=["Stand: hard 17 against a 6 wins 0.01 bets on average; hitting loses 0.42 bets.",
                  "The dealer busts 42% of the time."]),
        hand(6, 1, "10C 6D", "hard 16", action="surrender", values={"surrender": -0.5, "hit": -0.53},
             bets=[bet("100")], why=["Surrender: hard 16 against a 10 loses half the bet; hitting loses 0.53 bets."]),
        hand(7, 1, "KD 6S 9C-", "bust", action="done", bets=[bet("12.50")],
             payment=payment("-12.50", "bust", done=True)),
    ]  # fmt: skip
    if splits:
        split = (
            ("6S 5H", "hard 11", "double"),
            ("6D 10C", "hard 16", "stand"),
            ("6H AC", "soft 17", "hit"),
            ("6C", "6", "hit"),
        )
        for number, (cards, total, action) in enumerate(split, 1):
            problems = ["A hand after a split has one card only: deal the second."] if number == 4 else []
            hands.append(hand(5, number, cards, total, action=action, bets=[bet("20")], problems=problems,
                              title=f"Seat 5, hand {number}", values={action: 0.1, "stand": -0.1}))  # fmt: skip
    else:
        hands.append(hand(5, 1, "6S 5H", "hard 11", action="double", bets=[bet("20")]))
    hands.sort(key=lambda it: (it["place"]["seat"], it["place"]["hand"]))
    choices = [
        choice("Stand", {"op": "stand", "seat": 4, "hand": 1}, (4, 1), main=True),
        choice("Hit", {"op": "hit", "seat": 4, "hand": 1}, (4, 1)),
    ]
    return state(
        played(
            phase="play", step="Seat 4: stand or hit?", step_place={"seat": 4, "hand": 1},
            house=[hand(0, 1, "6C back", "6")], hands=hands, choices=choices, facts=FACTS,
        ),
        undo="seat 5 splits", redo="seat 4 hits",
    )  # fmt: skip


def insurance() -> State:
    words = "No insurance: 94 of 306 unseen cards are ten-values, not more than one in three."
    hands = [
        hand(1, 1, "10S 9H", "hard 19", bets=[bet("20")], offer=words),
        hand(2, 1, "AC KD", "blackjack", bets=[bet("15")], offer="No even money: waiting wins 1.04 bets on average."),
        hand(3, 1, "5C 6D", "hard 11", bets=[bet("10"), bet("5", "insurance")], offer=words),
    ]
    choices = [choice("Nobody insures", {"op": "close-insurance"}, main=True)]
    for seat, most in ((1, "10"), (2, "7.50"), (3, "5")):
        choices.append(choice(f"Insure for {most}", {"op": "insure", "seat": seat, "amount": most}, (seat, 1)))
    choices.append(choice("Even money", {"op": "even-money", "seat": 2}, (2, 1)))
    return state(
        played(
            phase="deal", step="Offer insurance to seats 1, 2 and 3, and even money to seat 2.",
            house=[hand(0, 1, "AS back", "11")], hands=hands, choices=choices, facts=FACTS,
        )
    )  # fmt: skip


def settlement() -> State:
    hands = [
        hand(1, 1, "KS 9H", "hard 19", bets=[bet("25")], payment=payment("25", "wins", done=True)),
        hand(2, 1, "8S 3H KC/", "hard 21", bets=[bet("100")], payment=payment("100", "wins"), active=True),
        hand(3, 1, "AS KH", "blackjack", bets=[bet("15")], payment=payment("22.50", "blackjack pays 3:2")),
        hand(4, 1, "10S 8C", "hard 18", bets=[bet("10")], payment=payment("0", "push")),
        hand(5, 1, "10C 6D 9S-", "bust", bets=[bet("1033")], payment=payment("-1033", "bust", done=True)),
    ]
    choices = [choice("Paid 100", {"op": "paid", "seat": 2, "hand": 1, "amount": "100"}, (2, 1), main=True)]
    return state(
        played(
            phase="settle", step="Seat 2 wins: pay 100, one black.", step_place={"seat": 2, "hand": 1},
            house=[hand(0, 1, "6C 2D 10H", "18")], hands=hands, choices=choices,
            net={"1": "25", "2": "100", "3": "22.50", "4": "0", "5": "-1033"},
        )
    )  # fmt: skip


def grid(name: str, words: str, columns: int, cells: list[tuple[int, int, str, tuple[str, ...]]]) -> State:
    made = [
        {
            "column": column,
            "row": row,
            "kind": kind,
            "words": f"{kind} wins" if kind != "tie" else "tie",
            "marks": marks,
        }
        for column, row, kind, marks in cells
    ]
    return {"name": name, "words": words, "columns": columns, "rows": 6, "cells": made}


def punto_banco() -> State:
    """A coup with its scoreboard; seats only bet."""
    results = "BPPBTBBBBBBBPTPBBPBPPPTBPB"
    kinds = {"B": "banker", "P": "player", "T": "tie"}
    marks: list[tuple[str, ...]] = [
        ("player-pair",) if n % 7 == 2 else ("banker-pair",) if n % 9 == 4 else () for n in range(99)
    ]
    beads = [(n // 6, n % 6, kinds[it], marks[n]) for n, it in enumerate(results)]
    road: list[tuple[int, int, str, tuple[str, ...]]] = []
    column, row, last = -1, 0, ""
    for it in results:
        if it == "T":
            road[-1] = (*road[-1][:3], ("ties-1",))
            continue
        if it == last and row < 5:
            row += 1
        elif it == last:
            column += 1
        else:
            column, row = column + 1, 0
        road.append((column, row, kinds[it], ()))
        last = it
    hands = [
        hand(1, 1, bets=[bet("50", "banker"), bet("5", "tie")]),
        hand(2, 1, bets=[bet("25", "player")]),
        hand(4, 1, bets=[bet("100", "player"), bet("10", "player-pair")]),
    ]
    choices = [choice("No more bets", {"op": "close-bets"}, main=True)]
    for seat in range(1, 8):
        for name in ("banker", "player", "tie", "player-pair", "banker-pair"):
            choices.append(choice(f"Bet {name}", {"op": "bet", "seat": seat, "bet": name, "amount": ""}, (seat, 1)))
    return state(
        played(
            phase="deal",
            step="Player draws a third card: 0 to 5.",
            house=[hand(0, 1, "2H 3C", "5", title="Player", active=True), hand(0, 2, "KD 6S", "6", title="Banker")],
            hands=hands,
            choices=[choice("Call the coup off", {"op": "call-off"})],
            facts=[FACTS[0] | {"value": "302 of 416"}],
            grids=[
                grid("bead-plate", "Bead plate", 5, beads),
                grid("big-road", "Big road", column + 1, road),
            ],
        ),
        game={"name": "punto-banco", "title": "Punto banco"},
        rules={"name": "commission", "summary": "8 decks, 5% commission on banker, tie pays 8 to 1"},
    )  # fmt: skip


def pontoon() -> State:
    """Face-down cards; one punter has bought, one has shown."""
    hands = [
        hand(1, 1, "back back", "2 cards", action="stick", private=True, bets=[bet("10")],
             why=["As far as can be seen."]),
        hand(2, 1, "back back back:5C", "3 cards", active=True, bets=[bet("30")],
             action="buy", values={"buy": 0.31, "twist": 0.28, "stick": -0.1}, margin=0.03, private=True,
             why=["Buy: five cards pay double."]),
        hand(3, 1, "back back 4S 7D", "4 cards", bets=[bet("12")]),
        hand(4, 1, "AH KS", "pontoon", action="done", bets=[bet("20")], why=["A pontoon is paid double."]),
    ]  # fmt: skip
    choices = [
        choice("Stick", {"op": "stick", "seat": 2, "hand": 1}, (2, 1), main=True),
        choice("Buy for…", {"op": "buy", "seat": 2, "hand": 1, "amount": ""}, (2, 1)),
        choice("Twist", {"op": "twist", "seat": 2, "hand": 1}, (2, 1)),
        choice("Throw in", {"op": "throw-in", "seat": 2, "hand": 1}, (2, 1)),
    ]
    return state(
        played(
            phase="play", step="Seat 2: stick, buy or twist?", step_place={"seat": 2, "hand": 1},
            house=[hand(0, 1, "back back", "2 cards", title="Banker")], hands=hands, choices=choices,
            facts=[{"name": "pack", "words": "Pack", "value": "29 left", "private": False, "count": True}],
        ),
        game={"name": "pontoon", "title": "Pontoon"},
        rules={"name": "home", "summary": "1 pack, stick at 15 or more, five-card trick pays double"},
    )  # fmt: skip


def faulty() -> State:
    shown = three_seats()
    number = shown["played"]["hands"][2]["cards"][1]["card"]
    shown["played"]["faults"] = [
        {
            "words": "The 8 of clubs lies on the table twice, and the shoe holds six of them: is one misread?",
            "place": {"seat": 2, "hand": 1},
            "card": shown["played"]["hands"][1]["cards"][0]["card"],
            "choices": [],
        },
        {
            "words": "This may be the 6 of diamonds or the 9 of diamonds.",
            "place": {"seat": 3, "hand": 1},
            "card": number,
            "choices": [
                choice("It is the 6 of diamonds", {"op": "name-card", "card": number, "label": "6D"}, main=True),
                choice("It is the 9 of diamonds", {"op": "name-card", "card": number, "label": "9D"}),
                choice("It is no card", {"op": "remove-card", "card": number}),
            ],
        },
    ]
    shown["problems"] = ["Two cards lie between seats 2 and 3."]
    return shown


def asking() -> State:
    """A bet that could not be read surely, and one of which something else was said than lies there."""
    shown = three_seats()

    def ask(seat: int, words: str, *amounts: str) -> dict[str, Any]:
        answers = [*((amount, amount) for amount in amounts), ("It is another amount", "")]
        choices = [
            choice(said, {"op": "place-bet", "seat": seat, "amount": amount}, (seat, 1)) for said, amount in answers
        ]
        return {"words": words, "place": {"seat": seat, "hand": 1}, "choices": choices}

    unsure = "the bet could not be read surely (something hides a part of it). It is probably 30: count it by hand."
    shown["played"]["questions"] = [
        ask(1, f"Seat 1: {unsure}", "30"),
        ask(2, "Seat 2: 10 was said and 25 lies there. Which is right?", "10", "25"),
    ]
    return shown


GAMES = [
    {
        "name": "blackjack", "title": "Blackjack", "seats": 7, "seats_hold_cards": True,
        "presets": [
            {"name": "shoe", "summary": "6 decks, dealer stands on soft 17",
             "values": {"decks": 6, "dealer_soft_17": "stand", "surrender": "none", "double_soft": True,
                        "blackjack_pays": "3:2", "minimum": "5", "maximum": "500", "unit": "1"}},
            {"name": "home", "summary": "1 deck, dealer hits soft 17",
             "values": {"decks": 1, "dealer_soft_17": "hit", "surrender": "late", "double_soft": True,
                        "blackjack_pays": "3:2", "minimum": "1", "maximum": "100", "unit": "1"}},
        ],
        "fields": [
            {"name": "decks", "words": "Decks", "kind": "number", "choices": [1, 2, 3, 4, 5, 6, 7, 8]},
            {"name": "dealer_soft_17", "words": "Dealer on soft 17", "kind": "choice", "choices": ["stand", "hit"]},
            {"name": "surrender", "words": "Surrender", "kind": "choice", "choices": ["none", "late", "early"]},
            {"name": "double_soft", "words": "Soft hands may double", "kind": "yes-no", "choices": []},
            {"name": "blackjack_pays", "words": "Blackjack pays", "kind": "odds", "choices": []},
            {"name": "minimum", "words": "Smallest bet", "kind": "amount", "choices": []},
            {"name": "maximum", "words": "Largest bet", "kind": "amount", "choices": []},
            {"name": "unit", "words": "Unit", "kind": "amount", "choices": []},
        ],
    },
    {
        "name": "pontoon", "title": "Pontoon", "seats": 6, "seats_hold_cards": True,
        "presets": [{"name": "home", "summary": "1 pack, stick at 15", "values": {"decks": 1, "minimum": "1"}}],
        "fields": [
            {"name": "decks", "words": "Packs", "kind": "number", "choices": []},
            {"name": "minimum", "words": "Smallest stake", "kind": "amount", "choices": []},
        ],
    },
]  # fmt: skip
LAYOUTS = [{"name": "seven-seats", "words": "Seven seats"}, {"name": "kitchen", "words": "A plain kitchen table"}]

SCENES = {
    "empty": empty_table, "bets": taking_bets, "three": three_seats, "seven": seven_seats, "insurance": insurance,
    "settlement": settlement, "punto": punto_banco, "pontoon": pontoon, "faults": faulty,
    "asking": asking,
}  # fmt: skip
"""What the bench shows by name."""
