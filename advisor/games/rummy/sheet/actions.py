"""For every operation three functions of a sheet: `verify_x` raises, `can_x` answers, and `x` gives the operation.

Each takes the sheet and then what the operation is built from. `Sheet.after` carries it out. The start of a game has
no sheet yet: see `Sheet.start`. See `advisor.games.operations.triple`.
"""

from __future__ import annotations

from advisor.games.operations import triple
from advisor.games.rummy.sheet import operations as ops
from advisor.games.rummy.sheet.play import check

verify_record_hand, can_record_hand, record_hand = triple(check, ops.RecordHand)
verify_went_out, can_went_out, went_out = triple(check, ops.WentOut)
verify_correct_score, can_correct_score, correct_score = triple(check, ops.CorrectScore)
verify_take_back_score, can_take_back_score, take_back_score = triple(check, ops.TakeBackScore)
verify_end_deal, can_end_deal, end_deal = triple(check, ops.EndDeal)
verify_void_deal, can_void_deal, void_deal = triple(check, ops.VoidDeal)
verify_deal_again, can_deal_again, deal_again = triple(check, ops.DealAgain)
verify_set_dealer, can_set_dealer, set_dealer = triple(check, ops.SetDealer)
verify_rename_player, can_rename_player, rename_player = triple(check, ops.RenamePlayer)
verify_join_player, can_join_player, join_player = triple(check, ops.JoinPlayer)
verify_leave_player, can_leave_player, leave_player = triple(check, ops.LeavePlayer)
verify_end_game, can_end_game, end_game = triple(check, ops.EndGame)
verify_undo, can_undo, undo = triple(check, ops.Undo)
verify_redo, can_redo, redo = triple(check, ops.Redo)
