"""Chips: where stacks and loose chips lie, how many chips each has, and of which colours from the bottom up."""
