"""What was seen and is no card yet: what is believed becomes a card, new or carried here from another place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from vision.identity_evidence import lies_free, seen_again
from vision.identity_match import (
    SAME_INDEX,
    SAME_PLACE,
    apart,
    diagonal,
    index_distances,
    marked,
    overlap,
    shows_diagonal,
    within,
)
from vision.identity_names import POSSIBLE, Name
from vision.identity_places import Look, judged, look_at
from vision.identity_values import CARRIED, SECOND, SURE_BACK, Candidate, Scene, Track, shape_of
from vision.sightings import CardSighting, Quad, akin, of_one_colour

TOUCHED = 0.1
"""A face that lies over a back by more of the smaller one's area may be that back's, as it is turned."""

OTHER_END, LOOKS = 0.4, 3
"""A face that shows one index and lies over one of its own name that shows one too, by more of the smaller one's area,
is believed after so many looks: while a card is turned its ends lie as no card's do, and are read as two cards'. So is
one of another name that lies just on a card that is there."""
ONE_PLACE = 0.9
"""So much of one lies over the other where both are in one place."""

HALF_COVERED, POORLY, HARDLY = 0.13, 0.5, 0.8
"""How far aside, in diagonals, an index may seem to lie of which another card covers a half; how poorly it is read
where it is another name's, and where that is of the same suit: half a three was a two at .72."""

OVER = 0.7
"""So much of one lies over the other where both are taken for one card."""

NEARLY_SURE, HIDDEN = 0.9, 0.6
"""What was named so likely and lies so little open to view now is taken for a card that was covered."""

ASIDE = 1.2
"""So far aside, in diagonals, a pair's cards are drawn when it is split."""
DRAWN = 2.0
"""So many diagonals a card may have been drawn while a hand hides where it lay."""
GIVEN_BACK = 5.0
"""Seconds within which nobody can have laid an equal card just where one lay that slid aside."""


def candidates_after(
    held: Sequence[Candidate],
    spare: Sequence[CardSighting],
    tracks: Sequence[Track],
    scene: Scene,
    known: Sequence[CardSighting] = (),
) -> list[Candidate]:
    """What was seen and is no card yet, after this reading, whose other sightings are of cards that are ``known``."""
    out: list[Candidate] = []
    left = list(held)
    for s in spare:
        if any(_in_its_place(s, other) for other in spare if other is not s):
            continue
        if not scene.settled or scene.moving(s.corners) > 0.05:
            continue
        # Of two equal cards that this reading shows whole neither is the other over again, though a reading before
        # mixed their indices up.
        equal = any(_both_whole(s, it) for it in known)
        if _repeats(s, [t for t in tracks if not equal or t.name.label != s.label], scene):
            continue
        before = next((c for c in left if _same(c.sighting, s)), None)
        fresh = scene.fresh(s.corners)
        if before is not None:
            left.remove(before)
            look = before.look or _look(s, scene)
            out.append(Candidate(s if fresh else before.sighting, before.count + fresh, before.since, scene.at, look))
        else:
            # What was read while something moved there, or the table's look alone tells of, asks for a reading at rest.
            out.append(Candidate(s, int(fresh), scene.at, scene.at, _look(s, scene)))
    for c in left:
        # A held card on its way here: its suit was misread as it moved.
        if any(akin(it.label, c.sighting.label) and apart(it, c.sighting) <= SAME_PLACE for it in known):
            continue
        # Hidden before it was believed: it may come out again. Read again and not there: it never was.
        hidden = not scene.settled or scene.moving(c.sighting.corners) > 0.05
        if scene.at - c.last > CARRIED:
            continue
        if hidden or not scene.fresh(c.sighting.corners):
            out.append(c)
        elif _laid_over(c, scene):
            out.append(replace(c, count=c.count + 1))
    return out


def _in_its_place(one: CardSighting, other: CardSighting) -> bool:
    """Whether the same reading shows an equal card in the same place that was read more surely: while a card is laid,
    two of its indices may fit no one card."""
    if one.kind != "card" or other.kind != "card" or one.label != other.label:
        return False
    near = dist(one.centre, other.centre) <= SAME_PLACE * diagonal(one.corners)
    ranks = [(len(s.indices), s.confidence, s.centre) for s in (one, other)]
    return near and ranks[0] < ranks[1]


def _suit(label: str | None) -> str | None:
    return label[-1] if label else None


def _both_whole(one: CardSighting, other: CardSighting) -> bool:
    """Whether two sightings are of two equal cards, each with both its ends and in a place of its own."""
    alike = one.kind == other.kind == "card" and one.label == other.label
    far = dist(one.centre, other.centre) > SAME_PLACE * diagonal(one.corners)
    return alike and far and shows_diagonal(one) and shows_diagonal(other)


def _look(seen: CardSighting, scene: Scene) -> Look | None:
    """How the place looks of what is read just now, well enough that it may be a card that is hidden next."""
    well = seen.kind == "unsure" and seen.confidence >= NEARLY_SURE and scene.fresh(seen.corners)
    if not well or scene.picture is None or scene.ground is None:
        return None
    return look_at(scene.picture, seen.corners, scene.scale, scene.ground.light)


def _laid_over(c: Candidate, scene: Scene) -> bool:
    """Whether something lies now where a nearly sure card was read: not that card, nor the bare table. A dealer's hand
    that rests on the card before it takes up all of them leaves no second look at it."""
    if c.look is None or scene.picture is None or scene.ground is None:
        return False
    none = np.zeros(shape_of(scene.picture), np.bool_)
    there = judged(c.look, scene.ground, scene.picture, none, none)
    return there.enough and there.known >= 0.5 and max(there.card, there.table) < HIDDEN


def _same(one: CardSighting, other: CardSighting) -> bool:
    """Whether two readings' sightings may be one card's: by their places, and by their names where one is sure."""
    if (one.kind == "back") != (other.kind == "back") or apart(one, other) > 0.25:
        return False
    if one.kind == other.kind == "card":
        return one.label == other.label
    named, guess = (one, other) if one.kind == "card" else (other, one)
    if named.kind != "card" or guess.label is None:
        return True
    return guess.label == named.label or guess.probabilities.get(named.label or "", 0.0) >= POSSIBLE


def _repeats(seen: CardSighting, tracks: Sequence[Track], scene: Scene) -> bool:
    """Whether a sighting is a second one of a card that is held: the same index, or a bare outline of the same place.

    Two equal cards from two packs have two indices in two places. A face that this very reading shows besides is no
    reason to pass over a back that lies on most of it, as after a double: readings show no card twice but a back that
    is being turned. And indices of such a card are that card's, whatever name of its colour they were read as this
    time: all of them, for where a card lies across another, one of its indices may come to lie just where the other's
    was.
    """
    for t in tracks:
        if t.up and t.last_seen >= scene.at and _in_one_place(seen, t.sighting):
            return True  # Two cards in one place would not both show an index: others of its own, misread.
        if t.up and t.last_seen >= scene.at and len(seen.indices) == 1 and _on_its_like(seen, t):
            return True  # One of its own corners, its suit misread: a card laid there shows more than one of its own.
        size = diagonal(t.sighting.corners)
        marks = index_distances(t.sighting, seen)
        shown = t.last_seen >= scene.at and scene.fresh(t.sighting.corners)
        # Read in part just now, the card shows its other part from before: a suit misread here is no other card's.
        misread = shown and of_one_colour(seen.label, t.name.label)
        its_own = misread or (t.last_seen >= scene.at and akin(seen.label, t.name.label))
        # One that lies across the card, as a double does, may have its own index just there.
        turned = index_distances(t.sighting, seen, alike=True)
        alike = [mark <= SAME_INDEX * size for mark in turned]
        least = HARDLY if _suit(seen.label) == _suit(t.name.label) else POORLY
        poor = seen.confidence < least and of_one_colour(seen.label, t.name.label)
        possible = t.name.may_be(seen) or akin(seen.label, t.name.label)
        own = t.up and t.name.sure and seen.kind == "unsure" and (possible or poor)
        if own and any(mark <= HALF_COVERED * size for mark in marks):
            return True  # Under another card's edge an index of its own is found by what shows of it, and aside.
        if any(alike) and (seen.label == t.name.label or (all(alike) and (seen.kind == "unsure" or its_own))):
            return True
        left_over = possible if seen.kind == "unsure" or t.last_seen >= scene.at else seen.label == t.name.label
        if seen.kind != "back" and t.up and left_over and within(t.marks, seen):
            return True  # What is left of an index that was read before another card came to lie on half of it.
        besides = seen.kind == "back" and shown and t.up
        bare = (seen.kind == "back" or seen.label is None) and not t.covered and not besides
        if bare and apart(t.sighting, seen) < 0.2 and overlap(t.sighting.corners, seen.corners) > OVER:
            return True
    return False


def published(
    kept: list[Track],
    candidates: list[Candidate],
    gone: tuple[Track, ...],
    following: int,
    scene: Scene,
    backs: Sequence[Quad] = (),
) -> tuple[list[Track], list[Candidate], tuple[Track, ...], int]:
    """Candidates that are now believed become cards: new ones, or ones that were carried here. ``backs`` are those that
    this reading shows."""
    waiting: list[Candidate] = []
    for c in candidates:
        label = c.sighting.label if c.sighting.kind == "card" else None
        if (slid := _not_slid(c, kept, scene)) is not None:
            there, began = slid
            kept = [began if t is there else t for t in kept]
            other = Candidate(there.sighting, 1, there.here_at, there.last_seen)
            kept.append(_begun(following, other, scene, lies_free(other.sighting.corners, other.since, kept)))
            following += 1
            continue
        # A card on its way from back to face shows its corner where it will not lie; and a back's pattern may look like
        # an index.
        over = (*backs, *(t.sighting.corners for t in kept if not t.up))
        turning = c.sighting.kind != "back" and any(overlap(back, c.sighting.corners) > TOUCHED for back in over)
        alike, twins = _known(c, (*kept, *gone), candidates)
        carried = [t for t in alike if t.empty_at is not None and abs(c.since - t.empty_at) <= CARRIED]
        if len(carried) == 1 and not twins and not turning:
            track = carried[0]
            kept = [t for t in kept if t is not track]
            gone = tuple(t for t in gone if t is not track)
            kept.append(_begun(track.card, c, scene, lies_free(c.sighting.corners, c.since, kept), track))
            continue
        hidden = [t for t in alike if label is not None and t.covered and t.empty_at is None]
        # One drawn out from under a hand may have its suit misread as long as it moves.
        hidden = hidden or [t for t in kept if t.covered and t.empty_at is None and _misread_nearby(t, c.sighting)]
        replaces = any(
            t.covered and t.missed > 0 and overlap(t.sighting.corners, c.sighting.corners) > 0.5 for t in kept
        )
        sure = label is not None or (c.sighting.kind == "back" and c.sighting.confidence >= SURE_BACK)
        # It may be the card that is covered, or (while its name is not read) one that was just taken up.
        unclear = (len(hidden) == 1 and not twins) or (c.sighting.kind == "unsure" and any(gone))
        unclear = unclear and scene.at - c.since < CARRIED
        same = label is not None and any(
            _other_end(c.sighting, t.sighting) if t.name.label == label else _just_on(c.sighting, t) for t in kept
        )
        wedged = any(_wedged(c.sighting, t, scene) for t in kept)
        if unclear or c.count < (LOOKS if same else 2 if replaces or turning or wedged or not sure else 1):
            waiting.append(c)
            continue
        kept.append(_begun(following, c, scene, lies_free(c.sighting.corners, c.since, kept)))
        following += 1
    return kept, waiting, gone, following


def _wedged(new: CardSighting, track: Track, scene: Scene) -> bool:
    """Whether a card's indices stand so near to those of one that is seen too that both can hardly show: what lies
    beside an index, its pip and an edge, may be read as another."""
    if not track.up or track.last_seen < scene.at:
        return False
    marks = index_distances(track.sighting, new)
    return bool(marks) and max(marks) <= HALF_COVERED * diagonal(track.sighting.corners)


def _in_one_place(guess: CardSighting, card: CardSighting) -> bool:
    """Whether an unsure face lies exactly where a card does that shows an index."""
    shown = guess.kind == "unsure" and bool(guess.indices) and bool(card.indices)
    return shown and overlap(guess.corners, card.corners) > ONE_PLACE


def disputed(
    tracks: Sequence[Track], spare: Sequence[CardSighting], scene: Scene, strange: Collection[int]
) -> list[Track]:
    """The cards, with count kept of readings since one showed an unsure face over it, or it looked ``strange`` (by its
    number): one of its own indices may be misread, but something may have come to lie on it, and that is best seen
    once the hand is gone. After `LOOKS` the same proves nothing anew."""

    def after(t: Track) -> Track:
        if not (scene.settled and t.up and t.last_seen >= scene.at and scene.fresh(t.sighting.corners)):
            return t
        besides = t.card in strange or any(
            s.kind == "unsure" and overlap(s.corners, t.sighting.corners) > OVER for s in spare
        )
        if besides or 0 < t.disputed < LOOKS:
            return replace(t, disputed=min(t.disputed + 1, LOOKS))
        return replace(t, disputed=0) if t.disputed else t

    return [after(t) for t in tracks]


def _on_its_like(seen: CardSighting, track: Track) -> bool:
    """Whether a face's index lies on a card of its rank and colour that is known surely and shows both its ends."""
    if not (track.name.sure and akin(seen.label, track.name.label) and seen.label != track.name.label):
        return False
    return len(track.sighting.indices) > 1 and within([track.sighting.corners], seen)


def _other_end(one: CardSighting, other: CardSighting) -> bool:
    """Whether two sightings of one name may be the two ends of a single card."""
    single = len(one.indices) == len(other.indices) == 1
    return single and overlap(one.corners, other.corners) > OTHER_END


def _misread_nearby(track: Track, seen: CardSighting) -> bool:
    """Whether a sure face may be this card on its way, with its suit misread."""
    if seen.kind != "card" or not akin(seen.label, track.name.label):
        return False
    return seen.label != track.name.label and apart(track.sighting, seen) <= DRAWN


def _just_on(card: CardSighting, track: Track) -> bool:
    """Whether a face lies so exactly on another that their indices are in the same places.

    A hand that lies over a card and hides a part of its indices has it misread; that a card was laid there is rarer.
    """
    if not track.up or overlap(card.corners, track.sighting.corners) <= ONE_PLACE:
        return False
    size = diagonal(track.sighting.corners)
    marks = index_distances(track.sighting, card)
    return bool(marks) and all(mark <= SAME_INDEX * size for mark in marks)


def _not_slid(c: Candidate, tracks: Sequence[Track], scene: Scene) -> tuple[Track, Track] | None:
    """The card that was taken to have slid from where a card of its name now shows, and that card seen there again.

    An equal card was laid beside it while a hand hid its place: the first did not stir, and the other one is new.
    """
    if c.sighting.kind != "card":
        return None
    for t in tracks:
        began = t.slid_from
        if began is None or t.name.label != c.sighting.label or scene.at - t.here_at > GIVEN_BACK:
            continue
        if apart(began.sighting, c.sighting) <= SAME_PLACE < apart(t.sighting, c.sighting):
            return t, seen_again(began, c.sighting, scene)
    return None


def _known(
    c: Candidate, tracks: Sequence[Track], candidates: Sequence[Candidate]
) -> tuple[list[Track], list[Candidate]]:
    """The cards that a candidate may be by its name, and the other candidates that may be them too."""
    others = [o for o in candidates if o is not c]
    if c.sighting.kind == "card":
        label = c.sighting.label
        alike = [t for t in tracks if t.up and t.name.sure and t.name.label == label]
        # Of a pair that is drawn apart one may have been read too badly to be named where it lay under the other.
        alike = alike or [t for t in tracks if _beside_unread(t, c.sighting)]
        return alike, [o for o in others if o.sighting.kind == "card" and o.sighting.label == label]
    if c.sighting.kind == "unsure" and c.count >= 2:
        alike = [t for t in tracks if t.up and _may_be(t, c.sighting)]
        return alike, [o for o in others if any(_may_be(t, o.sighting) for t in alike)]
    return [], []


def _beside_unread(track: Track, seen: CardSighting) -> bool:
    """Whether a card that was never named surely, of this colour, lay so near that it may have been drawn here."""
    unread = track.up and not track.name.sure and of_one_colour(track.name.label, seen.label)
    return unread and dist(track.sighting.centre, seen.centre) < ASIDE * diagonal(seen.corners)


def _may_be(track: Track, guess: CardSighting) -> bool:
    """Whether a guess leaves open which held card it is. Of a card that was never read surely each look guesses anew:
    of its name the colour alone stays."""
    return track.name.may_be(guess) or (not track.name.sure and of_one_colour(track.name.label, guess.label))


def _begun(number: int, c: Candidate, scene: Scene, free: bool, was: Track | None = None) -> Track:
    look = None
    if scene.picture is not None:
        look = look_at(scene.picture, c.sighting.corners, scene.scale, scene.ground.light if scene.ground else 1.0)
    name = (was.name if was else Name()).heard(c.sighting, free)
    return Track(
        card=number,
        sighting=c.sighting,
        name=name,
        up=c.sighting.kind != "back",
        since=was.since if was else c.since,
        last_seen=scene.at,
        look=look,
        moved_at=scene.at if was else None,
        here_at=c.since,
        hits=was.hits + 1 if was else c.count,
        marks=marked((), c.sighting),
    )


def doubts(tracks: Sequence[Track], candidates: Sequence[Candidate]) -> list[Quad]:
    out = [c.sighting.corners for c in candidates]
    for t in tracks:
        unsure = t.up and not t.name.sure and t.hits < SECOND
        missing = t.missed > 0 and t.missed < 8 and (not t.covered or t.missed < 2)
        contested = t.name.contested and not t.covered
        grown = t.grown_at is not None and not t.covered
        questioned = 0 < t.disputed < LOOKS and not t.covered
        if unsure or missing or contested or questioned or t.name.rival_readings or t.contrary or grown:
            out.append(t.sighting.corners)
    return out
