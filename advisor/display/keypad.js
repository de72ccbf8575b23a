// An amount, typed on figures or tapped together from the table's chips.
import { enable, quiet, tell, teller } from "./actions.js";
import { LONGEST, readAmount, writeAmount } from "./amounts.js";
import { flatChip } from "./chips.js";
import { openSheet } from "./dialogs.js";
import { button, element, part, write } from "./dom.js";
import { arrows } from "./keys.js";
import { strings } from "./strings.js";

const words = strings.keypad;
const CORRECTIONS = ["name-card", "remove-card", "move-card", "add-card", "found-fine"];
const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/;
const UNFINISHED = /^([.,]|[\d.,]*\d,)?$/;

/** Two exact decimal amounts together, as text: "7.50" and "5" are "12.50". */
export function together(one, other) {
  const places = Math.max(...[one, other].map((text) => (text.split(".")[1] ?? "").length));
  const whole = (text) => {
    const [units, part = ""] = text.split(".");
    return BigInt(units + part.padEnd(places, "0"));
  };
  const sum = String(whole(one) + whole(other)).padStart(places + 1, "0");
  return places ? `${sum.slice(0, -places)}.${sum.slice(-places)}` : sum;
}

/** What a typed text means, or "" where it is no amount above nothing. */
function meant(text) {
  const { amount = "" } = readAmount(text);
  return /^[0.]*$/.test(amount) ? "" : amount;
}

/** Why a typed text is no amount, or "" where it is one, or may become one with the next figure. */
const trouble = (text) => (UNFINISHED.test(text.trim()) ? "" : (readAmount(text).error ?? ""));

/** Ask for an amount; `onAmount(amount, control, close)` sends it. */
export function openKeypad({ title, hint = "", start = "", chips = [], onAmount }) {
  openSheet("keypad", title, (body, close) => {
    const field = part("input", "amount", "amount-field figure");
    field.setAttribute("inputmode", "none");
    field.setAttribute("autocomplete", "off");
    field.setAttribute("aria-label", words.amount);
    field.maxLength = LONGEST;
    field.dataset.first = "";
    field.value = writeAmount(start);
    const doubt = part("p", "amount-doubt");
    doubt.setAttribute("role", "status");
    const send = teller("main-button", "", () => onAmount(meant(field.value), send, close));
    send.dataset.testid = "send-amount";
    const show = () => {
      const amount = meant(field.value);
      enable(send, amount !== "");
      write(send, words.send(amount));
      write(doubt, trouble(field.value));
    };
    const typed = () => {
      quiet(); // what was refused is not what stands there now
      show();
    };
    const type = (text) => {
      field.value = text;
      typed();
    };
    // A first figure replaces the amount that was proposed, as in any till.
    let fresh = true;
    field.addEventListener("input", () => {
      fresh = false;
      typed();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") send.click();
    });
    const figures = element("div", "figures");
    const figure = (text, name, act) => {
      const control = button("pick pick-figure", text, () => {
        act();
        fresh = false;
      });
      control.setAttribute("aria-label", name);
      figures.append(control);
    };
    for (const digit of "789456123") figure(digit, words.digit(digit), () => type((fresh ? "" : field.value) + digit));
    figure(".", words.point, () => {
      const text = fresh ? "" : field.value;
      type(text.includes(".") ? text : `${text || "0"}.`);
    });
    figure("0", words.digit("0"), () => type((fresh ? "" : field.value) + "0"));
    figure("⌫", words.erase, () => type(field.value.slice(0, -1)));
    arrows(figures, ".pick");

    const tray = element("div", "tray");
    for (const { colour, value } of chips) {
      if (!DECIMAL.test(value)) continue;
      const chip = button("chip-button", "", () => {
        const before = fresh || !field.value.trim() ? "0" : readAmount(field.value).amount;
        if (before === undefined) return; // what cannot be read must not vanish under a chip
        type(writeAmount(together(before, value)));
        fresh = false;
      });
      chip.setAttribute("aria-label", words.chip(colour, value));
      chip.append(flatChip(colour, value));
      tray.append(chip);
    }
    arrows(tray, ".chip-button");
    const top = element("div", "amount-row");
    top.append(field, button("plain-button", words.clear, () => {
      fresh = false;
      type("");
    }));
    if (hint) body.append(element("p", "hint", hint));
    body.append(top, doubt, tray, figures, send);
    show();
  });
}

/** Say a choice: at once, or after its amount was typed. */
export function say(state, choice, control, onSaid) {
  if (choice.operation.amount !== "") return sendChoice(choice, choice.operation, control).then(onSaid);
  openKeypad({
    title: choice.place ? strings.choiceAt(strings.seat(choice.place.seat), choice.words) : choice.words,
    chips: state.table?.chips ?? [],
    start: usual(state, choice),
    onAmount: async (amount, send, close) => {
      const answer = await sendChoice(choice, { ...choice.operation, amount }, send);
      if (answer.ok) close();
      onSaid?.(answer);
    },
  });
  return Promise.resolve();
}

function sendChoice(choice, operation, control) {
  const change = CORRECTIONS.includes(operation.op) ? operation : { op: "tell", operation };
  return tell(change, choice.words, { control });
}

/** What lies before that hand already under the same name. */
function usual(state, { place, operation }) {
  const hands = (state.played?.hands ?? []).filter((hand) => hand.place.seat === (place?.seat ?? operation.seat));
  const bets = hands.flatMap((hand) => hand.bets ?? []);
  return (bets.find(({ name }) => name === (operation.bet ?? operation.name ?? "bet")) ?? { amount: "" }).amount;
}

export function openUsualBet(state, seat, start) {
  openKeypad({
    title: words.usualOf(seat),
    hint: words.usualHint,
    chips: state.table?.chips ?? [],
    start,
    onAmount: async (amount, send, close) => {
      const answer = await tell({ op: "usual-bet", seat, amount }, words.usual, { control: send });
      if (answer.ok) close();
    },
  });
}
