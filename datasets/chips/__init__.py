"""Rendered chips: drawn by this package alone, with exact counts, colours and places."""
