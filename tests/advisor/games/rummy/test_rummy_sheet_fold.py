"""A score sheet over whole games: totals, dealers, contracts, corrections, players who come and go, and refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.games.rummy import Variant, VariantError, parse_rummy_cards, shipped_variant, with_values
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
    actions,
    next_words,
    variant_of,
)

B = shipped_variant("contract-b")
TWELVE = shipped_variant("twelve-step")


def begun(variant: Variant = B, players: str = "Ann Bob Cy", **more: object) -> Sheet:
    names = tuple(players.split())
    return Sheet.start(StartGame(variant, names, str(more.pop("dealer", names[0])), **more))  # type: ignore[arg-type]


def after(sheet: Sheet, *operations: Operation) -> Sheet:
    for operation in operations:
        sheet = sheet.after(operation)
    return sheet


def dealt(sheet: Sheet, **points: int) -> Sheet:
    """The sheet after a deal in which these players have these points; the others went out, or have 5."""
    deal = sheet.current
    assert deal is not None
    for name in sheet.missing:
        if name in points:
            sheet = sheet.after(RecordHand(name, deal.number, points=points[name]))
        elif not any(entry.out for _, entry in sheet.deals[-1].entries):
            sheet = sheet.after(WentOut(name, deal.number))
        else:
            sheet = sheet.after(RecordHand(name, deal.number, points=5))
    return sheet.after(EndDeal(deal.number))


def refused(sheet: Sheet, operation: Operation) -> str:
    with pytest.raises(IllegalMove) as error:
        sheet.after(operation)
    assert str(error.value).endswith(".")
    return str(error.value)


def test_a_game_of_contract_rummy_from_the_first_deal_to_the_winner() -> None:
    sheet = begun()
    assert next_words(sheet) == "Deal 1: Ann deals, 2 sets of 3. No score yet: Ann, Bob and Cy."
    sheet = after(
        sheet, WentOut("bob", 1), RecordHand("Ann", 1, parse_rummy_cards("10H 9S JOKER"), source=Source.PHOTO)
    )
    assert sheet.missing == ("Cy",) and sheet.totals == {"Ann": 34, "Bob": 0, "Cy": 0} and sheet.leaders == ()
    sheet = after(sheet, RecordHand(" cy ", 1, points=43))
    assert next_words(sheet) == "Deal 1: Ann deals, 2 sets of 3. Every score is in: end the deal."
    sheet = after(sheet, EndDeal(1))
    assert sheet.leaders == ("Bob",) and (sheet.dealer, sheet.next_dealer) == ("Bob", "Cy")
    for number in range(2, 8):
        assert sheet.current is not None and sheet.current.number == number and not sheet.over
        assert str(sheet.contract(number)) == str(B.deals[number - 1].contract)
        sheet = dealt(sheet, Ann=1, Bob=20)
    assert sheet.over and sheet.winners == ("Ann",) and sheet.totals == {"Ann": 40, "Bob": 120, "Cy": 43}
    assert sheet.dealer is None and sheet.next_dealer is None
    assert next_words(sheet) == "The game is over: Ann wins with 40 points."
    tied = after(sheet, CorrectScore("Ann", 7, points=4))
    assert tied.winners == ("Ann", "Cy")
    assert next_words(tied) == "The game is over: Ann and Cy share the win with 43 points."


def test_the_deal_passes_left_over_those_who_do_not_play() -> None:
    sheet = begun(players="Ann Bob Cy Dan", dealer="Dan", playing=("Ann", "Cy", "Dan"))
    dealers = []
    for _ in range(4):
        dealers.append(sheet.dealer)
        sheet = dealt(sheet)
    assert dealers == ["Dan", "Ann", "Cy", "Dan"]
    sheet = after(sheet, SetDealer("Dan", 5))
    assert (sheet.dealer, sheet.next_dealer) == ("Dan", "Ann")
    sheet = after(sheet, JoinPlayer("Bob", 5, Opening.ZERO))
    assert dealt(dealt(sheet)).dealer == "Bob"


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        (RecordHand("Ann", 1, points=3), "Ann, deal 1: a score is recorded already, 40 points; correct it instead"),
        (WentOut("Ann", 2), "Ann, deal 2: a score is recorded already, 7 points; correct it"),
        (WentOut("Bob", 1), "Bob, deal 1: a score is recorded already, out; correct it"),
        (RecordHand("Bob", 3, points=3), "Bob, deal 3: that deal has not begun; deal 2 is being played"),
        (RecordHand("Bob", 0, points=3), "Bob, deal 0: deals are numbered from 1; deal 2 is being played"),
        (RecordHand("Eve", 2, points=3), "There is no player 'Eve': the players are Ann, Bob, Cy and Dan"),
        (RecordHand("Dan", 2, points=3), "Dan does not play in this deal; those who do are Ann, Bob and Cy"),
        (RecordHand("Bob", 2, points=-1), "Bob, deal 2: -1 points cannot be: a hand counts from 0 to 300"),
        (RecordHand("Bob", 2, points=301), "301 points cannot be"),
        (RecordHand("Bob", 2), "give the cards left in hand or their points, one of the two"),
        (RecordHand("Bob", 2, parse_rummy_cards("9S"), 9), "one of the two"),
        (RecordHand("Bob", 2, ()), "Bob, deal 2: a hand without cards has gone out: record that instead"),
        (RecordHand("Bob", 2, parse_rummy_cards("9S 9S 9S")), "the packs of contract-b for 3 players hold 2 nines of"),
        (RecordHand("Bob", 2, points=9, image="a.jpg"), "'a.jpg' cannot be its photograph where the hand was typed"),
        (RecordHand("Bob", 2, points=9, bonuses=("gin",)), "contract-b has no bonus 'gin': it has no bonuses"),
        (CorrectScore("Bob", 2, points=3), "Bob, deal 2: there is no score to correct"),
        (CorrectScore("Ann", 1, points=40), "Ann, deal 1: the score is 40 points already"),
        (CorrectScore("Ann", 5, points=40), "Ann, deal 5: there is no such deal yet; the deals so far are 1 to 2"),
        (CorrectScore("Ann", 1, out=True), "Bob went out in this deal, and only one player can; correct Bob's score"),
        (CorrectScore("Ann", 2, points=3, out=True), "who went out has no cards"),
        (CorrectScore("Ann", 2, out=True, met=False), "who went out has met the contract"),
        (TakeBackScore("Bob", 2), "Bob, deal 2: there is no score to take back"),
        (TakeBackScore("Ann", 1), "Ann, deal 1: that deal has ended; deal 2 is being played"),
        (EndDeal(2), "Deal 2 cannot end: no score of Bob and Cy is recorded"),
        (EndDeal(1), "Deal 1: that deal has ended; deal 2 is being played"),
        (VoidDeal(3), "Deal 3 cannot be void: the deals so far are 1 to 2"),
        (SetDealer("Bob", 2), "Bob deals in deal 2 already"),
        (SetDealer("Dan", 2), "Dan cannot deal in deal 2: those who play are Ann, Bob and Cy"),
        (RenamePlayer("Ann", "bob"), "Ann cannot be renamed bob: another player is called so"),
        (RenamePlayer("Ann", " Ann "), "Ann is called so already"),
        (RenamePlayer("Ann", "A\x1b[31m"), "is no name for a player: give 1 to 40 letters, all of them printable"),
        (JoinPlayer("Ann", 2, Opening.ZERO), "Ann, deal 2: Ann plays in this deal already"),
        (JoinPlayer("Dan", 2, Opening.ZERO, "Ann"), "Dan has a seat already"),
        (JoinPlayer("Eve", 1, Opening.ZERO), "Eve, deal 1: that deal has ended"),
        (LeavePlayer("Ann", 2), "contract-b is for 3 to 8 players, and 2 would be left. End the game instead"),
        (LeavePlayer("Dan", 2), "Dan does not play now, so cannot leave"),
        (EndGame(), "The game cannot be ended: deal 2 has scores of Ann; end that deal, or make it void, first"),
        (Redo(), "There is nothing to redo"),
        (StartGame(B, ("X", "Y", "Z"), "X"), "The game has begun already"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_cannot_be_is_refused_with_player_deal_and_what_is_allowed(operation: Operation, says: str) -> None:
    sheet = begun(players="Ann Bob Cy Dan", playing=("Ann", "Bob", "Cy"))
    sheet = after(
        sheet, RecordHand("Ann", 1, points=40), WentOut("Bob", 1), RecordHand("Cy", 1, points=1), EndDeal(1)
    ).after(RecordHand("Ann", 2, points=7))
    assert says in refused(sheet, operation)


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (StartGame(B, ("Ann", "Bob"), "Ann"), "contract-b is not for 2 players: it is for 3 to 8"),
        (StartGame(B, ("Ann", "Bob", "ANN "), "Ann"), "Two players are called ANN"),
        (StartGame(B, ("Ann", "", "Cy"), "Ann"), "'' is no name for a player"),
        (StartGame(B, ("Ann", "Bob", "x" * 41), "Ann"), "is no name for a player"),
        (StartGame(B, ("Ann", "Bob", "Cy"), "Dan"), "Dan cannot deal first: those who play are Ann, Bob and Cy"),
        (StartGame(B, ("Ann", "Bob", "Cy"), "Ann", ("Ann", "Bob", "Dan")), "Dan cannot play"),
        (StartGame(B, ("Ann", "Bob", "Cy"), "Ann", ("Ann", "Bob", "bob")), "named twice"),
        (StartGame(B, ("Ann", "Bob", "Cy"), "Ann", deals=-1), "A game of -1 deals cannot be"),
        (StartGame(shipped_variant("gin"), ("Ann", "Bob", "Cy"), "Ann"), "gin is not for 3 players: it is for 2."),
    ],
)
def test_a_game_that_cannot_begin_is_refused(start: StartGame, says: str) -> None:
    with pytest.raises(IllegalMove, match=says):
        Sheet.start(start)


def test_hands_of_one_deal_cannot_hold_more_of_a_card_than_the_packs() -> None:
    sheet = after(begun(), RecordHand("Ann", 1, parse_rummy_cards("9S 9S JOKER")))
    assert "with the other hands of the deal, 9S is there 3 times" in refused(
        sheet, RecordHand("Bob", 1, parse_rummy_cards("9S 2H"))
    )
    assert "JOKER is there 2 times" in refused(sheet, RecordHand("Bob", 1, parse_rummy_cards("JOKER")))
    corrected = after(sheet, CorrectScore("Ann", 1, parse_rummy_cards("9S 8S")))
    assert after(corrected, RecordHand("Bob", 1, parse_rummy_cards("9S JOKER"))).totals["Bob"] == 24


def test_bonuses_are_taken_off_and_the_one_for_going_out_by_itself() -> None:
    house = with_values(shipped_variant("liverpool"), {"bonuses.going_out": "10"})
    sheet = after(
        begun(house), WentOut("Ann", 1, ("exact_cut",)), RecordHand("Bob", 1, points=30, bonuses=("exact_cut",))
    )
    assert sheet.totals == {"Ann": -60, "Bob": -20, "Cy": 0}
    assert "the bonus going_out is for the player who went out" in refused(
        sheet, RecordHand("Cy", 1, points=1, bonuses=("going_out",))
    )
    assert "named twice" in refused(sheet, RecordHand("Cy", 1, points=1, bonuses=("exact_cut", "exact_cut")))
    assert after(sheet, CorrectScore("Ann", 1, points=10)).totals["Ann"] == 10


def test_gin_counts_deadwood_and_many_deals_when_asked() -> None:
    sheet = begun(shipped_variant("gin"), "Ann Bob", deals=0)
    hand = parse_rummy_cards("KH KD KS 2C 3C 4C 5D 9S 10H AS")
    sheet = after(sheet, RecordHand("Ann", 1, hand), RecordHand("Bob", 1, points=0, bonuses=("gin",)), EndDeal(1))
    assert sheet.totals == {"Ann": 25, "Bob": -25} and sheet.contract(2).free and sheet.dealer == "Bob"
    assert after(sheet, EndGame()).winners == ("Bob",)


def test_a_joining_player_starts_with_the_highest_total_or_none_and_corrections_carry_through() -> None:
    sheet = dealt(begun(), Ann=30, Bob=50)
    late = after(sheet, JoinPlayer("Dan", 2, Opening.HIGHEST, after="Ann"), JoinPlayer("Eve", 2, Opening.ZERO))
    assert late.totals == {"Ann": 30, "Dan": 50, "Bob": 50, "Cy": 0, "Eve": 0}
    assert [player.name for player in late.players] == ["Ann", "Dan", "Bob", "Cy", "Eve"]
    assert set(late.missing) == {"Ann", "Dan", "Bob", "Cy", "Eve"}
    assert late.leaders == ("Cy",), "who has not played a deal is not ahead"
    assert after(late, CorrectScore("Ann", 1, points=60)).totals["Dan"] == 60
    assert after(late, VoidDeal(1)).totals["Dan"] == 0
    assert after(late, RecordHand("Ann", 2, points=99)).totals["Dan"] == 50, "the deal that he plays is his own"
    assert "contract-b is for 3 to 8 players, and 9 would play" in refused(
        after(late, *(JoinPlayer(name, 2, Opening.ZERO) for name in "XYZ")), JoinPlayer("W", 2, Opening.ZERO)
    )


def test_a_player_who_leaves_keeps_his_total_and_cannot_win() -> None:
    sheet = dealt(begun(players="Ann Bob Cy Dan"), Bob=20, Cy=30, Dan=40)
    before = after(sheet, LeavePlayer("Ann", 2))
    assert before.missing == ("Bob", "Cy", "Dan") and before.leaders == ("Bob",) and before.totals["Ann"] == 0
    assert after(sheet, LeavePlayer("Bob", 2)).dealer == "Cy", "the deal passes on"
    with_score = after(sheet, RecordHand("Ann", 2, points=9), LeavePlayer("Ann", 2))
    assert with_score.missing == ("Bob", "Cy", "Dan")
    assert "leaves after this deal already" in refused(with_score, LeavePlayer("Ann", 2))
    assert after(with_score, DealAgain(2)).missing == ("Ann", "Bob", "Cy", "Dan")
    later = dealt(dealt(with_score))
    assert later.totals["Ann"] == 9 and later.dealer == "Dan"
    back = after(later, JoinPlayer("Ann", 4, Opening.ZERO))
    assert back.totals["Ann"] == 9 and "Ann" in back.missing
    assert after(later, JoinPlayer("Ann", 4, Opening.HIGHEST)).totals["Ann"] == max(later.totals.values())


def test_void_and_redealt_deals_count_for_nobody() -> None:
    sheet = after(begun(), RecordHand("Ann", 1, points=40))
    again = after(sheet, DealAgain(1))
    assert again.missing == ("Ann", "Bob", "Cy") and again.dealer == "Ann" and again.totals["Ann"] == 0
    assert "has no scores" in refused(again, DealAgain(1))
    skipped = after(sheet, VoidDeal(1))
    assert skipped.dealer == "Bob" and str(skipped.contract(2)) == "S3 R4" and skipped.totals["Ann"] == 0
    assert "is void already" in refused(skipped, VoidDeal(1))
    assert "the deal is void and counts for nobody" in refused(skipped, CorrectScore("Ann", 1, points=3))
    assert "that deal is void; deal 2 is being played" in refused(skipped, RecordHand("Ann", 1, points=3))
    sheet = begun()
    for _ in range(7):
        sheet = dealt(sheet, Bob=3)
    assert after(sheet, VoidDeal(7)).totals["Bob"] == 18 and after(sheet, VoidDeal(7)).over


def test_a_score_given_to_the_wrong_player_is_taken_back() -> None:
    sheet = after(begun(), RecordHand("Ann", 1, points=40), TakeBackScore("Ann", 1), RecordHand("Bob", 1, points=40))
    assert sheet.totals == {"Ann": 0, "Bob": 40, "Cy": 0} and sheet.missing == ("Ann", "Cy")


def test_renaming_changes_the_whole_sheet() -> None:
    sheet = after(dealt(begun(), Bob=9, Cy=9), RenamePlayer("bob", "Zoë"))
    assert sheet.totals["Zoë"] == 9 and sheet.dealer == "Zoë" and sheet.find("ZOE\u0308") is not None
    assert after(sheet, RenamePlayer("Zoë", "ZOË")).dealer == "ZOË", "only the case may change"


def test_a_game_ends_early_and_opens_again_by_undo() -> None:
    sheet = after(dealt(begun(), Bob=5, Cy=5), EndGame())
    assert sheet.over and sheet.winners == ("Ann",)
    assert "the game is over; correct a score, or undo" in refused(sheet, WentOut("Ann", 2))
    assert "The game is over already" in refused(sheet, EndGame())
    assert not after(sheet, Undo()).over
    nobody = after(begun(), EndGame())
    assert nobody.winners == () and "nobody has won" in next_words(nobody)


def test_undo_and_redo_take_steps_and_a_new_step_ends_redoing() -> None:
    sheet = begun()
    assert "nothing to undo" in refused(sheet, Undo())
    sheet = after(sheet, WentOut("Ann", 1), RecordHand("Bob", 1, points=8), Undo(), Undo(), Redo())
    assert sheet.totals == {"Ann": 0, "Bob": 0, "Cy": 0} and sheet.missing == ("Bob", "Cy")
    assert after(sheet, Redo()).totals["Bob"] == 8
    sheet = after(sheet, RecordHand("Cy", 1, points=1))
    assert "nothing to redo" in refused(sheet, Redo()) and len(sheet.log) == 7


def test_a_contract_not_met_stays_until_somebody_has_met_the_last() -> None:
    sheet = begun(TWELVE, "Ann Bob")
    assert "say whether the contract was met (2 sets of 3)" in refused(sheet, RecordHand("Bob", 1, points=9))
    for deal in range(1, 7):
        sheet = after(sheet, WentOut("Ann", deal), RecordHand("Bob", deal, points=9, met=deal == 2), EndDeal(deal))
    ann, bob = sheet.players
    assert (sheet.met(ann), sheet.met(bob)) == (6, 1)
    assert (sheet.contract_number(7, ann), sheet.contract_number(7, bob)) == (7, 2)
    assert "contracts Ann 7, Bob 2" in next_words(sheet)
    assert sheet.contract_number(2, bob) == 1 and sheet.contract_number(3, bob) == 2
    late = after(sheet, JoinPlayer("Cy", 7, Opening.ZERO))
    assert late.contract_number(7, late.players[2]) == 2, "as far as the last of the others"
    open_ = after(
        sheet, RecordHand("Ann", 7, points=1, met=False), RecordHand("Bob", 7, points=9, met=True), EndDeal(7)
    )
    assert not open_.over and open_.current is not None and open_.current.number == 8
    done = after(sheet, WentOut("Ann", 7), RecordHand("Bob", 7, points=9, met=True), EndDeal(7))
    assert done.over and done.winners == ("Ann",)
    reopened = after(done, CorrectScore("Ann", 3, points=50, met=False))
    assert not reopened.over and reopened.missing == ("Ann", "Bob")


def test_triples_say_and_build() -> None:
    sheet = begun()
    assert actions.can_went_out(sheet, "Ann", 1) and not actions.can_end_deal(sheet, 1)
    assert actions.record_hand(sheet, "Ann", 1, points=5) == RecordHand("Ann", 1, points=5)
    with pytest.raises(IllegalMove, match="Deal 1 cannot end"):
        actions.verify_end_deal(sheet, 1)


def test_a_variant_by_name_and_overrides() -> None:
    assert variant_of("contract-b", {"points.joker": "25"}).points.joker == 25
    with pytest.raises(VariantError, match="unknown variant 'nonesuch'"):
        variant_of("nonesuch", {})
    with pytest.raises(VariantError, match="the variant has no title"):
        variant_of("mine", {"players": "2-4"})


def test_where_contracts_carry_over_who_has_met_most_of_them_wins_and_of_those_who_has_fewest_points() -> None:
    """12-Step: "first to complete 12; tie by fewer points"."""
    short = replace(TWELVE, deals=TWELVE.deals[:2])
    sheet = after(
        begun(short),
        WentOut("Ann", 1),
        RecordHand("Bob", 1, points=20, met=True),
        RecordHand("Cy", 1, points=1, met=False),
        EndDeal(1),
    )
    assert sheet.leaders == ("Ann",) and [name for name, _ in sheet.ranking] == ["Ann", "Bob", "Cy"]
    sheet = after(
        sheet,
        WentOut("Bob", 2),
        RecordHand("Ann", 2, points=30, met=True),
        RecordHand("Cy", 2, points=1, met=False),
    )
    assert sheet.leaders == ("Ann",), "the deal has not ended"
    sheet = sheet.after(EndDeal(2))
    assert sheet.over and sheet.winners == ("Bob",)
    assert sheet.ranking == (("Bob", 20), ("Ann", 30), ("Cy", 2))
