// The picture, and on it what was read. Picture and outlines change together, so that they agree.
import { parse, suitMark, svg } from "./cards.js";
import { strings } from "./strings.js";

const LOAD_LIMIT = 5000;

export class Picture {
  #frame;
  #photo;
  #overlay;
  #note;
  #shown = null;
  #loading = false;
  #next = null;

  constructor(root) {
    this.#frame = root.querySelector(".frame");
    this.#photo = root.querySelector("[data-testid=picture]");
    this.#overlay = root.querySelector("[data-testid=overlay]");
    this.#note = root.querySelector("[data-testid=picture-note]");
    this.#note.textContent = strings.noPicture;
    new ResizeObserver(() => this.#draw()).observe(this.#frame);
  }

  show(state) {
    this.#next = state;
    if (!this.#loading) this.#advance();
  }

  #advance() {
    const state = this.#next;
    this.#next = null;
    if (!state) return;
    const url = state.picture?.url;
    if (!url) {
      this.#photo.hidden = true;
      this.#settle(state);
      return;
    }
    if (this.#photo.getAttribute("src") === url && !this.#photo.hidden) {
      this.#settle(state);
      return;
    }
    // Load aside and swap when whole: no flicker, and never more than one picture on its way.
    this.#loading = true;
    const photo = this.#photo.cloneNode(false);
    let over = false;
    const finish = (good) => {
      if (over) return;
      over = true;
      clearTimeout(limit);
      if (good) {
        photo.hidden = false;
        this.#photo.replaceWith(photo);
        this.#photo = photo;
      }
      this.#loading = false;
      this.#settle(state);
      this.#advance();
    };
    const limit = setTimeout(() => finish(false), LOAD_LIMIT);
    photo.addEventListener("load", () => finish(true), { once: true });
    photo.addEventListener("error", () => finish(false), { once: true });
    photo.src = url;
  }

  #settle(state) {
    this.#shown = state;
    this.#note.hidden = !this.#photo.hidden;
    const kinds = { card: 0, back: 0, unsure: 0 };
    for (const { kind } of state.sightings ?? []) kinds[kind] += 1;
    this.#photo.alt = strings.pictureAlt(kinds.card, kinds.back, kinds.unsure);
    this.#draw();
  }

  #draw() {
    const state = this.#shown;
    const picture = state?.picture;
    if (!picture?.width || !picture?.height) {
      this.#overlay.replaceChildren();
      return;
    }
    const { width, height } = picture;
    this.#frame.style.setProperty("aspect-ratio", `${width} / ${height}`);
    this.#overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#overlay.setAttribute("preserveAspectRatio", "xMidYMid meet");
    // Tags keep their size on the screen whatever the picture's own resolution is.
    const onScreen = this.#overlay.clientWidth || width;
    const unit = (Math.max(13, onScreen * 0.024) * width) / onScreen;
    const sightings = state.sightings ?? [];
    const nodes = sightings.map((sighting) => outline(sighting));
    nodes.push(...sightings.map((sighting) => tag(sighting, unit, width, height)));
    const hands = state.hands ?? [];
    if (hands.length > 1) nodes.push(...hands.map((hand, index) => number(hand, index, unit)));
    this.#overlay.replaceChildren(...nodes.filter(Boolean));
  }
}

function outline({ kind, label, corners }) {
  return svg("polygon", {
    class: `seen seen-${kind}`,
    "data-kind": kind,
    "data-label": label ?? "",
    points: corners.map(([x, y]) => `${x},${y}`).join(" "),
  });
}

function tag({ kind, label, corners }, unit, width, height) {
  if (kind === "back") return null;
  const card = parse(label);
  const sure = kind === "card" && card;
  const words = sure ? (card.suit ? card.rank : "JOKER") : "?";
  const suited = sure && card.suit;
  const inner = words.length * unit * (words.length > 2 ? 0.7 : 0.62);
  const wide = inner + unit * (suited ? 1.5 : 0.7);
  const tall = unit * 1.4;
  const [topX, topY] = corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
  const x = Math.min(Math.max(topX - wide / 2, 0), width - wide);
  const y = Math.min(Math.max(topY - tall * 0.75, 0), height - tall);
  const group = svg("g", { class: `tag tag-${sure ? "card" : "unsure"}`, transform: `translate(${x} ${y})` });
  group.append(
    svg("rect", { width: wide, height: tall, rx: tall * 0.2 }),
    svg("text", { x: unit * 0.35, y: unit * 1.05, "font-size": unit, textLength: inner, lengthAdjust: "spacingAndGlyphs" }, words),
  );
  if (suited) group.append(suitMark(card.suit, inner + unit * 0.5, unit * 0.32, unit * 0.78));
  return group;
}

function number({ id, centre }, index, unit) {
  if (!centre) return null;
  const [x, y] = centre;
  return svg(
    "g",
    { class: "numbered" },
    svg("circle", { cx: x, cy: y, r: unit * 0.95 }),
    svg("text", { x, y: y + unit * 0.42, "font-size": unit * 1.2, "text-anchor": "middle" }, handName(id, index)),
  );
}

/** "hand-3" is called 3; a hand with another kind of name is called by its place. */
export function handName(id, index) {
  return /^hand-(\d+)$/.exec(id ?? "")?.[1] ?? String(index + 1);
}
