// Playing cards drawn as SVG: jumbo rank and suit at the left, where a fan still shows them; a large suit below.
import { svg } from "./dom.js";
import { strings } from "./strings.js";

export { svg };

// Each suit fills a 100 × 100 square.
const SUITS = {
  H: "M50 93C20 67 6 50 6 31C6 17 16 8 28 8C38 8 46 14 50 24C54 14 62 8 72 8C84 8 94 17 94 31C94 50 80 67 50 93Z",
  D: "M50 3C60 21 72 38 87 50C72 62 60 79 50 97C40 79 28 62 13 50C28 38 40 21 50 3Z",
  S: "M50 4C58 24 94 40 94 62C94 74 85 81 75 81C66 81 58 77 54 69C55 80 59 90 67 96L33 96"
    + "C41 90 45 80 46 69C42 77 34 81 25 81C15 81 6 74 6 62C6 40 42 24 50 4Z",
  C: "M50 4A21 21 0 0 1 66 38.6A21 21 0 1 1 54 66C55 80 59 90 67 96L33 96C41 90 45 80 46 66"
    + "A21 21 0 1 1 34 38.6A21 21 0 0 1 50 4Z",
};
const STAR = "M50 6L61 38L95 38L68 58L78 91L50 71L22 91L32 58L5 38L39 38Z";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUIT_ORDER = ["S", "H", "D", "C"];

/** "10H" → {rank: "10", suit: "H"}; the joker has no suit; null for anything that is no card. */
export function parse(label) {
  if (label === "JOKER") return { rank: "JOKER", suit: null };
  const found = /^(A|[2-9]|10|J|Q|K)([CDHS])$/.exec(label ?? "");
  return found ? { rank: found[1], suit: found[2] } : null;
}

/** A label in words: "ten of hearts"; null for anything that is no card. */
export function labelWords(label) {
  const card = parse(label);
  return card && (card.suit ? strings.card(card.rank, card.suit) : strings.joker);
}

export function spoken({ kind, label }) {
  const name = labelWords(label);
  if (kind === "back") return name ? strings.backOf(name) : strings.back;
  if (kind === "unsure" || !name) return name ? strings.unsureOf(name) : strings.unsure;
  return name;
}

/** A card of a hand as `cardGlyph` draws it. */
export function glyphOf({ label, lies }) {
  if (lies === "down") return { kind: "back", label };
  return { kind: lies === "up" && parse(label) ? "card" : "unsure", label };
}

export function suitMark(suit, x, y, size) {
  return svg("path", {
    class: `suit suit-${suit ?? "joker"}`,
    d: SUITS[suit] ?? STAR,
    transform: `translate(${x} ${y}) scale(${size / 100})`,
  });
}

function lattice() {
  let path = "";
  for (let at = -96; at <= 72; at += 12) path += `M${14 + at} 14l112 112M${86 - at} 14l-112 112`;
  return path;
}

/** One card as an <svg>; `card` is {kind: "card" | "back" | "unsure", label}, and may lie crosswise. */
export function cardGlyph(card, { crosswise = false } = {}) {
  const known = parse(card.label);
  const kind = card.kind === "card" && !known ? "unsure" : card.kind;
  const suit = known?.suit ?? "joker";
  const glyph = svg("svg", {
    class: `card card-${kind}${known ? ` of-${suit}` : ""}${crosswise ? " crosswise" : ""}`,
    viewBox: crosswise ? "0 0 140 100" : "0 0 100 140",
    role: "img",
    "aria-label": spoken(card),
    "data-label": card.label ?? "",
  });
  const face = crosswise ? svg("g", { transform: "translate(140 0) rotate(90)" }) : glyph;
  if (crosswise) glyph.append(face);
  face.append(svg("rect", { class: "stock", x: 2, y: 2, width: 96, height: 136, rx: 10 }));
  if (kind === "back") face.append(...backFace(known));
  else if (kind === "unsure") face.append(...unsureFace(known));
  else if (known.suit === null) {
    const name = svg("text", { class: "joker", x: 50, y: 116, "text-anchor": "middle" }, "JOKER");
    face.append(suitMark(null, 20, 26, 60), name);
  } else face.append(...openFace(known));
  return glyph;
}

function openFace({ rank, suit }) {
  const text = svg("text", { class: "rank", x: 9, y: 60 }, rank);
  if (rank === "10") {
    text.setAttribute("textLength", "54");
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return [text, suitMark(suit, 11, 70, 26), suitMark(suit, 40, 78, 50)];
}

/** Face down; what it is known to be, where it is, stands small in a corner. */
function backFace(known) {
  // A nested viewport clips the lattice to the printed area.
  const print = svg("svg", { x: 11, y: 11, width: 78, height: 118, viewBox: "11 11 78 118" });
  print.append(
    svg("rect", { class: "back-ink", x: 11, y: 11, width: 78, height: 118, rx: 5 }),
    svg("path", { class: "back-lines", d: lattice() }),
  );
  if (!known) return [print];
  const words = known.suit ? known.rank : "★";
  const at = known.suit ? { x: 47, "text-anchor": "end" } : { x: 50, "text-anchor": "middle" };
  const tag = [
    svg("rect", { class: "stock", x: 16, y: 50, width: 68, height: 40, rx: 6 }),
    svg("text", { class: "guess", y: 80, ...at }, words),
  ];
  if (known.suit) tag.push(suitMark(known.suit, 53, 58, 24));
  return [print, ...tag];
}

function unsureFace(known) {
  const query = svg("text", { class: "query", x: 50, y: known ? 78 : 96, "text-anchor": "middle" }, "?");
  if (!known) return [query];
  if (!known.suit) return [query, suitMark(null, 36, 98, 28)];
  return [
    query,
    svg("text", { class: "guess", x: 48, y: 124, "text-anchor": "end" }, known.rank),
    suitMark(known.suit, 54, 104, 22),
  ];
}

/** The place where a card will lie. */
export function cardPlace(words = strings.noCard) {
  return svg(
    "svg",
    { class: "card card-none", viewBox: "0 0 100 140", role: "img", "aria-label": words },
    svg("rect", { class: "stock", x: 2, y: 2, width: 96, height: 136, rx: 10 }),
  );
}
