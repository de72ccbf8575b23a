"""Plays filmed rounds to the running table as a camera would, and judges what it made of them.

`datasets.rounds.camera` gives the frames in real time, `patient` as the table asks for them; `watching` runs the table
and notes what it published when; `judging` compares that with what truly happened.
"""
