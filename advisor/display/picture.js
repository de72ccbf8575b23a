// The picture, and on it what was read. Picture and outlines change together, so that they agree.
import { labelWords, parse, spoken, suitMark } from "./cards.js";
import { svg } from "./dom.js";
import { strings } from "./strings.js";

const LOAD_LIMIT = 5000;

export class Picture {
  #frame;
  #photo;
  #overlay;
  #note;
  #onCard;
  #shown = null;
  #loading = false;
  #next = null;
  #drawn = "";

  /** `frame` holds .photo, .overlay and .frame-note; with `onCard` the outlines of known cards can be tapped. */
  constructor(frame, onCard = null) {
    this.#frame = frame;
    this.#photo = frame.querySelector(".photo");
    this.#overlay = frame.querySelector(".overlay");
    this.#note = frame.querySelector(".frame-note");
    this.#note.textContent = strings.noPicture;
    this.#onCard = onCard;
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
    const alt = strings.pictureAlt(kinds.card, kinds.back, kinds.unsure);
    if (this.#photo.alt !== alt) this.#photo.alt = alt;
    this.#draw();
  }

  #draw() {
    const picture = this.#shown?.picture;
    if (!picture?.width || !picture?.height) {
      this.#drawn = "";
      this.#overlay.replaceChildren();
      return;
    }
    const { width, height } = picture;
    const onScreen = this.#overlay.clientWidth || width;
    const sightings = this.#shown.sightings ?? [];
    const key = JSON.stringify([width, height, onScreen, sightings]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#frame.style.setProperty("aspect-ratio", `${width} / ${height}`);
    this.#overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#overlay.setAttribute("preserveAspectRatio", "xMidYMid meet");
    // Tags keep their size on the screen whatever the picture's own resolution is.
    const unit = (Math.max(11, onScreen * 0.024) * width) / onScreen;
    const focused = this.#overlay.contains(document.activeElement) ? document.activeElement.dataset.card : null;
    const nodes = sightings.map((sighting) => this.#outline(sighting));
    nodes.push(...sightings.map((sighting) => tag(sighting, unit, width, height)));
    this.#overlay.replaceChildren(...nodes.filter(Boolean));
    if (focused) this.#overlay.querySelector(`[data-card="${CSS.escape(focused)}"]`)?.focus();
  }

  #outline({ kind, label, corners, card }) {
    const shape = svg("polygon", {
      class: `seen seen-${kind}`,
      "data-kind": kind,
      "data-label": label ?? "",
      points: corners.map(([x, y]) => `${x},${y}`).join(" "),
    });
    if (typeof card !== "number" || !this.#onCard) return shape;
    const open = () => this.#onCard(card);
    const named = { "data-card": card, tabindex: 0, role: "button", "aria-label": spoken({ kind, label }) };
    for (const [name, value] of Object.entries(named)) shape.setAttribute(name, value);
    shape.classList.add("can-tap");
    shape.addEventListener("click", open);
    shape.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
    return shape;
  }
}

function tag({ kind, label, corners }, unit, width, height) {
  if (kind === "back") return null;
  const card = parse(label);
  const sure = kind === "card" && card;
  const words = sure ? (card.suit ? card.rank : "JOKER") : "?";
  const suited = sure && card.suit;
  const inner = words.length * unit * (words.length > 2 ? 0.7 : 0.62);
  const wide = inner + unit * (suited ? 1.55 : 0.7);
  const tall = unit * 1.4;
  const [topX, topY] = corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
  const x = Math.min(Math.max(topX - wide / 2, 0), width - wide);
  const y = Math.min(Math.max(topY - tall * 0.75, 0), height - tall);
  const at = { x: unit * 0.35, y: unit * 1.05, "font-size": unit };
  const group = svg("g", { class: `tag tag-${sure ? "card" : "unsure"}`, transform: `translate(${x} ${y})` });
  group.append(
    svg("title", {}, labelWords(label) ?? strings.unsure),
    svg("rect", { width: wide, height: tall, rx: tall * 0.2 }),
    svg("text", { ...at, textLength: inner, lengthAdjust: "spacingAndGlyphs" }, words),
  );
  if (suited) group.append(suitMark(card.suit, inner + unit * 0.5, unit * 0.32, unit * 0.78));
  return group;
}
