"""Labelled pictures: the renderer, the loaders of real photographs, and the benchmark on them."""
