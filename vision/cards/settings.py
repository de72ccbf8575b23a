"""The card reader's thresholds: one set for every source, and what a watched camera has otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Thresholds, all chances between 0 and 1; one set for every source."""

    scales: tuple[int, ...] = (448,)
    """Longer sides of the pictures that are always searched."""
    closer: tuple[int, ...] = (640, 896, 1280, 1600)
    """Sides to choose from for a closer look; few, so that a table that changes little is looked at alike. The last is
    for small cards on a wide felt and for ribbons (EXPERIMENTS, row 76)."""
    small_index: float = 24.0
    """Diagonal in pixels, at the last of ``scales``, under which indices call for a closer look."""
    good_index: float = 26.0
    """The diagonal that the closer look should give the typical index."""
    seen_index: float = 13.0
    """Diagonal in pixels from which an index is not overlooked altogether; a closer look need not go beyond finds."""
    beside: float = 0.6
    """How far around a find a closer look goes, in shares of its sides; four times so far around an index."""
    worth_parting: float = 0.7
    """A closer look at parts must cost at most this share of one at everything."""
    closest: int = 1920
    """The longer side at which a part that is read again is looked at besides, where indices are still small in the
    picture's last pass. Over all of the picture that costs as much again as everything else (EXPERIMENTS, row 57);"""
    closest_share: float = 0.15
    """so the parts must be no more of the picture than this."""
    growing: float = 1.6
    largest_growth: float = 1.3
    least_found: float = 0.25
    least_in_row: float = 0.08
    """The same for an index that stands in a row of others, and is then asked about (:mod:`vision.cards.rows`)."""
    in_a_row: tuple[float, float] = (0.4, 0.6)
    """How surely found, and how surely named, the indices must be whose row speaks for a faint one."""
    least_outline: float = 0.4
    outlined: float = 0.5
    """From here on an outline says that a card lies there, though not that a new one does."""
    least_back: float = 0.5
    least_named: float = 0.3
    """An index whose likeliest face is less likely than "none", with "none" over this, is dropped: nothing is read
    there, and a card around it still shows as an outline."""
    least_lonely: float = 0.7
    """How sure an outline without a readable index must be to be shown."""
    sure: float = 0.85
    """How likely a card's name must be for it to be listed as sure."""
    poor: float = 0.93
    """Where half of a picture's other cards are named less likely than this, it is a poor one,"""
    sure_in_poor: float = 0.965
    """and a name must be this likely there: of cards of .85 to .95 one in six is wrong in such a picture, in others one
    in thirty (248 rendered cards); of 20 cards over .95 in a ribbon of blocky white cards five were."""
    sure_in_row: float = 0.96
    """The same for what was found too faintly, where a row of cards says that one may stand there,"""
    sure_in_gap: float = 0.93
    """and for what was hardly found, or not at all, in a gap of an even row, where one must stand."""
    joker_in_row: float = 0.85
    """The same for jokers: their corners may hold anything, so that a faint find says nothing against them (190
    rendered fans: of 22 read so at .5 to .97, all were jokers)."""
    unrivalled_joker: tuple[float, float] = (0.6, 0.02)
    """In a row one named so likely is sure too where no other name is as likely as the second: all that speaks against
    it is that it may be no index, and there one should stand (12 such in 760 rendered fans, all jokers)."""
    none_beyond: float = 0.1
    """So little chance of "none" must be left to what is read one step beyond a row's end, where nothing was found."""
    noticed: float = 0.3
    """How surely an index must have been found. Over this, a faint find's name is as often right as a sure one's."""
    again: tuple[int, ...] = (224, 320, 640, 896)
    """Sides of the looks that are asked how surely an index is there which is read plainly and was found more faintly
    than that (:mod:`vision.cards.second_look`)."""
    large: float = 0.05
    """Where indices are mostly larger than this, in shares of the picture's longer side, faint finds that nothing
    speaks for are read as well, and asked about where they are plainly a card that is not listed."""
    faint: float = 0.5
    """Finds fainter than this are shown only where their name is likely."""
    vague: tuple[float, float] = (0.6, 0.2)
    """What is found less surely than the first and named less likely than the second is no card (of 310 rendered hands
    11 finds were so: nine pips and scraps of print, and one card, in a hand of which more was asked about)."""
    likely: float = 0.9
    guessed: float = 0.5
    """How likely a faint find's name must be for it to be shown as unsure: without an outline, and with one."""
    beyond_doubt: float = 0.995
    """A name less likely than this is looked for in the whole face too, where the card's outline was found;"""
    plain: float = 24.0
    """and so is any whose indices are less than this across, in pixels: a suit of five pixels that looks like another
    looks so at both ends of the card."""
    temperature: float = 1.0
    jokers_rarer: float = 1.0
    """So many times less likely a joker than its index alone says: more than 1 where the game has none."""
    gaps: bool = True
    """Whether a card that is missing from an even row is asked about (:mod:`vision.cards.gaps`)."""
    one_pack: bool = True
    """Whether many cards that are plainly of one pack are told apart by each other (:mod:`vision.cards.one_pack`)."""
    sure_in_pack: float = 0.95
    """How likely a name must be there for what was found faintly: of 170 such cards in 238 rendered ribbons all were
    right, of the twelve between that and .98 too."""
    upright: float = -3.0
    """Where what a picture's mirror image shows comes to that, or less (:mod:`vision.cards.mirrors`), it is the right
    way round: an index or two are plain there."""


LIVE = Settings(
    closer=Settings().closer[:-1],
    least_in_row=0.06,
    in_a_row=(1.0, 1.0),
    least_back=0.12,
    again=(),
    gaps=False,
    one_pack=False,
    sure=0.9,
    poor=0.0,
    vague=(0.0, 0.0),
    sure_in_row=2.0,
    sure_in_gap=2.0,
    joker_in_row=2.0,
    unrivalled_joker=(2.0, 0.0),
    jokers_rarer=50.0,
    upright=-4.0,
)
"""For a camera that is watched: many looks tell more than one close look, and a round waits for none. A faint back,
however faint, counts where the table or the face below is known to have looked otherwise
(:mod:`vision.identity_faint`). Nobody holds a fan there, and what is found faintly in a row of cards is mostly what
peeps out of those underneath: it counted as a card more. Two at both ends of an outline that are read alike are a card,
however faint: pips that run into the indices leave no more of a whole deck. The games at such a table have no jokers:
half a six under a ten was one at .75, and a hand had a card more. A camera is turned round by a card that tells plainly
at both its ends, or by two."""
