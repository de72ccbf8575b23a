"""Pixels in, typed sightings out. Knows no game and no money; imports nothing of ``advisor``."""
