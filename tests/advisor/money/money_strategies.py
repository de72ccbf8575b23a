"""Hypothesis strategies that draw sets of chips, handfuls and racks."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from advisor.money import UNLIMITED, Chips, ChipSet, Rack

COLOURS = ("red", "blue", "green", "grey", "pink")


@st.composite
def chipsets(draw: st.DrawFn, most: int = 4) -> ChipSet:
    """Sets of up to ``most`` colours, worth 1 to 30 units of a whole, a half or a fifth; values may be odd or equal."""
    values = draw(st.lists(st.integers(1, 30), min_size=1, max_size=most))
    unit = Fraction(1, draw(st.sampled_from([1, 2, 5])))
    return ChipSet({colour: unit * value for colour, value in zip(COLOURS, values, strict=False)})


@st.composite
def handfuls(draw: st.DrawFn, chipset: ChipSet, least: int = 0, most: int = 6) -> Chips:
    """Some chips of a set: in all ``least`` or more, of each colour ``most`` or fewer."""
    counts = st.fixed_dictionaries({colour: st.integers(0, most) for colour in chipset.colours})
    return Chips(draw(counts.filter(lambda c: sum(c.values()) >= least)))


def racks(chipset: ChipSet) -> st.SearchStrategy[Rack]:
    """A rack without end, or a small one."""
    return st.one_of(st.just(UNLIMITED), handfuls(chipset, most=8).map(Rack))
