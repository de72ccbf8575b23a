// The sheets that put a card right: name it, take it off, move it; or add one that was not seen.
import { tell, teller, enable } from "./actions.js";
import { RANKS, SUIT_ORDER, cardGlyph, glyphOf, labelWords, parse, spoken, suitMark } from "./cards.js";
import { group, openSheet } from "./dialogs.js";
import { button, element, part, samePlace, svg, write } from "./dom.js";
import { arrows } from "./keys.js";
import { strings } from "./strings.js";

const words = strings.correct;
const MOST_HANDS = 4;
const LIES = { card: "up", back: "down", unsure: "unsure" };

/** A card by its number: {card, hand} of a played round, or null. */
export function findCard(played, number) {
  for (const hand of [...(played?.house ?? []), ...(played?.hands ?? [])]) {
    const card = (hand.cards ?? []).find((it) => it.card === number);
    if (card) return { card, hand };
  }
  return null;
}

/** Labels that the server's own proposals give this card, and the guess that was made of it. */
function guesses(played, { card, label, lies }) {
  const found = lies === "unsure" && label ? [label] : [];
  for (const fault of played.faults ?? []) {
    for (const { operation } of fault.choices ?? []) {
      if (operation.op === "name-card" && operation.card === card) found.push(operation.label);
    }
  }
  return [...new Set(found)];
}

const nameOf = (label) => (label === "back" ? words.back : labelWords(label));

/** A label as a card: null is a card that nobody has named yet. */
function pictureOf(label) {
  if (label === "back") return cardGlyph({ kind: "back" });
  return cardGlyph({ kind: label ? "card" : "unsure", label });
}

function savingWords(label) {
  if (label === null) return words.choose;
  if (label === "back") return words.saveBack;
  return label === "JOKER" ? words.saveJoker : words.save(labelWords(label));
}

/** Ranks, suits, joker and face down; calls `onPick(label or null)` at each change. */
function picker(start, onPick) {
  const known = parse(start);
  const suit = known?.suit ?? null;
  const chosen = { rank: suit && known.rank, suit, other: null };
  if (start === "back" || start === "JOKER") chosen.other = start;
  const root = element("div", "picker");
  const ranks = element("div", "rank-grid");
  ranks.setAttribute("role", "group");
  ranks.setAttribute("aria-label", words.rank);
  const suits = element("div", "suit-row");
  suits.setAttribute("role", "group");
  suits.setAttribute("aria-label", words.suit);
  const others = element("div", "other-row");
  const choose = (changes) => {
    Object.assign(chosen, { other: null }, changes);
    show();
  };
  const controls = [];
  const add = (home, className, kind, value, name, content) => {
    const control = button(`pick ${className}`, content ?? "", () => choose({ [kind]: value }));
    control.setAttribute("aria-label", name);
    control.dataset[kind] = value;
    controls.push([control, kind, value]);
    home.append(control);
    return control;
  };
  for (const rank of RANKS) add(ranks, "pick-rank", "rank", rank, strings.rank(rank), rank);
  for (const suit of SUIT_ORDER) {
    const control = add(suits, `pick-suit suit-${suit}`, "suit", suit, strings.suit(suit));
    control.append(svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suitMark(suit, 0, 0, 100)));
  }
  add(others, "pick-other", "other", "JOKER", words.joker, words.joker);
  add(others, "pick-other", "other", "back", words.back, words.back);
  root.append(ranks, suits, others);
  arrows(root, ".pick");
  const show = () => {
    for (const [control, kind, value] of controls) {
      const on = kind === "other" ? chosen.other === value : !chosen.other && chosen[kind] === value;
      control.setAttribute("aria-pressed", String(on));
    }
    onPick(chosen.other ?? (chosen.rank && chosen.suit ? chosen.rank + chosen.suit : null));
  };
  show();
  return root;
}

/** Seat and hand; calls `onPick(place)` at each change. */
function whereabouts(seats, start, onPick) {
  const place = { ...start };
  const root = element("div", "whereabouts");
  const row = (name, values, kind, label) => {
    const line = element("div", "place-row");
    line.setAttribute("role", "group");
    line.setAttribute("aria-label", name);
    for (const value of values) {
      const control = button("pick pick-place", label(value), () => {
        place[kind] = value;
        show();
      });
      control.dataset[kind] = String(value);
      line.append(control);
    }
    root.append(line);
    return line;
  };
  row(words.seat, Array.from({ length: seats + 1 }, (_, seat) => seat), "seat", strings.seat);
  row(words.hand, Array.from({ length: MOST_HANDS }, (_, index) => index + 1), "hand", strings.hand);
  arrows(root, ".pick");
  const show = () => {
    for (const control of root.querySelectorAll(".pick")) {
      const [kind] = "seat" in control.dataset ? ["seat"] : ["hand"];
      control.setAttribute("aria-pressed", String(Number(control.dataset[kind]) === place[kind]));
    }
    onPick({ ...place });
  };
  show();
  return root;
}

async function sendAndClose(change, what, control, close) {
  const answer = await tell(change, what, { control });
  if (answer.ok) close();
}

/** The sheet of one card that lies on the table. */
export function openCard(state, number) {
  const played = state.played ?? {};
  const found = findCard(played, number);
  if (number < 1) {
    // Nobody has seen it, so there is nothing yet that could be renamed or moved.
    if (found) openAddCard(state, found.hand.place, { label: "back", hint: words.underneath });
    return;
  }
  const seen = (state.sightings ?? []).find((sighting) => sighting.card === number);
  if (!found && !seen) return;
  const card = found?.card ?? { card: number, label: seen.label, lies: LIES[seen.kind] };
  const place = found?.hand.place ?? null;
  const name = spoken(glyphOf(card));
  const title = strings.placeCard(name, found?.hand.title ?? strings.pictureHeading);
  openSheet("card-sheet", title, (body, close) => {
    const known = guesses(played, card);
    if (known.length > 0) body.append(guessRow(known, number, close));

    const naming = group(words.name, "naming");
    const preview = element("div", "preview");
    let label = null;
    const save = teller("main-button", words.choose, () =>
      sendAndClose({ op: "name-card", card: number, label }, words.named, save, close));
    save.dataset.testid = "save-name";
    const start = card.lies === "down" ? "back" : card.label;
    naming.append(picker(start, (picked) => {
      label = picked;
      enable(save, picked !== null);
      write(save, savingWords(picked));
      preview.replaceChildren(pictureOf(picked));
    }));
    const confirm = element("div", "confirm");
    confirm.append(preview, save);
    naming.append(confirm);

    const moving = group(words.move, "moving");
    let target = null;
    const move = teller("plain-button", "", () =>
      sendAndClose({ op: "move-card", card: number, ...target }, words.moved, move, close));
    move.dataset.testid = "move-card";
    moving.append(whereabouts(state.table?.seats ?? 7, place ?? { seat: 1, hand: 1 }, (picked) => {
      target = picked;
      enable(move, !samePlace(picked, place));
      write(move, words.moveTo(strings.placeName(picked)));
    }), move);

    const removing = group(words.remove, "removing");
    const remove = teller("plain-button danger", words.remove, () =>
      sendAndClose({ op: "remove-card", card: number }, words.removed, remove, close));
    remove.dataset.testid = "remove-card";
    removing.append(element("p", "hint", words.removeHint), remove);
    const aside = element("div", "sheet-aside");
    aside.append(moving, removing);
    const columns = element("div", "sheet-columns");
    columns.append(naming, aside);
    body.append(columns);
    const firsts = [".guess-button", '.pick[aria-pressed="true"]', ".pick"].map((it) => body.querySelector(it));
    firsts.find(Boolean).dataset.first = "";
  });
}

function guessRow(labels, number, close) {
  const perhaps = group(words.guesses, "guesses");
  const row = part("div", "guesses", "guess-row");
  for (const label of labels) {
    const control = teller("guess-button", "", () =>
      sendAndClose({ op: "name-card", card: number, label }, words.named, control, close));
    control.dataset.label = label;
    control.append(pictureOf(label), element("span", "", nameOf(label)));
    row.append(control);
  }
  arrows(row, ".guess-button");
  perhaps.append(row);
  return perhaps;
}

/** The sheet that adds a card to a hand; `label` is what it is at first, `hint` why it is to be added. */
export function openAddCard(state, start = { seat: 1, hand: 1 }, { label: first = null, hint = "" } = {}) {
  openSheet("add-sheet", words.add, (body, close) => {
    if (hint) body.append(element("p", "hint", hint));
    let label = null;
    let place = start;
    const preview = element("div", "preview");
    const save = teller("main-button", words.choose, () =>
      sendAndClose({ op: "add-card", label, ...place }, words.added, save, close));
    save.dataset.testid = "save-add";
    const show = () => {
      enable(save, label !== null);
      const where = strings.placeName(place);
      const named = label && words.addTo(labelWords(label), where);
      write(save, label === "back" ? words.addBack(where) : (named ?? words.choose));
      preview.replaceChildren(pictureOf(label));
    };
    const naming = group(words.name, "naming");
    naming.append(picker(first, (picked) => {
      label = picked;
      show();
    }));
    const placing = group(words.where, "moving");
    placing.append(whereabouts(state.table?.seats ?? 7, start, (picked) => {
      place = picked;
      show();
    }));
    const confirm = element("div", "confirm");
    confirm.append(preview, save);
    placing.append(confirm);
    const columns = element("div", "sheet-columns");
    columns.append(naming, placing);
    body.append(columns);
    (body.querySelector('.naming .pick[aria-pressed="true"]') ?? body.querySelector(".pick")).dataset.first = "";
  });
}
