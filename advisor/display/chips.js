// Casino chips drawn as SVG: stacks seen from the side, one for each colour, with inserts on the edge.
import { element, part, redraw, svg } from "./dom.js";
import { strings } from "./strings.js";

// Body and inserts of the colours that tables use. A colour by another name is painted as the browser knows it, and what
// is a name and no colour in a spare one.
const PAINT = {
  white: ["#efeae0", "#8d8a80"],
  yellow: ["#e7b928", "#fff6d8"],
  red: ["#b5261e", "#fbe9dc"],
  green: ["#1d7a46", "#e9f5dd"],
  black: ["#26282b", "#e9e2cf"],
  purple: ["#6b3a94", "#f0e2fa"],
  blue: ["#2458a6", "#e2ecfa"],
  "light-blue": ["#6aa7d8", "#f2f8fd"],
  orange: ["#d46a1a", "#fdeedd"],
  pink: ["#d6708f", "#fdeef2"],
  grey: ["#7f857f", "#f0f0ea"],
  gray: ["#7f857f", "#f0f0ea"],
  brown: ["#77482a", "#f3e4d4"],
  maroon: ["#6d1f2d", "#f6e2e0"],
};
const SPARE = [
  ["#0f8b8d", "#e4f5f4"],
  ["#b0306f", "#fbe6f0"],
  ["#8a8d1f", "#f7f6dc"],
  ["#c2a36b", "#5d4a24"],
  ["#1d2f5e", "#dfe6f7"],
  ["#e58f78", "#7a2c1a"],
  ["#8fd0a8", "#1f5c39"],
  ["#9a7bd0", "#f1eafb"],
];
/** Words that a style sheet takes for a colour, of which none can be seen or foretold. */
const NO_COLOUR = /^(inherit|initial|unset|revert|transparent|currentcolor|background|canvas|field|highlight|mark|menu|window)$/;
const given = new Map();
const DRAWN = 6;
const WIDE = 44;
const DEEP = 15;
const THICK = 7;

/** How a colour by its name is painted; nothing where the name is no colour. */
function known(colour) {
  if (Object.hasOwn(PAINT, colour)) return PAINT[colour];
  const plain = colour.replaceAll(/[-_]/g, "");
  return !NO_COLOUR.test(plain) && CSS.supports("color", plain) ? [plain, "#f4ead5"] : undefined;
}

const paint = (colour) => known(colour) ?? given.get(colour) ?? SPARE[0];

/** Tells all colours of the table's set: names that are no colours are then painted apart from it and each other. */
export function paintSet(colours) {
  given.clear();
  const used = new Set(colours.map((colour) => known(colour)?.[0]));
  for (const colour of colours) {
    if (known(colour)) continue;
    // A colour within the name says most: "old-red" is red unless another chip of the set is.
    const fitting = [...colour.split(/[-_]/).map(known).filter(Boolean), ...SPARE];
    const found = fitting.find(([body]) => !used.has(body)) ?? fitting[0];
    used.add(found[0]);
    given.set(colour, found);
  }
}

/** The front edge of a disc from `from` to `to`, both from −1 (left) to 1 (right). */
function edge(from, to, y) {
  const rx = WIDE / 2;
  const ry = DEEP / 2;
  const at = (t) => [rx + t * (rx - 1), y + Math.sqrt(Math.max(0, 1 - t * t)) * ry];
  const [x1, y1] = at(from);
  const [x2, y2] = at(to);
  const radii = `${rx - 1} ${ry}`;
  return `M${x1} ${y1}A${radii} 0 0 0 ${x2} ${y2}L${x2} ${y2 + THICK}A${radii} 0 0 1 ${x1} ${y1 + THICK}Z`;
}

function disc(body, insert, y, turn) {
  const group = svg("g", { class: "disc" });
  group.append(svg("path", { class: "chip-edge", d: edge(-1, 1, y), fill: body }));
  for (const middle of [-0.72, 0, 0.72]) {
    const at = middle + turn;
    if (Math.abs(at) > 0.95) continue;
    group.append(svg("path", { d: edge(Math.max(-1, at - 0.13), Math.min(1, at + 0.13), y), fill: insert }));
  }
  return group;
}

function face(body, insert, y) {
  const cx = WIDE / 2;
  const rx = cx - 1;
  const ry = DEEP / 2;
  return [
    svg("ellipse", { class: "chip-edge", cx, cy: y, rx, ry, fill: body }),
    svg("ellipse", { class: "chip-ring", cx, cy: y, rx: rx * 0.84, ry: ry * 0.84, stroke: insert }),
    svg("ellipse", { class: "chip-middle", cx, cy: y, rx: rx * 0.6, ry: ry * 0.6, fill: body, stroke: insert }),
  ];
}

/** One stack of a colour; a tall one is drawn as six, with its count below, unless `most` lets it be taller. */
export function stack(colour, count, most = DRAWN) {
  const [body, insert] = paint(colour);
  const shown = Math.min(count, most);
  const tall = DEEP + shown * THICK + 3;
  const glyph = svg("svg", {
    class: "stack",
    viewBox: `0 0 ${WIDE} ${tall}`,
    width: WIDE,
    height: tall,
    role: "img",
    "aria-label": strings.chips(count, colour),
  });
  for (let index = 0; index < shown; index += 1) {
    const y = tall - THICK - DEEP / 2 - 1.5 - index * THICK;
    glyph.append(disc(body, insert, y, [0, 0.3, -0.22][index % 3]));
    if (index === shown - 1) glyph.append(...face(body, insert, y));
  }
  return glyph;
}

/** A chip from above, to be tapped; `value` is printed on it. */
export function flatChip(colour, value) {
  const [body, insert] = paint(colour);
  const size = Math.min(24, 62 / Math.max(2, value.length));
  return svg(
    "svg",
    { class: "flat-chip", viewBox: "0 0 64 64", "aria-hidden": "true" },
    svg("circle", { class: "chip-edge", cx: 32, cy: 32, r: 30, fill: body }),
    svg("circle", { class: "chip-inserts", cx: 32, cy: 32, r: 26.5, stroke: insert }),
    svg("circle", { cx: 32, cy: 32, r: 20, fill: "#fffdf6" }),
    svg("text", { class: "chip-value", x: 32, y: 32 + size * 0.35, "font-size": size, "text-anchor": "middle" }, value),
  );
}

/** The stacks of one pile of chips, the highest first as they came, each with its count where it is more than one. */
export function pile(chips) {
  return chips.map(({ colour, count }) => {
    const column = element("span", "chip-column");
    column.append(stack(colour, count));
    if (count > 1) {
      const figure = element("span", "chip-count figure", `×${count}`);
      figure.setAttribute("aria-hidden", "true");
      column.append(figure);
    }
    return column;
  });
}

/** The bets of a hand, and beside them what is paid. */
export function showBets(node, bets, payment) {
  return redraw(node, [bets, payment ?? null], () => {
    const made = bets.map((bet) => {
      const spot = part("div", "bet", `bet${bet.assumed ? " assumed" : ""}`);
      spot.dataset.name = bet.name;
      const chips = element("span", "pile");
      chips.append(...pile(bet.chips ?? []));
      const words = element("span", "bet-words");
      words.append(element("span", "bet-amount figure", bet.amount));
      const name = bet.name === "bet" ? "" : strings.bet(bet.name);
      const how = bet.seen ? strings.seenBet : bet.assumed ? strings.assumed : "";
      const said = [name, how].filter(Boolean).join(", ");
      if (said) words.append(element("span", "bet-name", said));
      spot.append(chips, words);
      return spot;
    });
    // What the house collects is the bet itself; only what it adds is drawn beside.
    if (payment && !String(payment.amount).startsWith("-") && (payment.chips ?? []).length > 0) {
      const paid = part("div", "paid-chips", `bet paid-chips${payment.done ? " done" : ""}`);
      const chips = element("span", "pile");
      chips.append(...pile(payment.chips));
      paid.append(element("span", "paid-sign", "+"), chips);
      made.push(paid);
    }
    return made;
  });
}
