// The dealer and the hands. Nothing is worked out here: totals, actions and values are shown as they came.
import { cardGlyph, cardPlace, parse, spoken, svg } from "./cards.js";
import { handName } from "./overlay.js";
import { strings } from "./strings.js";

function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Redraw only on a change, so that nothing flickers and a reader's place is kept. */
function redraw(node, key, make) {
  const wanted = JSON.stringify(key);
  if (node.drawn === wanted) return;
  node.drawn = wanted;
  node.replaceChildren(...make());
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function signed(value) {
  const text = Math.abs(value).toFixed(3);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

export function showProblems(list, problems) {
  list.hidden = problems.length === 0;
  redraw(list, problems, () => problems.map((problem) => element("li", "problem", problem)));
}

export function showDealer(root, dealer) {
  const find = (id) => root.querySelector(`[data-testid=${id}]`);
  const cards = dealer?.cards ?? [];
  const face = cards.find(({ kind, label }) => kind === "card" && label === dealer?.upcard)
    ?? (parse(dealer?.upcard) ? { kind: "card", label: dealer.upcard } : null)
    ?? cards.find(({ kind }) => kind === "unsure");
  const rest = cards.filter((card) => card !== face);
  const upcard = find("dealer-upcard");
  upcard.dataset.label = dealer?.upcard ?? "";
  redraw(upcard, face ?? null, () => [face ? cardGlyph(face) : cardPlace()]);
  redraw(find("dealer-cards"), rest, () => rest.map(cardGlyph));
  write(find("dealer-total"), dealer?.total ?? "");
  write(find("dealer-step"), dealer?.next_step ?? "");
}

function values(hand) {
  const rows = Object.entries(hand.values ?? {}).sort((a, b) => b[1] - a[1]);
  if (rows.length === 0) return [];
  const reach = Math.max(1, ...rows.map(([, value]) => Math.abs(value)));
  const caption = element("p", "caption", strings.valuesCaption);
  const list = element("ol", "values-list");
  for (const [action, value] of rows) {
    const row = element("li", "value");
    row.dataset.action = action;
    if (action === hand.action) row.dataset.chosen = "";
    const length = (Math.abs(value) / reach) * 50;
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(
      svg("rect", { class: "bar-track", x: 0, y: 4.5, width: 100, height: 1 }),
      svg("rect", { class: "bar-length", x: value < 0 ? 50 - length : 50, y: 1, width: length, height: 8 }),
      svg("rect", { class: "bar-zero", x: 49.75, y: 0, width: 0.5, height: 10 }),
    );
    row.append(element("span", "value-name", strings.actions[action] ?? action), bar, element("span", "figure", signed(value)));
    list.append(row);
  }
  if (typeof hand.margin === "number" && rows.length > 1) {
    caption.append(element("span", "margin figure", strings.margin(hand.margin.toFixed(3))));
  }
  return [caption, list];
}

function panel(id) {
  const root = element("article", "hand");
  root.dataset.testid = "hand";
  root.dataset.handId = id;
  const part = (name, className, testid) => {
    const node = element(name, className);
    if (testid) node.dataset.testid = testid;
    return node;
  };
  const parts = {
    name: part("h3", "label", "hand-name"),
    cards: part("div", "hand-cards", "hand-cards"),
    total: part("p", "hand-total", "hand-total"),
    action: part("p", "hand-action", "hand-action"),
    why: part("p", "hand-why", "hand-why"),
    insurance: part("p", "hand-insurance", "hand-insurance"),
    problems: part("ul", "problems", "hand-problems"),
    values: part("div", "values", "hand-values"),
  };
  const head = element("div", "hand-head");
  head.append(parts.name, parts.cards, parts.total);
  const words = element("div", "hand-words");
  words.append(parts.why, parts.insurance, parts.problems);
  const foot = element("div", "hand-foot");
  foot.append(words, parts.values);
  root.append(head, parts.action, foot);
  return { root, parts };
}

export class Hands {
  #root;
  #panels = new Map();

  constructor(root) {
    this.#root = root;
  }

  show(hands) {
    const wanted = new Set(hands.map(({ id }) => id));
    for (const [id, { root }] of this.#panels) {
      if (wanted.has(id)) continue;
      root.remove();
      this.#panels.delete(id);
    }
    this.#root.dataset.count = hands.length > 4 ? "many" : String(hands.length);
    hands.forEach((hand, index) => {
      if (!this.#panels.has(hand.id)) this.#panels.set(hand.id, panel(hand.id));
      const { root, parts } = this.#panels.get(hand.id);
      if (this.#root.children[index] !== root) this.#root.insertBefore(root, this.#root.children[index] ?? null);
      this.#fill(root, parts, hand, index);
    });
  }

  #fill(root, parts, hand, index) {
    const cards = hand.cards ?? [];
    const known = Object.hasOwn(strings.actions, hand.action ?? "");
    root.dataset.action = known ? hand.action : "none";
    write(parts.name, strings.hand(handName(hand.id, index)));
    redraw(parts.cards, cards, () => cards.map(cardGlyph));
    write(parts.total, hand.total ?? strings.noTotal);
    write(parts.action, known ? strings.actions[hand.action] : hand.action ?? strings.noAdvice);
    write(parts.why, hand.why ?? "");
    redraw(parts.insurance, hand.insurance ?? null, () =>
      hand.insurance ? [element("span", "label", strings.insurance), ` ${hand.insurance}`] : []);
    showProblems(parts.problems, hand.problems ?? []);
    redraw(parts.values, [hand.values, hand.action, hand.margin], () => values(hand));
  }
}

/** What a screen reader says when the advice changes. */
export function adviceAloud(state) {
  const lines = (state.hands ?? []).map((hand, index) =>
    strings.spoken(
      strings.hand(handName(hand.id, index)),
      strings.actions[hand.action] ?? strings.noAdvice,
      hand.total ?? strings.noTotal,
    ));
  if (state.dealer?.upcard) lines.push(strings.dealerShows(spoken({ kind: "card", label: state.dealer.upcard })));
  return lines.join(" ");
}
