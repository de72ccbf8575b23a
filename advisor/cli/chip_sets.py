"""The sets of chips that a person taught: where they lie, and each with its values; what is damaged is said as such."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.money import ChipSet
    from vision.chips.appearance import Appearance


def sets_folder() -> Path:
    """Where the person's own sets of chips are kept."""
    from platformdirs import user_data_path

    return user_data_path("tableside", appauthor=False) / "chipsets"


def set_names() -> list[str]:
    """The sets that were learned, damaged ones too."""
    from vision.chips.appearance import appearance_names

    return appearance_names(sets_folder())


def kept_set(name: str) -> tuple[Appearance, ChipSet]:
    """What the chips of a set look like, and what they are worth.

    Raises `ChipSetError` for a set that is not there, and for one that is damaged in whichever way.
    """
    from advisor.money import ChipSet
    from vision.chips.appearance import NAME, ChipSetError, load_appearance

    path = sets_folder() / f"{name}.json"
    if NAME.fullmatch(name) and path.is_dir():
        raise ChipSetError(f"{path}: the file is damaged: it is a folder. Move it away, and enrol the set again.")
    if name not in set_names():
        load_appearance(name, sets_folder())  # says that there is none
    try:
        appearance, kept = load_appearance(name, sets_folder())
        chipset = ChipSet(dict(kept["values"]))
        if not set(appearance.names) <= set(chipset.colours):
            raise ValueError("a chip without a value")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ChipSetError(f"{path}: the file is damaged; enrol the set again.") from error
    return appearance, chipset


def joined(old: Appearance, new: Appearance) -> Appearance:
    """A set that has the colours of both; those that both have are as ``new`` shows them. The size is that of ``new``.

    Raises `ChipSetError` where the old one was learned before edges were kept, so that they cannot be compared.
    """
    import numpy as np

    from vision.chips.appearance import Appearance, ChipSetError

    stay = [k for k, name in enumerate(old.names) if name not in new.names]
    if not stay:
        return new
    if old.edges is None or new.edges is None:
        raise ChipSetError("The set was learned by an older version: enrol all of its colours again, without --add.")
    names = [old.names[k] for k in stay]
    shown = [it for it in old.shown if it[0] in names]
    # Names are weighed against each other by what was shown, so that all of a set keep it or none.
    complete = {name for name, _ in shown} == set(names) and {name for name, _ in new.shown} == set(new.names)
    return Appearance(
        (*names, *new.names),
        np.concatenate([old.looks[stay], new.looks]),
        np.concatenate([old.edges[stay], new.edges]),
        new.size,
        (*shown, *new.shown) if complete else (),
    )
