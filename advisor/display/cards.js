// Playing cards drawn as SVG: jumbo rank above, suit below, readable from across the room.
import { strings } from "./strings.js";

const SVG = "http://www.w3.org/2000/svg";

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

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** "10H" → {rank: "10", suit: "H"}; the joker has no suit; null for anything that is no card. */
export function parse(label) {
  if (label === "JOKER") return { rank: "JOKER", suit: null };
  const found = /^(A|[2-9]|10|J|Q|K)([CDHS])$/.exec(label ?? "");
  return found ? { rank: found[1], suit: found[2] } : null;
}

export function spoken({ kind, label }) {
  if (kind === "back") return strings.back;
  const card = parse(label);
  const name = card && (card.suit ? strings.card(card.rank, card.suit) : strings.joker);
  if (kind === "unsure" || !name) return strings.unsure;
  return name;
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

/** One card as an <svg>; `card` is {kind, label} as the server sends it. */
export function cardGlyph(card) {
  const known = parse(card.label);
  const kind = card.kind === "card" && !known ? "unsure" : card.kind;
  const suit = known?.suit ?? "joker";
  const glyph = svg("svg", {
    class: `card card-${kind}${known ? ` of-${suit}` : ""}`,
    viewBox: "0 0 100 140",
    role: "img",
    "aria-label": spoken(card),
    "data-label": card.label ?? "",
  });
  glyph.append(svg("rect", { class: "stock", x: 2, y: 2, width: 96, height: 136, rx: 10 }));
  if (kind === "back") {
    // A nested viewport clips the lattice to the printed area.
    const print = svg("svg", { x: 11, y: 11, width: 78, height: 118, viewBox: "11 11 78 118" });
    print.append(
      svg("rect", { class: "back-ink", x: 11, y: 11, width: 78, height: 118, rx: 5 }),
      svg("path", { class: "back-lines", d: lattice() }),
    );
    glyph.append(print);
    return glyph;
  }
  if (kind === "unsure") {
    glyph.append(svg("text", { class: "query", x: 50, y: known ? 84 : 96, "text-anchor": "middle" }, "?"));
    if (known?.suit) {
      glyph.append(
        svg("text", { class: "guess", x: 48, y: 124, "text-anchor": "end" }, known.rank),
        suitMark(known.suit, 54, 104, 22),
      );
    }
    return glyph;
  }
  if (known.suit === null) {
    glyph.append(suitMark(null, 20, 26, 60), svg("text", { class: "joker", x: 50, y: 116, "text-anchor": "middle" }, "JOKER"));
    return glyph;
  }
  const rank = svg("text", { class: "rank", x: 11, y: 65 }, known.rank);
  if (known.rank === "10") {
    rank.setAttribute("textLength", "62");
    rank.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  glyph.append(rank, suitMark(known.suit, 33, 74, 56));
  return glyph;
}

/** The place where a card will lie. */
export function cardPlace() {
  return svg(
    "svg",
    { class: "card card-none", viewBox: "0 0 100 140", role: "img", "aria-label": strings.noDealer },
    svg("rect", { class: "stock", x: 2, y: 2, width: 96, height: 136, rx: 10 }),
  );
}
