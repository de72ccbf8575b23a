"""What a reading says of the cards that are known: which sighting is which card, and what became of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from vision.assignment import assign
from vision.identity_match import ALONE, SAME_PLACE, Fit, apart, diagonal, fit, marked, overlap, steadied
from vision.identity_names import Name
from vision.identity_places import Judged, Mask, judged, look_at, outline_mask
from vision.identity_values import CARRIED, UNSEEN, Scene, Track, shape_of
from vision.sightings import CardSighting, Quad, akin, middle

CLEAR = 0.1
"""So much of the smaller one two cards may share, by their outlines, and lie beside each other."""

WHOLLY, KNOWN_WELL = 0.95, 3
"""So much of its place under another card, and a card is hidden wholly; known well is one read so often."""
RIM, ITS_OWN = 4, 0.9
"""Of a card hidden wholly by what is read so many pixels or more may still show, nearly all of them as they did."""

SHIFTED, ALTERED = 0.08, 0.5
"""A card that lies otherwise by so many diagonals, or of which less than so much looks as it did, may have something on
it."""
UNDER = 0.3
"""A card on which another one lies by so much of it cannot be taken away alone."""
LATER = 0.1
"""Seconds from one picture to another that is not the same one, heard twice."""
OUTLINED = 0.8
"""So much of the smaller one an outline shares with the card that lies there."""
WELL_SEEN, BARE = 0.9, (0.7, 0.1)
"""Of a place of which nearly all can be judged, so much must look like the table, and no more like the card."""
EMPTY = 2
"""Looks at a place that was seen empty, of which the last may be at what came over it since."""
BESIDE = 0.25
"""So much of a card's place must lie beside all that is seen now, for the table there to say that it is gone."""


def paired(tracks: Sequence[Track], sightings: Sequence[CardSighting], scene: Scene) -> list[tuple[int, int]]:
    if not tracks or not sightings:
        return []
    costs = np.full((len(tracks), len(sightings)), np.inf)
    alike: dict[tuple[int, int], Fit] = {}
    for r, t in enumerate(tracks):
        for c, s in enumerate(sightings):
            if (found := fit(t.sighting, t.up, t.name, s)) is not None:
                costs[r, c], alike[r, c] = found.cost, found
    for r, c in alike:
        if _seen_elsewhere(tracks, sightings, (r, c), alike):
            costs[r, c] = np.inf
    # Looking at the places costs more than all else, so only pairs that would be made are looked at; the best pairing
    # that holds none that fails is the best of all that could be made.
    passed: set[tuple[int, int]] = set()
    while True:
        pairs = assign(costs, ALONE)
        failed = [p for p in pairs if p not in passed and _is_another(tracks, sightings, p, alike[p], scene)]
        if not failed:
            return pairs
        passed |= set(pairs) - set(failed)
        for pair in failed:
            costs[pair] = np.inf


def _seen_elsewhere(
    tracks: Sequence[Track],
    sightings: Sequence[CardSighting],
    pair: tuple[int, int],
    alike: Mapping[tuple[int, int], Fit],
) -> bool:
    """Whether an unsure face that cannot be this card lies where it lay, while its own is plain within its reach.

    Of a pair that was parted one card had slid most of its diagonal, and a scrap of the hand that drew them apart, read
    as a ten, was nearer: the card stayed and another came.
    """
    track, seen = tracks[pair[0]], sightings[pair[1]]
    if not (track.up and track.name.sure) or seen.kind != "unsure" or track.name.may_be(seen):
        return False
    own = [k for k, s in enumerate(sightings) if s.kind == "card" and s.label == track.name.label]
    equals = sum(t.up and t.name.label == track.name.label for t in tracks)
    return len(own) >= equals and any((pair[0], k) in alike for k in own)


def _is_another(
    tracks: Sequence[Track], sightings: Sequence[CardSighting], pair: tuple[int, int], found: Fit, scene: Scene
) -> bool:
    """Whether the places show that a sighting which fits a card by distance and name is another card."""
    track, seen = tracks[pair[0]], sightings[pair[1]]
    # Where a back was drawn over the face beside it, that face would speak for the back after it was turned.
    faces = [] if track.up else [t.sighting.corners for t in tracks if t.up]
    if found.distance > SAME_PLACE and _still_beside(track, seen, faces, scene):
        return True
    differ = track.up and track.name.sure and seen.kind == "card" and seen.label != track.name.label
    # Something happened at this place, and another card's face shows; but of two suits as small as dots and of one
    # colour, one is the other misread.
    differ = differ and not akin(seen.label, track.name.label) and not _lies_under(track, tracks, sightings)
    others = [s.corners for s in sightings if s is not seen]
    return differ and track.name.readings > 1 and _touched(track, others, scene, found.distance > SAME_PLACE)


def _lies_under(track: Track, tracks: Sequence[Track], sightings: Sequence[CardSighting]) -> bool:
    """Whether a card that came later lies on this one as it lay before: what is under it was not exchanged.

    The shadow of the upper card changes what shows of the lower one, and what shows may be read as another name.
    """
    over = (
        t
        for t in tracks
        if t.up and t.here_at > track.here_at and overlap(t.sighting.corners, track.sighting.corners) > UNDER
    )
    return any(
        s.kind == "card" and s.label == t.name.label and apart(t.sighting, s) <= SAME_PLACE
        for t in over
        for s in sightings
    )


def _still_beside(track: Track, seen: CardSighting, faces: Sequence[Quad], scene: Scene) -> bool:
    """Whether the held card still shows beside the sighting, and beside the ``faces`` of others: then that is another
    card, dealt over it."""
    if scene.picture is None or scene.ground is None or track.look is None:
        return False
    blocked = outline_mask([seen.corners, *faces], scene.scale, shape_of(scene.picture), grow=1)
    none = np.zeros_like(blocked)
    there = judged(track.look, scene.ground, scene.picture, blocked, none)
    return there.enough and there.card >= 0.75 and there.card > there.table


def _touched(track: Track, others: Sequence[Quad], scene: Scene, aside: bool) -> bool:
    """Whether the place, as far as no ``others`` lie over it, looks otherwise than when the card was last seen there.

    What was dealt onto it since is no sign that this card is not the one that lay there. Where they hide all of it,
    what is read ``aside`` of it under another name is another card: one hardly slides and is misread at once.
    """
    if scene.picture is None or scene.ground is None or track.look is None:
        return False
    over = outline_mask(others, scene.scale, shape_of(scene.picture), grow=1)
    there = judged(track.look, scene.ground, scene.picture, over, np.zeros_like(over))
    return there.card < 0.92 if there.enough else aside


def as_turned(track: Track, seen: CardSighting, sightings: Sequence[CardSighting]) -> CardSighting:
    """What is seen of a card; unsure where it is being turned up and another name is read in its very place: its two
    ends were read as two cards', and one of them is half under a finger."""
    if track.up or seen.kind != "card":
        return seen
    two = (s for s in sightings if s.kind == "card" and s.label != seen.label)
    twice = any(overlap(s.corners, seen.corners) > WHOLLY for s in two)
    return replace(seen, kind="unsure") if twice else seen


def altered(track: Track, seen: CardSighting, others: Sequence[Quad], scene: Scene) -> bool:
    """Whether a face that is read at its place was shifted, or mostly looks otherwise there than it did, beside the
    ``others`` that are seen: its index shows, but something may lie on the rest of it that was not found, or was taken
    for it, such as its like from another pack."""
    if not (track.up and scene.settled and scene.fresh(seen.corners) and scene.moving(seen.corners) <= 0.05):
        return False
    aside = dist(track.sighting.centre, seen.centre) / diagonal(track.sighting.corners)
    if aside > SHIFTED and apart(track.sighting, seen) <= SAME_PLACE:
        return True
    if scene.picture is None or scene.ground is None or track.look is None:
        return False
    over = outline_mask(others, scene.scale, shape_of(scene.picture), grow=1)
    there = judged(track.look, scene.ground, scene.picture, over, np.zeros_like(over))
    return there.enough and there.card < ALTERED


def lies_free(quad: Quad, here_at: float, others: Sequence[Track], spare: Sequence[CardSighting] = ()) -> bool:
    """Whether nothing lies on what came to ``quad`` at ``here_at``: no card that came then or later, and nothing that
    is ``spare``, no card as yet. Of two that came at once nobody knows which lies on the other."""
    later = [t.sighting.corners for t in others if t.here_at >= here_at]
    return all(overlap(over, quad) <= CLEAR for over in (*later, *(s.corners for s in spare)))


def seen_again(track: Track, seen: CardSighting, scene: Scene, free: bool = True) -> Track:
    """The card after a reading of it; ``free`` as `lies_free` says."""
    moving = scene.moving(seen.corners)
    fresh = scene.fresh(seen.corners)
    if not fresh:
        # Repeated from before: it says nothing of what lies over the place now.
        if moving > 0.25:
            return replace(track, covered=True)
        # Yet what other cards show since may tell which card it is: that its deck prints one pip on every number.
        told = seen.kind == "card" and track.up and not track.name.sure and scene.settled and moving <= 0.05
        name = track.name.heard(seen, free) if told else track.name
        return replace(track, name=name, covered=False, last_seen=scene.at, empty_at=None, unseen_at=None)
    track = replace(track, covered=False, last_seen=scene.at, missed=0, empty_at=None, unseen_at=None)
    if not scene.settled or moving > 0.05:
        return track
    face = seen.kind != "back"
    grown_at = track.grown_at if track.grown_at is not None else scene.at
    if face and track.up and 0 < len(track.sighting.indices) <= len(seen.indices) - 2 and scene.at - grown_at < LATER:
        # An equal card may have been laid over it: in one picture all their indices look like one card's.
        return replace(track, grown_at=grown_at)
    up, name, contrary = track.up, track.name, 0
    if face != up:
        # A face that is read surely was turned up; anything less, or a back, must be seen twice.
        contrary = track.contrary + 1
        if seen.kind == "card" or contrary >= 2:
            up, contrary = face, 0
            name = Name().heard(seen, free)
    else:
        name = name.heard(seen, free)
    sighting = steadied(track.sighting, seen) if face == track.up else seen
    here_at, slid_from, marks = track.here_at, track.slid_from, track.marks
    if apart(track.sighting, seen) > SAME_PLACE:
        here_at, slid_from, marks = scene.at, replace(track, slid_from=None), ()
    if name.label is not None and seen.label == name.label:
        marks = marked(marks, seen)
    look = track.look
    if scene.picture is not None:
        look = look_at(scene.picture, sighting.corners, scene.scale, scene.ground.light if scene.ground else 1.0)
    return replace(
        track,
        sighting=sighting,
        name=name,
        up=up,
        contrary=contrary,
        look=look,
        here_at=here_at,
        slid_from=slid_from,
        marks=marks,
        hits=min(track.hits + 1, 1000),
        grown_at=None,
    )


def unseen(
    track: Track,
    tracks: Sequence[Track],
    sightings: Sequence[CardSighting],
    partner: dict[int, CardSighting],
    scene: Scene,
) -> Track:
    """The card after a reading without it."""
    at, quad = scene.at, track.sighting.corners
    gone = replace(track, left=True, empty_at=at)
    if not scene.settled or scene.moving(quad) > 0.25:
        if track.empty_at is None or at - track.empty_at < CARRIED:
            return replace(track, covered=True, missed=0, unseen_at=None)
        # Its place was seen empty; what moves over it since does not bring it back.
        return replace(gone, empty_at=track.empty_at)
    missed = track.missed + scene.fresh(quad)
    track = replace(track, missed=missed, covered=True)
    if scene.picture is None or scene.ground is None or track.look is None:
        since = at if track.unseen_at is None else track.unseen_at
        return gone if at - since >= UNSEEN else replace(track, unseen_at=since)
    shape = shape_of(scene.picture)
    # Only what came here since can be what hides it; the others are part of how its place looked.
    owners = {id(s): tracks[row] for row, s in partner.items()}
    came = [s.corners for s in sightings if id(s) not in owners or owners[id(s)].here_at > track.last_seen]
    cards = outline_mask(came, scene.scale, shape, grow=1)
    place = track.look.place
    window = track.look.window
    overlaid = np.count_nonzero(place & cards[window]) / max(int(np.count_nonzero(place)), 1)
    blocked = cards if scene.restless is None else cards | scene.restless
    unseen = outline_mask(
        [t.sighting.corners for k, t in enumerate(tracks) if k not in partner], scene.scale, shape, grow=1
    )
    there = judged(track.look, scene.ground, scene.picture, blocked, unseen)
    gone = replace(gone, missed=missed)
    bare = there.enough and there.known >= 0.5 and there.table >= 0.8 and there.table > there.card
    # Where what is known of the table is wrong in part, as beside cards that lay long, it shows in most of the place.
    bare = bare or (missed > 1 and min(there.free, there.known) >= WELL_SEEN and _mostly_bare(there))
    if bare:
        since = at if track.empty_at is None else track.empty_at
        # While something still moves the card may be in a hand, on its way to another place.
        carried = scene.restless is not None and bool(scene.restless.any()) and at - since < CARRIED
        return replace(track, empty_at=since) if carried else replace(gone, empty_at=since)
    if there.enough and there.card >= 0.75:
        # It looks as it did, only the reader missed it; what was never there is missed again and again, and has no
        # outline.
        outlined = track.name.sure and _outlined(track, sightings, scene)
        never = there.free >= 0.5 and missed >= min(2 + track.hits, 8) and not outlined
        missed = 0 if outlined else missed
        return gone if never else replace(track, covered=False, missed=missed, empty_at=None, unseen_at=None)
    beside = not track.name.sure and _bare_beside(track, sightings, unseen, scene)
    if beside and missed >= 2:
        return gone
    larger = _ring_changed(track, tracks, partner, blocked, unseen, scene)
    # A strip too thin to be looked at may peep out, whose half covered index nobody can read.
    rim = there.pixels >= RIM and there.card >= ITS_OWN and there.card > there.table
    peeps = not there.enough and (overlaid < WHOLLY or rim) and track.name.sure and track.hits >= KNOWN_WELL
    if overlaid >= 0.5 and not larger and not peeps:
        # Another card lies here, and no part of this one shows from under it.
        return gone if missed >= 2 else replace(track, empty_at=None, unseen_at=None)
    if track.empty_at is not None and missed >= EMPTY:
        # It was looked at and was empty before something came over it, or its shadow: that does not bring it back.
        return replace(gone if at - track.empty_at >= CARRIED else track, empty_at=track.empty_at)
    if larger or not there.enough:
        return replace(track, missed=missed if beside else 0, empty_at=None, unseen_at=None)
    since = at if track.unseen_at is None else track.unseen_at
    return gone if at - since >= UNSEEN else replace(track, unseen_at=since, empty_at=None)


def _outlined(track: Track, sightings: Sequence[CardSighting], scene: Scene) -> bool:
    """Whether an outline was found where the card lies that is none of those that are seen: what was read once between
    two cards of a hand lies mostly in theirs."""
    quad = track.sighting.corners

    def its_own(outline: Quad) -> bool:
        away = dist(middle(outline), middle(quad))
        return all(dist(middle(outline), s.centre) > away for s in sightings)

    return any(overlap(outline, quad) > OUTLINED and its_own(outline) for outline in scene.outlines)


def _mostly_bare(there: Judged) -> bool:
    """Whether the table shows in so much of a place, and nothing of the card, that none can lie there."""
    return there.table >= BARE[0] and there.card <= BARE[1]


def _bare_beside(track: Track, sightings: Sequence[CardSighting], unseen: Mask, scene: Scene) -> bool:
    """Whether the bare table shows wherever this card is not under one that is seen now: what was never named surely
    was part of another card, or of a hand that lay there."""
    if scene.picture is None or scene.ground is None or track.look is None:
        return False
    cards = outline_mask([s.corners for s in sightings], scene.scale, shape_of(scene.picture), grow=1)
    blocked = cards if scene.restless is None else cards | scene.restless
    there = judged(track.look, scene.ground, scene.picture, blocked, unseen)
    return there.free >= BESIDE and there.known >= 0.5 and there.table >= 0.8 and there.table > there.card


def _ring_changed(
    track: Track,
    tracks: Sequence[Track],
    partner: dict[int, CardSighting],
    blocked: Mask,
    unseen: Mask,
    scene: Scene,
) -> bool:
    """Whether something larger than a card lies over this card or over unseen ones that touch it: the felt around
    them changed too."""
    assert scene.picture is not None and scene.ground is not None
    hidden = [t for k, t in enumerate(tracks) if k not in partner and t.look is not None]
    joined = {id(track)}
    group = [track]
    for one in group:
        for t in hidden:
            reach = 0.6 * (diagonal(one.sighting.corners) + diagonal(t.sighting.corners))
            near = np.hypot(*np.subtract(one.sighting.centre, t.sighting.centre)) <= reach
            if id(t) not in joined and near and overlap(one.sighting.corners, t.sighting.corners) > 0.02:
                joined.add(id(t))
                group.append(t)
    changed = pixels = 0
    for t in group:
        assert t.look is not None
        j = judged(t.look, scene.ground, scene.picture, blocked, unseen)
        changed, pixels = changed + j.ring_changed, pixels + j.ring
    return pixels >= 8 and changed > 0.15 * pixels
