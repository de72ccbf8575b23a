"""What is said of a find once its chips were counted and named: sure, or not and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from vision.chips.counter import Count
from vision.chips.crops import ACROSS, Stand
from vision.chips.finder import Find
from vision.chips.naming import Named, ordered
from vision.chips.values import MOST, Box, ChipStack

NO_CHIP = "round, but no chip that is known"
A_COIN = "smaller than a chip: perhaps a coin"
NO_STACK = "it may be no stack of chips"
HIDDEN = "something hides a part of it"
MISFIT = "its height does not fit its width"
FOREIGN = "a chip of a colour that is not in the set"
STILL: Mapping[str, float] = MappingProxyType({HIDDEN: 0.7, MISFIT: 0.7, A_COIN: 0.5})
"""How likely a stack on a calibrated felt is one of its readings all the same, where that is in doubt: at 740 settled
places five of six, both of two, and one of two were."""
ENDED = 1.5
"""A find ended too early whose stack stands so many chips below it."""


@dataclass(frozen=True)
class Colours:
    """What a stack's chips are, and which share of them is none of the set."""

    named: Named
    strange: float = 0.0


@dataclass(frozen=True)
class Settings:
    """Thresholds, all chances between 0 and 1; one set for every picture."""

    scales: tuple[int, ...] = (96, 160, 320, 640)
    fine_scale: int = 1280
    small: float = 22.0
    """Median width of finds, in pixels at the last of ``scales``, under which a closer look is taken."""
    large: float = 38.0
    """How wide the smallest find is, in pixels at one of ``scales``, for no closer look to be taken."""
    largest_growth: float = 1.0
    least_found: float = 0.2
    best_widths: tuple[float, ...] = (22.0, 38.0)
    """How wide chips should be for the finder, in pixels, where a calibrated felt says how wide they are."""
    other_size: float = 1.5
    """Wider by this factor than a chip that stands there, or narrower, something on a calibrated felt is no stack."""
    noticed: float = 0.32
    """Fainter finds are shown only where what is read there is likely, and its front seen: most are folds, grain and
    shadows."""
    tried: float = 0.4
    """What is found so surely off felts is looked at from other stands too where its count is not plain."""
    low: int = 4
    """Of so few chips none is shown that was found so faintly on a calibrated felt: shadows, markers and cards are."""
    faint_alone: float = 0.1
    """So it is not even counted there where a glance says with that chance that it is one chip alone: of 896 such finds
    the ten that were shown had .01 at most, 640 have more than this."""
    noticed_foreign: float = 0.4
    """Nor where most of them are none of one's own set and they were found more faintly than so: the end of a stack's
    shadow is. Of 502 bets 101 were so low, and the faintest of those was found at .43."""
    noticed_hidden: float = 0.42
    """The same for one chip alone on a calibrated felt whose front is not seen: most are print on cards."""
    least_thick: float = 1.6
    """Chips thinner than so many pixels in the picture are not counted."""
    sure: float = 0.9
    """How likely count and colours must be for a stack to be listed as sure,"""
    sure_in_rack: float = 0.95
    """for a row in a rack (of 437 above .9 nine are wrong, of 359 above this five),"""
    sure_on_felt: float = 0.97
    """and on a calibrated felt, where what foretells a stack's shape also makes claims bolder;"""
    sure_unlearned: float = 0.94
    """and there without a set of one's own: of chips that are half inserts nobody can say which colour is theirs."""
    chip: float = 0.5
    """How likely something that looks like a coin or a lid may at most be none for it to be taken for a chip, in sight
    of the picture's others, where no felt is calibrated."""
    likely: float = 0.5
    """How likely a stack's guess must be for it to be listed as likely, where it is not sure; off felts, where the
    picture's others speak for it, also one that was found faintly, or of whose front little is seen;"""
    found_first: float = 0.62
    """Nor is anything likely off felts where nothing is sure, and nothing that is likely was found so surely: of 135
    photographs of cards alone 21 had something likely, and four have it still; those of chips lose nothing by it."""
    plainly: float = 0.5
    """and, on a calibrated felt, how surely it must have been found;"""
    thick: float = 5.0
    """and how many pixels thick its chips must be: of thinner ones' guesses too many are wrong that look likely."""
    sure_colour: float = 0.6
    shows: float = 0.3
    """How likely the stack's front must show all;"""
    from_above: float = 0.6
    """but not that of one chip whose face looks so round (high over wide),"""
    found_from_above: float = 0.6
    """if it was found so surely."""
    found_hidden: float = 0.6
    """Of a few chips little shows: on a calibrated felt up to ``low`` of them that were found so surely are open though
    their front is hardly seen."""
    narrow: float = 0.86
    """On a calibrated felt what looks narrower than this, over how wide a chip of the measured set is there, is perhaps
    a coin: of 1 030 stacks and chips five look so, and all of twelve coins that were surely read as chips."""
    narrow_unmeasured: float = 0.8
    """The same where nobody measured the chips: some sets' are small."""
    coins: float = 0.72
    """Several of what looks so are perhaps chips if it is no narrower than this: coins are."""
    wide: float = 1.1
    """What seems to be no chip, and is read as one alone, is perhaps one if it looks no wider than this there."""
    edge: float = 0.006
    """A box that comes so near the frame (share of the picture's side) may be cut by it."""
    misshapen: float = 6.0
    """What a stack's shape may cost (``seams.Runs``) for its height to fit its width;"""
    misshapen_on_felt: float = 2.5
    """and on a calibrated felt, where the same costs less."""
    tall: int = 8
    """On a calibrated felt so many chips are a stack's, even if it leans and bulges, or was found faintly;"""
    shows_tall: float = 0.9
    """if so surely nothing hides it: then nothing but its count is open."""


def count_says(count: Count) -> float:
    """How likely the likeliest count is, if there is a chip at all."""
    return float(count.chances[1:].max())


def worth_counting(settings: Settings, find: Find, stand: Stand) -> bool:
    """Whether it may be listed at all: of what is found faintly on a felt only tall stacks are (`there`)."""
    s = settings
    return stand.thick is None or find.confidence >= s.noticed or stand.alone < s.faint_alone


def there(settings: Settings, find: Find, count: Count) -> bool:
    """Whether anything is said of a find: folds, print and shadows are found too, mostly faintly."""
    s = settings
    shown = count.shows >= s.shows
    if count.stand.thick is not None:
        if count.count == 1 and not shown:
            return find.confidence >= s.noticed_hidden
        if count.count <= s.low:
            return find.confidence >= s.noticed
    return find.confidence >= s.noticed or (shown and count_says(count) >= s.sure)


def a_shadow(settings: Settings, find: Find, count: Count, colours: Colours) -> bool:
    """Whether it is so low, so faint and so foreign that on a calibrated felt a stack's shadow is likelier."""
    s = settings
    foreign = count.stand.thick is not None and count.count <= s.low and colours.strange > 0.5
    return foreign and find.confidence < s.noticed_foreign


def judged(
    settings: Settings, find: Find, count: Count, colours: Colours, size: tuple[int, int], learned: bool
) -> ChipStack:
    """The stack as it was counted and named, in a picture of ``size`` (width, height); ``learned`` is whether its
    colours are those of a set of one's own.
    """
    s, stand, tube = settings, count.stand, find.shape == "tube"
    order, tint = ordered(colours.named)
    chance = float(count.chances[count.count]) if count.count else 0.0
    confidence = float(np.clip(chance * tint, 0, 1))
    thick = stand.across * count.step / ACROSS
    on_felt = stand.thick is not None
    bar = (s.sure_in_rack if tube else s.sure) if not on_felt else s.sure_on_felt if learned else s.sure_unlearned
    tall = on_felt and count.count >= s.tall and count.shows >= s.shows_tall
    reason, doubted, open_ = "", False, False
    if count.chances[0] > 0.5:
        reason = NO_CHIP
    elif _cut(s, find.box, stand, size):
        reason = "cut off by the picture's frame"
    elif on_felt and stand.wide < (s.narrow_unmeasured if stand.within is None else s.narrow):
        reason = A_COIN
        open_ = count.count > 1 and stand.wide >= s.coins
    elif count.count > 1 and thick < s.least_thick:
        reason = f"too small to count: a chip is {thick:.1f} pixels thick here; come closer"
    elif count.shows < s.shows and not _from_above(s, find, count):
        reason = HIDDEN
        open_ = on_felt and count.count <= s.low and find.confidence >= s.found_hidden
        doubted = not on_felt and count.count == 1
    elif count.more_below:
        reason = "more of it may stand below what was read"
    elif count.count >= MOST:
        reason = f"taller than {MOST - 1} chips"
    elif not tube and count.count > 2 and count.misshapen > (s.misshapen_on_felt if on_felt else s.misshapen):
        reason = MISFIT
        open_ = tall and find.confidence >= s.noticed
    elif colours.strange:
        reason = FOREIGN
        open_ = on_felt and find.confidence >= s.noticed
    elif tint < s.sure_colour:
        reason, doubted, open_ = "its colours could not be told apart surely", not on_felt, True
    elif find.confidence < s.noticed:
        reason, open_ = "too faint to be sure that chips are there", tall
        doubted = not on_felt
    elif confidence < bar:
        reason, doubted, open_ = "its chips could not be counted surely", True, True
    if find.shape == "other":
        # On a felt what is as wide as a chip, and was read as chips, mostly is: plain ones look like lids.
        read = (not reason or doubted or open_) and not colours.strange and count.shows >= s.shows
        alone = count.count == 1 and stand.wide <= s.wide
        if not (read and on_felt and (alone or count.count > 1)):
            return ChipStack(find.box, (), 0.0, NO_CHIP, "other", found=find.confidence)
        reason, doubted, open_ = NO_STACK, False, True
    found = not on_felt or find.confidence >= s.plainly  # off felts the picture's other finds say what this is
    plain = found and (count.count == 1 or thick >= s.thick)
    return ChipStack(
        _followed(find.box, stand, size),
        order,
        confidence,
        reason,
        "tube" if tube else "stack",
        likely=doubted and plain and confidence >= s.likely,
        open=open_ and bool(order) and count.count > 0,
        found=find.confidence,
        thickness=count.thickness,
    )


def nothing_plain(settings: Settings, stacks: Sequence[ChipStack]) -> list[ChipStack]:
    """The stacks of a picture without a calibrated felt: none is likely where nothing in it is plainly chips."""
    plain = any(it.sure or (it.likely and it.found >= settings.found_first) for it in stacks)
    return [it if plain else replace(it, likely=False) for it in stacks]


def _followed(box: Box, stand: Stand, size: tuple[int, int]) -> Box:
    """The find's box; down to the stack's foot on a calibrated felt, where more of it was found below."""
    x, y = stand.foot
    if stand.thick is None or y - box[3] < ENDED * stand.thick * stand.across:
        return box
    half = stand.across / 2
    left, right = max(min(box[0], x - half), 0.0), min(max(box[2], x + half), float(size[0]))
    return (left, box[1], right, min(y, float(size[1])))


def _from_above(settings: Settings, find: Find, count: Count) -> bool:
    """Whether it is one chip of whose front hardly anything can be seen, though nothing hides it."""
    stand = count.stand
    alone = count.count == 1 and stand.thick is None
    return alone and stand.squash >= settings.from_above and find.confidence >= settings.found_from_above


def _cut(settings: Settings, box: Box, stand: Stand, size: tuple[int, int]) -> bool:
    """Whether the stack, as it stands, reaches beyond the frame that its box touches."""
    w, h = size
    near = settings.edge * max(w, h)
    half = stand.across / 2
    x0, x1 = stand.foot[0] - half, stand.foot[0] + half
    lower = stand.foot[1] > h - 1
    over = 0.08 * stand.across
    left = box[0] <= near and x0 < -over
    right = box[2] >= w - near and x1 > w + over
    upper = box[1] <= near and stand.foot[1] - (stand.tall + stand.squash) * stand.across < -over
    return lower or left or right or upper
