"""Whole rounds as film: what a dealer's hands do to cards and chips on a felt, seen by a camera, with the truth beside.

`script` says what happens and when, `spots` where on the felt, `moves` how each card and arm travels; `film` draws it.
A script and a seed give the same film, to the last bit, where the same fonts are installed.
"""
