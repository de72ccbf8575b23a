// The picture of a hand with its cards marked. A tap anywhere chooses the nearest card.
import { parse, suitMark, svg } from "./cards.js";
import { button, h } from "./rummy-dom.js";
import { words } from "./strings-rummy.js";

const TAG = 15;
const REACH = 60;
/** Pixels of the screen: how tall a tag is, and how near a tap must be. */
const CLOSE = 1.4;
/** How much of the picture a close-up shows, in widths of a card. */

/** Recorded cards where the picture shows them: each at a face that was read so, or that may be it; a last one that is
 *  left at the last face that is. Others stay without a place, as cards that were added by hand do. */
export function marked(labels, faces) {
  const free = [...faces];
  const found = labels.map(() => null);
  const pair = (fits) => labels.forEach((label, k) => {
    const at = found[k] ? -1 : free.findIndex((face) => fits(face, label));
    if (at >= 0) [found[k]] = free.splice(at, 1);
  });
  pair((face, label) => face.label === label);
  pair((face, label) => !face.label && face.guesses.includes(label));
  if (free.length === 1 && found.filter((face) => !face).length === 1) pair(() => true);
  return labels.map((label, id) => ({ guesses: [], ...found[id], id, label }));
}

export class MarkedPicture {
  #overlay = svg("svg", { class: "overlay", "aria-hidden": "true", "data-testid": "marks" });
  #image;
  #inner;
  #cards = [];
  #chosen = null;

  constructor({ url, width, height }, choose) {
    this.width = width;
    this.height = height;
    this.#image = h("img", { class: "photo", src: url, alt: "", "data-testid": "photo" });
    this.#inner = h("div", { class: "photo-inner" }, this.#image, this.#overlay);
    // The picture's own shape, so that nothing jumps when it arrives.
    this.#inner.style.setProperty("aspect-ratio", `${width} / ${height}`);
    const frame = h("div", { class: "photo-frame", tabindex: 0 }, this.#inner);
    const zoom = button(words.zoomIn, () => {
      const large = this.#inner.classList.toggle("large");
      zoom.textContent = large ? words.zoomOut : words.zoomIn;
      zoom.setAttribute("aria-pressed", String(large));
    }, { class: "button small zoom", "aria-pressed": "false" });
    this.node = h("div", { class: "photo-box" }, frame, zoom);
    this.#overlay.addEventListener("click", (event) => {
      const near = this.#nearest(event);
      if (near !== null) choose(near);
    });
    new ResizeObserver(() => this.#draw()).observe(this.#inner);
  }

  show(cards, chosen = null) {
    this.#cards = cards;
    this.#chosen = chosen;
    const unsure = cards.filter((card) => !card.label).length;
    this.#image.alt = words.pictureAlt(cards.length - unsure, unsure);
    this.#draw();
  }

  /** The part of the picture round a card's index, to be looked at closely; null where no index was seen. */
  closeUp({ at, corners } = {}) {
    if (!at || !corners || !this.#image.naturalWidth) return null;
    const scale = this.#image.naturalWidth / this.width;
    const across = Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]);
    const wide = Math.max(across, this.width / 12) * CLOSE * scale;
    const tall = wide * 0.6;
    const canvas = h("canvas", { class: "close-up", width: 640, height: 384, role: "img", "aria-label": words.closeUp });
    canvas.getContext("2d").drawImage(this.#image, at[0] * scale - wide / 2, at[1] * scale - tall / 2, wide, tall, 0, 0, 640, 384);
    return canvas;
  }

  /** Pixels of the picture to one of the screen. */
  #scale() {
    return this.width / (this.#overlay.clientWidth || this.width);
  }

  #nearest(event) {
    const box = this.#overlay.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const y = ((event.clientY - box.top) / box.height) * this.height;
    let best = null;
    let least = REACH * this.#scale();
    for (const card of this.#cards) {
      if (!card.at) continue;
      const away = Math.min(Math.hypot(card.at[0] - x, card.at[1] - y), Math.hypot(...minus(tagPlace(card, this.#unit()), [x, y])));
      if (away < least) [best, least] = [card.id, away];
    }
    return best;
  }

  #unit() {
    return TAG * this.#scale();
  }

  #draw() {
    this.#overlay.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const unit = this.#unit();
    const placed = this.#cards.filter((card) => card.at);
    const outline = placed.filter((card) => card.id === this.#chosen && card.corners).map((card) =>
      svg("polygon", { class: "seen seen-chosen", points: card.corners.map((point) => point.join(",")).join(" ") }));
    this.#overlay.replaceChildren(...outline, ...placed.map((card) => this.#tag(card, unit)));
  }

  #tag(card, unit) {
    const known = parse(card.label);
    const text = !known ? "?" : known.suit ? known.rank : "JOKER";
    const inner = unit * (known && !known.suit ? 2.6 : text.length * 0.62);
    const wide = inner + unit * (known?.suit ? 1.35 : 0.6);
    const tall = unit * 1.35;
    const [x, y] = tagPlace(card, unit);
    const left = Math.min(Math.max(x - wide / 2, 0), this.width - wide);
    const top = Math.min(Math.max(y - tall / 2, 0), this.height - tall);
    const group = svg("g", {
      class: `tag tag-${known ? "card" : "unsure"}`, "data-label": card.label ?? "", transform: `translate(${left} ${top})`,
    });
    group.append(
      svg("rect", { width: wide, height: tall, rx: tall * 0.22 }),
      svg("text", { x: unit * 0.3, y: unit * 1.02, "font-size": unit, textLength: inner, lengthAdjust: "spacingAndGlyphs" }, text),
    );
    if (known?.suit) group.append(suitMark(known.suit, inner + unit * 0.42, unit * 0.3, unit * 0.76));
    return group;
  }
}

const minus = ([a, b], [c, d]) => [a - c, b - d];

/** Just outside the index, away from the card's middle, so that the index itself stays to be seen. */
function tagPlace({ at, corners }, unit) {
  if (!corners) return at;
  const middle = [0, 1].map((axis) => corners.reduce((sum, point) => sum + point[axis], 0) / 4);
  // Along the card's longer axis: a fan's neighbours lie beside, so the free place is above.
  const axis = [0, 1].map((k) => (corners[0][k] + corners[1][k] - corners[2][k] - corners[3][k]) / 2);
  const long = Math.hypot(...axis) || 1;
  const side = (at[0] - middle[0]) * axis[0] + (at[1] - middle[1]) * axis[1] < 0 ? -1 : 1;
  const half = Math.abs((at[0] - middle[0]) * axis[0] + (at[1] - middle[1]) * axis[1]) / long;
  const beyond = Math.max(0, long / 2 - half) + unit * 0.9;
  return at.map((value, k) => value + (side * axis[k] * beyond) / long);
}
