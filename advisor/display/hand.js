// One player's private view: a picture of one's own cards, and advice for the one who holds them.
import { cardGlyph } from "./cards.js";
import { button, element, part, write } from "./dom.js";
import { strings } from "./strings.js";
import { hand as words } from "./strings-hand.js";

const SEATS = 7;
const KEPT = "tableside-seat";
const page = document.querySelector("[data-testid=hand]");
const spoken = document.querySelector("[data-testid=spoken]");
document.querySelector("[data-testid=home]").textContent = words.name;

async function post(path, body, type) {
  let answer;
  try {
    answer = await fetch(`/api/private/${path}`, { method: "POST", headers: { "Content-Type": type }, body });
  } catch {
    throw new Error(words.lost);
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? words.lost);
  return data;
}

function keptSeat() {
  try {
    return Number(localStorage.getItem(KEPT)) || 1;
  } catch {
    return 1;
  }
}

function labelled(text, control) {
  const label = element("label", "", text);
  label.append(control);
  return label;
}

const verdict = part("p", "verdict");
const why = part("p", "why");
const shown = part("div", "own-cards");
const seat = part("select", "seat");
for (let number = 1; number <= SEATS; number += 1) seat.append(new Option(String(number), String(number)));
seat.value = String(keptSeat());
seat.addEventListener("change", () => {
  try {
    localStorage.setItem(KEPT, seat.value);
  } catch {
    // It is only convenience.
  }
});
// A phone's own camera opens from a file field; its look cannot be changed, so it lies unseen under its label.
const file = part("input", "picture", "unseen");
file.type = "file";
file.accept = "image/*";
file.setAttribute("capture", "environment");
const take = element("label", "take", words.take);
take.append(file);
const cards = part("input", "cards", "typed");
cards.setAttribute("autocomplete", "off");
cards.setAttribute("autocapitalize", "characters");
cards.setAttribute("spellcheck", "false");
cards.placeholder = words.example;
const ask = button("ask", words.ask, advise);
ask.dataset.testid = "ask";

function say(text, tone = "") {
  write(verdict, text);
  verdict.dataset.right = tone;
  write(spoken, text);
}

const labels = () => cards.value.toUpperCase().split(/[\s,]+/).filter(Boolean);

file.addEventListener("change", async () => {
  const [picture] = file.files;
  if (!picture) return;
  say(words.reading);
  write(why, "");
  try {
    const seen = await post("picture", picture, picture.type || "application/octet-stream");
    cards.value = [...seen.cards, ...seen.unsure.map((guess) => `${guess}?`)].join(" ");
    say("");
    if (seen.unsure.length === 0 && seen.cards.length > 0) await advise();
  } catch (error) {
    say(error.message, "no");
  }
  file.value = "";
});

async function advise() {
  ask.disabled = true;
  try {
    const said = JSON.stringify({ cards: labels().map((text) => text.replace("?", "")) });
    const { hand, turn } = await post(seat.value, said, "application/json");
    shown.replaceChildren(...hand.cards.map(({ label }) => cardGlyph({ kind: "card", label })));
    const advice = turn && hand.action ? strings.action(hand.action) : words.wait;
    say(`${advice} ${hand.total}`, turn ? "yes" : "");
    write(why, [...hand.why, ...hand.problems].join(" "));
  } catch (error) {
    say(error.message, "no");
    write(why, "");
  }
  ask.disabled = false;
}

const form = element("form");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  advise();
});
form.append(labelled(words.seat, seat), take, labelled(words.cards, cards), ask);
const outcome = element("section", "outcome");
outcome.append(shown, verdict, why);
page.append(element("h1", "heading", words.title), element("p", "hint", words.intro), form, outcome);
