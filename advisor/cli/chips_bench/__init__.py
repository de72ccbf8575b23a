"""Measures how well bets and payouts are read from rendered pictures of whole calibrated tables.

`settlements` lays bets, and what a dealer makes of them, rightly or wrongly; `judging` has the pictures read as
``payout verify`` and the live table do it, and compares what is said with what was laid.
"""
