// The handbook's drawings: plain felt seen from above, from the dealer's side, in a box of 360 by 200.
import { svg } from "./dom.js";

const CARD = { width: 30, height: 42 };

function group(className, ...children) {
  const node = svg("g", { class: className });
  node.append(...children);
  return node;
}

function card(x, y, { turn = 0, down = false, words = "" } = {}) {
  const { width, height } = CARD;
  const node = svg("g", { class: down ? "card down" : "card", transform: `translate(${x} ${y}) rotate(${turn})` });
  node.append(svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: 3 }));
  if (down) node.append(svg("rect", { class: "back", x: -width / 2 + 4, y: -height / 2 + 4, width: width - 8, height: height - 8, rx: 2 }));
  else if (words) node.append(svg("text", { x: -width / 2 + 4, y: -height / 2 + 14, class: "index" }, words));
  return node;
}

function chip(x, y, colour) {
  return group(`chip ${colour}`, svg("ellipse", { cx: x, cy: y, rx: 16, ry: 6 }), svg("path", { d: `M${x - 16} ${y}v5a16 6 0 0 0 32 0v-5` }));
}

function stack(x, y, colours) {
  return group("stack", ...colours.map((colour, at) => chip(x, y - at * 6, colour)));
}

function label(x, y, words, className = "label") {
  return svg("text", { x, y, class: className, "text-anchor": "middle" }, words);
}

function arrow(x1, y1, x2, y2) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const wing = (turn) => `${x2 - 9 * Math.cos(angle + turn)} ${y2 - 9 * Math.sin(angle + turn)}`;
  return group("arrow", svg("path", { d: `M${x1} ${y1}L${x2} ${y2}M${wing(0.5)}L${x2} ${y2}L${wing(-0.5)}` }));
}

function circle(x, y, words = "") {
  const node = group("spot", svg("circle", { cx: x, cy: y, r: 17 }));
  if (words) node.append(label(x, y + 5, words, "number"));
  return node;
}

function pile(x, y, height) {
  const cards = Array.from({ length: height }, (_, at) => svg("rect", { x: x - 24, y: y - at * 3, width: 48, height: 34, rx: 3 }));
  return group("pile", ...cards);
}

/** Places on the players' arc, seen from the dealer: the first on the dealer's left. */
function arc(count, radius = 118) {
  return Array.from({ length: count }, (_, at) => {
    const angle = Math.PI * (0.14 + (0.72 * at) / (count - 1));
    return [180 - radius * 1.2 * Math.cos(angle), 40 + radius * Math.sin(angle)];
  });
}

const draw = {
  ribbon: () => Array.from({ length: 17 }, (_, at) => card(60 + at * 15, 100 - Math.sin((at / 16) * Math.PI) * 18, { turn: (at - 8) * 2, words: "A23456789"[at % 9] })),
  piles: () => [
    pile(180, 26, 5), pile(288, 88, 5), pile(180, 152, 5), pile(72, 88, 5),
    svg("rect", { class: "cut-card", x: 158, y: 88, width: 44, height: 30, rx: 3 }),
    arrow(214, 46, 258, 72), arrow(258, 128, 214, 152), arrow(146, 152, 102, 128), arrow(102, 72, 146, 46),
    ...[["1", 142, 30], ["2", 328, 104], ["3", 218, 182], ["4", 32, 104]].map(([words, x, y]) => label(x, y, words)),
  ],
  cut: () => [
    pile(90, 110, 14), svg("rect", { class: "cut-card", x: 60, y: 88, width: 70, height: 6, rx: 2 }), arrow(150, 90, 200, 90),
    pile(250, 110, 14), svg("rect", { class: "cut-card", x: 220, y: 116, width: 70, height: 6, rx: 2 }), arrow(280, 70, 325, 45), card(335, 30, { down: true, turn: 12 }),
  ],
  stairstep: () => [
    card(90, 130, { words: "8" }), card(106, 114, { words: "5" }), card(122, 98, { words: "7" }),
    card(235, 130, { words: "6" }), card(251, 114, { words: "5" }), card(267, 92, { words: "4", turn: 90 }),
    arrow(135, 160, 210, 160), arrow(210, 160, 135, 160),
  ],
  bet: () => [svg("circle", { class: "spot", cx: 180, cy: 104, r: 62 }), stack(180, 118, ["black", "green", "green", "red", "red"]), arrow(70, 60, 130, 84)],
  order: () => {
    const places = arc(5);
    return [
      ...places.map(([x, y], at) => circle(x, y, String(at + 1))),
      card(166, 26, { words: "6" }), card(198, 26, { down: true }),
      ...places.slice(1).map(([x, y], at) => arrow(places[at][0] + (x - places[at][0]) * 0.28, places[at][1] + (y - places[at][1]) * 0.28, places[at][0] + (x - places[at][0]) * 0.72, places[at][1] + (y - places[at][1]) * 0.72)),
    ];
  },
  peek: () => [card(150, 70, { words: "A" }), card(196, 70, { down: true, turn: -8 }), svg("path", { class: "line", d: "M60 128a190 90 0 0 0 240 0" }), stack(120, 176, ["red"]), stack(240, 176, ["red", "red"])],
  turns: () => [
    card(60, 110, { words: "5" }), card(76, 94, { words: "6" }), card(92, 76, { words: "4", turn: 90 }),
    card(170, 110, { words: "8" }), card(214, 110, { words: "8" }), arrow(184, 150, 162, 150), arrow(200, 150, 222, 150),
    card(300, 110, { words: "A" }), card(316, 90, { words: "7", turn: 45 }),
  ],
  settle: () => {
    const places = arc(5);
    return [
      ...places.map(([x, y]) => circle(x, y)), stack(places[4][0], places[4][1], ["red"]), stack(places[3][0], places[3][1], ["red", "red"]), stack(places[1][0], places[1][1], ["green"]),
      card(160, 26, { words: "10" }), card(192, 26, { words: "8" }),
      ...[4, 3, 2, 1].map((at) => arrow(places[at][0] + (places[at - 1][0] - places[at][0]) * 0.28, places[at][1] + (places[at - 1][1] - places[at][1]) * 0.28, places[at][0] + (places[at - 1][0] - places[at][0]) * 0.72, places[at][1] + (places[at - 1][1] - places[at][1]) * 0.72)),
    ];
  },
  coup: () => [
    card(90, 90, { words: "9" }), card(124, 90, { words: "K" }), card(107, 146, { words: "3", turn: 90 }),
    card(236, 90, { words: "2" }), card(270, 90, { words: "4" }),
    ...[["1", 90], ["3", 124], ["2", 236], ["4", 270]].map(([words, x]) => label(x, 58, words)), label(72, 150, "5"),
  ],
  sizing: () => [stack(150, 130, ["red", "red", "red", "red", "red"]), stack(190, 130, ["red", "red", "red", "red", "red"]), svg("path", { class: "line", d: "M128 98h84" }), arrow(255, 126, 216, 126)],
  colours: () => [stack(110, 130, ["black", "black"]), stack(150, 130, ["green", "green", "green"]), stack(190, 130, ["red"]), svg("path", { class: "line", d: "M220 60v100" }), stack(265, 130, ["black", "black", "green", "green", "green", "red"])],
  bridge: () => [stack(140, 140, ["red", "red", "red", "red"]), stack(200, 140, ["red", "red", "red", "red"]), stack(170, 108, ["red", "red"]), arrow(265, 136, 224, 136)],
  change: () => [svg("path", { class: "line", d: "M180 40v130" }), stack(110, 140, ["black"]), stack(235, 140, ["green", "green"]), stack(275, 140, ["green", "green"]), arrow(40, 120, 84, 120), arrow(300, 120, 340, 120)],
  wrong: () => [stack(110, 140, ["red", "red", "red"]), stack(160, 140, ["red", "white"]), arrow(172, 116, 240, 76), svg("rect", { class: "rack", x: 240, y: 40, width: 90, height: 34, rx: 4 })],
  pontoon: () => [
    ...[[70, 140], [180, 160], [290, 140]].flatMap(([x, y]) => [card(x - 10, y, { down: true }), card(x + 10, y, { down: true, turn: 6 })]),
    card(168, 54, { down: true }), card(192, 54, { down: true, turn: 6 }),
  ],
  buy: () => [card(70, 100, { down: true }), card(88, 100, { down: true, turn: 5 }), card(120, 100, { down: true, turn: 12 }), stack(95, 170, ["red", "white"]), card(230, 100, { down: true }), card(248, 100, { down: true, turn: 5 }), card(284, 100, { words: "4", turn: 8 }), stack(255, 170, ["red"])],
  banker: () => [card(150, 60, { words: "10" }), card(186, 60, { words: "7" }), card(226, 60, { words: "3", turn: 6 }), ...[[90, 150], [180, 166], [270, 150]].flatMap(([x, y]) => [card(x - 8, y, { down: true }), card(x + 8, y, { down: true, turn: 5 })])],
};

/** The drawing of this name with its title; nothing for a name that none has. */
export function drawing(name, title) {
  if (!Object.hasOwn(draw, name)) return null;
  const node = svg("svg", { class: "drawing", viewBox: "0 0 360 200", role: "img", "aria-label": title });
  node.append(svg("rect", { class: "felt", width: 360, height: 200, rx: 8 }), ...draw[name]());
  return node;
}

export const drawings = Object.keys(draw);
