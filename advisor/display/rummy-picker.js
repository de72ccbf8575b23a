// Which card is it? A rank and a suit, or a joker; the likeliest ones first.
import { cardGlyph, spoken } from "./cards.js";
import { ask, button, h } from "./rummy-dom.js";
import { words } from "./strings-rummy.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
export const REMOVE = "remove";

/** Resolves with a label, `REMOVE`, or null. */
export function pickCard({ label = null, guesses = [], removable = true, closeUp = null } = {}) {
  const found = /^(.+)([CDHS])$/.exec(label && label !== "JOKER" ? label : "");
  let rank = found?.[1] ?? null;
  let suit = found?.[2] ?? null;
  return ask(words.chooseCard, (close) => {
    // A suit ends the choice where a rank stands; a rank only once a suit was tapped too, or both could not be changed.
    const tapped = new Set();
    const done = (what) => {
      tapped.add(what);
      if (rank && suit && tapped.has("suit")) close(rank + suit);
    };
    const row = (name, values, shown, choose, current) => h("fieldset", { class: `choices of-${name}` },
      h("legend", {}, words[name]), values.map((value) => {
        const one = button(shown(value), () => {
          for (const other of one.parentElement.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === one));
          choose(value);
          done(name);
        }, { class: `button choice ${name === "suit" ? `suit-${value}` : ""}`, "data-testid": `${name}-${value}`,
          "aria-pressed": String(value === current), "aria-label": name === "suit" ? words.suits[value] : value });
        return one;
      }));
    const likely = guesses.filter((guess) => guess !== label).slice(0, 4);
    return [
      closeUp ?? "",
      likely.length ? h("div", { class: "maybes" }, h("span", { class: "label" }, words.maybe), likely.map((guess) =>
        h("button", { type: "button", class: "maybe", onclick: () => close(guess), "data-testid": `guess-${guess}`,
          "aria-label": spoken({ kind: "card", label: guess }) }, cardGlyph({ kind: "card", label: guess })))) : "",
      row("rank", RANKS, (value) => value, (value) => (rank = value), rank),
      row("suit", SUITS, (value) => SIGNS[value], (value) => (suit = value), suit),
      h("p", { class: "buttons" },
        button(words.joker, () => close("JOKER"), { "data-testid": "pick-joker" }),
        removable && button(words.removeCard, () => close(REMOVE), { "data-testid": "pick-remove" }),
        button(words.cancel, () => close(null))),
    ];
  }, "picker");
}
