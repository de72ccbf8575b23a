"""Hypothesis strategies that draw operations of a score sheet, some of them impossible."""

from __future__ import annotations

from hypothesis import strategies as st

from advisor.games.cards import FULL_PACK
from advisor.games.rummy import JOKER, shipped_variant, with_values
from advisor.games.rummy.sheet import (
    CorrectScore,
    DealAgain,
    EndDeal,
    EndGame,
    IllegalMove,
    JoinPlayer,
    LeavePlayer,
    Opening,
    Operation,
    RecordHand,
    Redo,
    RenamePlayer,
    SetDealer,
    Sheet,
    Source,
    StartGame,
    TakeBackScore,
    Undo,
    VoidDeal,
    WentOut,
)

NAMES = ("Ann", "Bob", "Cy", "Dan", "Zoë")
VARIANTS = (
    shipped_variant("contract-b"),
    shipped_variant("twelve-step"),
    with_values(shipped_variant("liverpool"), {"bonuses.going_out": "10", "players": "2-8", "packs": "2-8: 2+4"}),
)

starts = st.builds(
    StartGame,
    st.sampled_from(VARIANTS),
    st.just(NAMES[:4]),
    st.sampled_from(NAMES[:3]),
    st.sampled_from([(), NAMES[:3]]),
    st.sampled_from([None, None, 0, 3]),
)

_cards = st.lists(st.sampled_from([*FULL_PACK, JOKER]), min_size=0, max_size=4).map(tuple)
_bonuses = st.sampled_from([(), (), (), ("exact_cut",), ("going_out",)])
_met = st.sampled_from([None, True, False, True])


def _hands(name: str, deal: int) -> st.SearchStrategy[Operation]:
    return st.one_of(
        st.builds(
            RecordHand,
            st.just(name),
            st.just(deal),
            _cards,
            st.none(),
            st.sampled_from(Source),
            st.just(""),
            _bonuses,
            _met,
        ),
        st.builds(RecordHand, st.just(name), st.just(deal), points=st.integers(-1, 80), bonuses=_bonuses, met=_met),
        st.builds(WentOut, st.just(name), st.just(deal), _bonuses),
    )


def _others(name: str, deal: int) -> st.SearchStrategy[Operation]:
    player, number = st.just(name), st.just(deal)
    return st.one_of(
        st.builds(CorrectScore, player, number, points=st.integers(0, 80), met=_met),
        st.builds(CorrectScore, player, number, out=st.just(True), bonuses=_bonuses),
        st.builds(TakeBackScore, player, number),
        st.builds(VoidDeal, number),
        st.builds(DealAgain, number),
        st.builds(SetDealer, player, number),
        st.builds(RenamePlayer, player, st.sampled_from(NAMES)),
        st.builds(JoinPlayer, player, number, st.sampled_from(Opening), st.sampled_from([None, None, *NAMES])),
        st.builds(LeavePlayer, player, number),
        st.just(EndGame()),
        st.just(Undo()),
        st.just(Redo()),
    )


@st.composite
def operations(draw: st.DrawFn, sheet: Sheet) -> Operation:
    """Anything that somebody could ask of the sheet: mostly what could come next, so that games go on."""
    deal = max(1, len(sheet.deals))
    missing = sheet.missing
    way = draw(st.integers(0, 11))
    if way < 6 and not sheet.over:
        return draw(_hands(draw(st.sampled_from(missing)), deal)) if missing else EndDeal(deal)
    if way == 6:
        return draw(st.sampled_from([Undo(), Redo(), Redo()]))
    if way in (7, 8):
        return draw(_coming_and_going(sheet, deal))
    scored = [(record.number, number) for record in sheet.deals for number, _ in record.entries]
    if way == 9 and scored:
        number, player = draw(st.sampled_from(scored))
        name = sheet.by_number(player).name
        return CorrectScore(name, number, points=draw(st.integers(0, 80)), met=draw(_met))
    name = draw(st.sampled_from([*NAMES, *(player.name for player in sheet.players)]))
    number = draw(st.sampled_from([deal, deal, deal - 1, deal + 1]))
    return draw(st.one_of(_others(name, number), _others(name, number), _hands(name, number)))


def _coming_and_going(sheet: Sheet, deal: int) -> st.SearchStrategy[Operation]:
    there = [player.name for player in sheet.players if player.playing]
    away = [player.name for player in sheet.players if not player.playing]
    new = [name for name in NAMES if sheet.find(name) is None]
    ways: list[st.SearchStrategy[Operation]] = [
        st.builds(LeavePlayer, st.sampled_from(there), st.just(deal)),
        st.builds(SetDealer, st.sampled_from(there), st.just(deal)),
    ]
    if away:
        ways += [st.builds(JoinPlayer, st.sampled_from(away), st.just(deal), st.sampled_from(Opening))] * 2
    if new:
        after = st.sampled_from([None, *there])
        ways.append(st.builds(JoinPlayer, st.sampled_from(new), st.just(deal), st.sampled_from(Opening), after))
    return st.one_of(ways)


@st.composite
def begun(draw: st.DrawFn) -> Sheet:
    """A sheet after up to three whole deals."""
    sheet = Sheet.start(draw(starts))
    for _ in range(draw(st.integers(0, 3))):
        deal = len(sheet.deals)
        if sheet.over:
            break
        for name in sheet.missing:
            sheet = sheet.after(RecordHand(name, deal, points=draw(st.integers(0, 80)), met=draw(st.booleans())))
        sheet = sheet.after(EndDeal(deal))
    return sheet


@st.composite
def played(draw: st.DrawFn, most: int = 16) -> Sheet:
    """A sheet somewhere in its game."""
    sheet = draw(begun())
    for _ in range(draw(st.integers(0, most))):
        try:
            sheet = sheet.after(draw(operations(sheet)))
        except IllegalMove:
            continue
    return sheet
