// The seats and their hands. Nothing is worked out here: totals, actions and values are shown as they came.
import { teller } from "./actions.js";
import { cardGlyph, glyphOf, spoken } from "./cards.js";
import { showBets } from "./chips.js";
import {
  button, element, flag, keyed, part, placeKey, redraw, resultOf, signedAmount, signedFigure, svg, write,
} from "./dom.js";
import { emsOf, fitAll, layCards } from "./fit.js";
import { choicesOf } from "./now.js";
import { settings } from "./settings.js";
import { strings } from "./strings.js";
import { toneOf } from "./tones.js";

const AT_HAND = 2;
const MOST_IN_ROW = 8;

/** The bars of what each action is worth. */
export function valueRows(hand) {
  const rows = Object.entries(hand.values ?? {});
  if (rows.length === 0) return [];
  const reach = Math.max(1, ...rows.map(([, value]) => Math.abs(value)));
  const caption = element("p", "caption", strings.valuesCaption);
  const list = element("ol", "values-list");
  for (const [action, value] of rows) {
    const row = element("li", "value");
    row.dataset.action = action;
    row.dataset.tone = toneOf(action);
    if (action === hand.action) row.dataset.chosen = "";
    const length = (Math.abs(value) / reach) * 50;
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(
      svg("rect", { class: "bar-track", x: 0, y: 4.5, width: 100, height: 1 }),
      svg("rect", { class: "bar-length", x: value < 0 ? 50 - length : 50, y: 1, width: length, height: 8 }),
      svg("rect", { class: "bar-zero", x: 49.75, y: 0, width: 0.5, height: 10 }),
    );
    const figure = element("span", "figure", signedFigure(value));
    row.append(element("span", "value-name", strings.action(action)), bar, figure);
    list.append(row);
  }
  if (typeof hand.margin === "number" && hand.margin > 0 && rows.length > 1) {
    caption.append(element("span", "margin figure", strings.margin(hand.margin.toFixed(3))));
  }
  return [caption, list];
}

/** The cards of a hand; each is a button where `onCard` takes it. */
export function showCards(node, cards, onCard) {
  keyed(
    node,
    cards,
    ({ card }) => (onCard ? card : `${card} only shown`),
    () => (onCard ? button("card-button") : element("span", "card-button")),
    (holder, card) => {
      redraw(holder, card, () => [cardGlyph(glyphOf(card), { crosswise: card.crosswise })]);
      holder.dataset.card = String(card.card);
      flag(holder, "gone", card.gone);
      flag(holder, "crosswise", card.crosswise);
      if (!onCard) return;
      holder.onclick = () => onCard(card.card);
      const more = [spoken(glyphOf(card)), card.crosswise && strings.crosswise, card.gone && strings.gone];
      holder.setAttribute("aria-label", more.filter(Boolean).join(", "));
    },
  );
}

function panel(onMore) {
  const root = part("article", "hand");
  const parts = {
    name: part("button", "hand-name"),
    now: part("span", "hand-now"),
    total: part("p", "hand-total"),
    cards: part("div", "hand-cards", "cards hand-cards"),
    action: part("p", "hand-action"),
    outcome: part("p", "hand-outcome"),
    bets: part("div", "hand-bets"),
    tells: part("div", "hand-tells"),
    problems: part("ul", "hand-problems", "problems hand-problems"),
    badge: part("p", "hand-badge"),
    offer: part("p", "hand-offer"),
    why: part("div", "hand-why"),
    values: part("div", "hand-values"),
  };
  parts.name.type = "button";
  parts.title = element("span", "hand-title");
  parts.more = element("span", "hand-more", strings.more);
  parts.name.append(parts.title, parts.more);
  const heading = element("h3", "hand-heading");
  heading.append(parts.name);
  const head = element("div", "hand-head");
  head.append(heading, parts.now);
  const verdict = element("div", "hand-verdict");
  verdict.append(parts.action, parts.outcome);
  const content = element("div", "hand-content");
  const rest = element("div", "hand-rest");
  rest.append(parts.tells, parts.problems, parts.badge, parts.offer, parts.why);
  content.append(head, parts.cards, parts.total, verdict, parts.bets, rest, parts.values);
  root.append(content);
  parts.name.addEventListener("click", () => onMore(root.place));
  root.parts = parts;
  return root;
}

/** What stands in large type: what the hand gained or lost once it is settled, else the advice. */
function verdict(hand) {
  if (hand.payment) return { words: signedAmount(hand.payment.amount), tone: resultOf(hand.payment.amount) };
  if (hand.action) return { words: strings.action(hand.action), tone: toneOf(hand.action) };
  if ((hand.problems ?? []).length > 0) return { words: strings.noAdvice, tone: "none" };
  return { words: "", tone: "plain" };
}

function outcome({ payment }) {
  if (!payment) return "";
  const done = strings.done[resultOf(payment.amount)];
  return [payment.words, payment.done && done].filter(Boolean).join(" · ");
}

/** Fill a hand's panel; true where its size may have changed. */
function fill(root, hand, { offer, tells, onTell, onCard, onMore }) {
  const { parts } = root;
  root.place = hand.place;
  root.dataset.seat = String(hand.place.seat);
  root.dataset.hand = String(hand.place.hand);
  const { words, tone } = verdict(hand);
  root.dataset.tone = tone;
  flag(root, "active", hand.active);
  flag(root, "settled", hand.payment);
  flag(root, "done", hand.payment?.done);
  flag(root, "bare", (hand.cards ?? []).length === 0);
  const key = JSON.stringify([hand, offer, tells, settings.figures, Boolean(onCard)]);
  if (root.filled === key) return false;
  root.filled = key;
  write(parts.title, hand.title);
  parts.name.setAttribute("aria-label", strings.moreOf(hand.title));
  write(parts.now, hand.active ? strings.now : "");
  write(parts.total, hand.total ?? "");
  parts.total.style.setProperty("--ems", String(emsOf(hand.total || "0", 400)));
  const onFan = (card) => (parts.cards.hasAttribute("data-tiny") ? onMore(root.place) : onCard(card));
  showCards(parts.cards, hand.cards ?? [], onCard && onFan);
  write(parts.action, words);
  parts.action.style.setProperty("--ems", String(emsOf(words || "0", 700)));
  write(parts.outcome, outcome(hand));
  showBets(parts.bets, hand.bets ?? [], hand.payment);
  showTells(parts.tells, tells, onTell, () => onMore(root.place));
  const problems = hand.problems ?? [];
  redraw(parts.problems, problems, () => problems.map((problem) => element("li", "problem", problem)));
  write(parts.badge, problems.length > 0 ? strings.checks(problems.length) : "");
  write(parts.offer, offer ?? "");
  const reasons = hand.payment ? [] : (hand.why ?? []);
  redraw(parts.why, reasons, () => reasons.map((reason) => element("p", "reason", reason)));
  const rows = settings.figures && !hand.payment;
  redraw(parts.values, rows ? [hand.values, hand.action, hand.margin] : null, () => (rows ? valueRows(hand) : []));
  return true;
}

/** The words that all choices begin with: "Bet on Player" and "Bet on Tie" share "Bet on". */
function shared(tells) {
  const [first, ...others] = tells.map(({ words }) => words.split(" "));
  const until = first.findIndex((word, at) => others.some((other) => other[at] !== word));
  return first.slice(0, until < 0 ? first.length : until).join(" ");
}

/** The choices beside a hand, or one button that opens them all: for many, and where there is no room for them. */
function showTells(node, tells, onTell, onMore) {
  redraw(node, tells, () => {
    if (tells.length === 0) return [];
    const list = element("div", "hand-tell-list");
    if (tells.length <= AT_HAND) {
      const made = (choice) => teller("tell plain-button", choice.words, (control) => onTell(choice, control));
      list.append(...tells.map(made));
    }
    const all = button("hand-fold tell plain-button", strings.choicesHere(shared(tells), tells.length), onMore);
    if (tells.length <= AT_HAND) all.classList.add("left-out");
    return [list, all];
  });
}

/** A seat that has no hand yet, but about which something may be said. */
const emptyHand = (seat) => ({ place: { seat, hand: 1 }, title: strings.seat(seat), cards: [], bets: [], empty: true });

export class Hands {
  #root;
  #on;
  #panels = [];
  #asked = 0;

  /** `on` holds onMore(place) and onTell(choice, control). */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
    new ResizeObserver(() => this.refit()).observe(root);
    document.fonts?.ready.then(() => this.refit());
  }

  /** `hands` in order; `choices` those beside a hand; `sameOffer` an offer said elsewhere; `onCard(card)` or null. */
  show({ hands, choices, sameOffer, onCard }) {
    const held = new Set(hands.map(({ place }) => place.seat));
    const empty = [...new Set(choices.map(({ place }) => place.seat))].filter((seat) => !held.has(seat));
    const inOrder = (a, b) => a.place.seat - b.place.seat || a.place.hand - b.place.hand;
    const all = [...hands, ...empty.map(emptyHand)].sort(inOrder);
    const seats = Map.groupBy ? Map.groupBy(all, ({ place }) => place.seat) : grouped(all);
    this.#root.dataset.seats = String(seats.size);
    // More seats than stand in one row legibly stand in two.
    const rows = seats.size > MOST_IN_ROW ? 2 : 1;
    this.#root.style.setProperty("--seats", String(Math.max(1, Math.ceil(seats.size / rows))));
    this.#root.style.setProperty("--rows", String(rows));
    let changed = this.#panels.length !== all.length;
    keyed(
      this.#root,
      [...seats],
      ([seat]) => seat,
      ([seat]) => {
        const column = part("section", "seat");
        column.setAttribute("aria-label", strings.seat(seat));
        return column;
      },
      (column, [, theirs]) => {
        column.dataset.hands = String(theirs.length);
        flag(column, "active", theirs.some(({ active }) => active));
        keyed(column, theirs, ({ place }) => placeKey(place), () => panel(this.#on.onMore), (root, hand) => {
          const tells = choicesOf(choices, hand, all);
          const offer = hand.offer === sameOffer ? null : hand.offer;
          flag(root, "empty", hand.empty);
          changed = fill(root, hand, { ...this.#on, onCard, offer, tells }) || changed;
        });
      },
    );
    this.#panels = [...this.#root.querySelectorAll(".hand")];
    if (changed) this.refit();
  }

  /** Fit all panels at once, in the frame that is drawn next. */
  refit() {
    if (this.#asked) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      layCards(this.#panels.map(({ parts }) => parts.cards));
      fitAll(this.#panels);
    });
  }
}

function grouped(hands) {
  const seats = new Map();
  for (const hand of hands) seats.set(hand.place.seat, [...(seats.get(hand.place.seat) ?? []), hand]);
  return seats;
}
