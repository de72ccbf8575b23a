// Teaching the table a deck of one's own: pictures or the table's camera, doubts put right by a tap.
import { cardGlyph, labelWords, RANKS, SUIT_ORDER } from "./cards.js";
import { redraw, write } from "./dom.js";
import { button, h, labelled, problem, say, sure } from "./rummy-dom.js";
import { pickCard } from "./rummy-picker.js";
import { deck as words } from "./strings-deck.js";

const NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/;
const KEPT = "tableside-deck";
const RECENT = 24; // cards that can still be put right by a tap
const FEW = 12; // so many missing cards are named
const LOOK_EVERY = 700; // milliseconds between looks through the table's camera
const page = document.querySelector("[data-testid=page]");
document.querySelector("[data-testid=home]").textContent = words.name;

let watching = false;
let looks = 0;
let listed = Promise.resolve(); // what the list of decks was asked for last

/** Asks the server one thing after another: an answer that overtakes an earlier one would show what is no longer so. */
function inTurn(ask) {
  listed = listed.catch(() => {}).then(ask);
  return listed;
}

/** A phone may load the page anew after its camera was used: the name outlives that. */
function remember(name) {
  try {
    sessionStorage.setItem(KEPT, name);
  } catch {
    // It is only convenience.
  }
}

function remembered() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

async function call(path, method = "GET", body = undefined, type = "application/json") {
  let answer;
  try {
    answer = await fetch(`/api/decks${path}`, { method, body, headers: body ? { "Content-Type": type } : {} });
  } catch {
    throw new Error(words.lost);
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? words.lost);
  return data;
}

const nameField = h("input", { "data-testid": "name", maxlength: 40, placeholder: words.example, autocomplete: "off", autocapitalize: "none" });
const file = h("input", { type: "file", accept: "image/*", multiple: true, class: "unseen", "data-testid": "picture" });
const said = h("p", { class: "said", "data-testid": "said" });
const wrong = h("div", {});
const questions = h("div", { class: "questions", "data-testid": "questions" });
const thumbs = h("div", { class: "thumbs" });
const recent = h("div", { class: "recent", "data-testid": "recent", hidden: true }, h("p", { class: "hint" }, words.recent), thumbs);
const view = h("img", { class: "view", alt: words.view, hidden: true, "data-testid": "view" });
const board = h("div", { class: "board", "data-testid": "board", role: "img" });
const progress = h("p", { class: "progress", "data-testid": "progress" });
const lacks = h("p", { class: "lacks" });
const known = h("ul", { class: "decks", "data-testid": "decks" });
const watch = button(words.watch, () => (watching ? stopWatching() : startWatching()), { "data-testid": "watch", "aria-pressed": "false" });
const spread = button(words.spread, async () => {
  await attempt(async () => {
    const answer = await call(at("camera"), "POST");
    await list();
    take(answer);
  });
}, { "data-testid": "spread" });

const deckName = () => nameField.value.trim();

/** The address of something about the deck that is being taught. */
function at(what) {
  if (!NAME.test(deckName())) throw new Error(deckName() ? words.badName : words.noName);
  return `/${encodeURIComponent(deckName())}/${what}`;
}

function tell(text) {
  write(said, text);
  say(text);
}

/** Does something, and says what went wrong. What was said before stays until somebody does something new. */
async function attempt(act, { fresh = true } = {}) {
  if (fresh) wrong.replaceChildren();
  try {
    await act();
    return true;
  } catch (error) {
    wrong.replaceChildren(problem(error.message));
    return false;
  }
}

/** What came of a picture: the board, what is to be named, and what was learned, to be looked over. */
function take({ deck, key, cards }, quietly = false) {
  draw(deck);
  const learned = cards.filter((card) => card.sure);
  if (learned.length) tell(words.learnedNow(learned.map((card) => labelWords(card.label))));
  else if (!cards.length && !quietly) tell(words.nothing);
  for (const card of cards.filter((one) => !one.sure)) questions.append(question(key, card));
  if (!learned.length) return;
  thumbs.prepend(...learned.map((card) => thumb(key, card)));
  while (thumbs.children.length > RECENT) thumbs.lastChild.remove();
  recent.hidden = false;
}

const shown = ({ picture, label }) => h("img", { src: picture, alt: labelWords(label) ?? words.asked });

async function name(key, number, label) {
  return attempt(async () => {
    const deck = await call(at("named"), "POST", JSON.stringify({ key, number, label }));
    await list();
    draw(deck);
    tell(words.learnedNow([labelWords(label)]));
  });
}

function question(key, card) {
  const guess = labelWords(card.label);
  const choose = async () => {
    const label = await pickCard({ label: card.label, removable: false, closeUp: shown(card) });
    if (label && (await name(key, card.number, label))) node.remove();
  };
  const accept = async () => {
    if (await name(key, card.number, card.label)) node.remove();
  };
  const node = h("div", { class: "question", "data-testid": "question" }, shown(card),
    h("div", { class: "answer" }, h("p", {}, guess ? words.guess(guess) : words.asked),
      h("p", { class: "buttons" }, guess && button(words.yes, accept, { class: "button main", "data-testid": "yes" }),
        button(words.other, choose, { "data-testid": "other" }), button(words.leave, () => node.remove(), { "data-testid": "leave" }))));
  return node;
}

function thumb(key, card) {
  const caption = h("span", {}, card.label);
  const change = async () => {
    const label = await pickCard({ label: caption.textContent, removable: false, closeUp: shown(card) });
    if (label && (await name(key, card.number, label))) write(caption, label);
  };
  return h("button", { type: "button", class: "thumb", onclick: change, "data-testid": "thumb" }, shown(card), caption);
}

/** All 52 cards, those that were learned in full strength. */
function draw({ learned, missing }) {
  const has = new Set(learned);
  board.replaceChildren(...SUIT_ORDER.flatMap((suit) => RANKS.map((rank) => {
    const cell = h("span", { class: has.has(rank + suit) ? "cell has" : "cell" });
    cell.append(cardGlyph({ kind: "card", label: rank + suit }));
    return cell;
  })));
  const count = 52 - missing.length;
  board.setAttribute("aria-label", words.progress(count));
  write(progress, missing.length ? words.progress(count) : words.done);
  write(lacks, missing.length && missing.length <= FEW ? words.missing(missing.join(" ")) : "");
}

async function list() {
  await attempt(() => inTurn(async () => drawList(await call(""))), { fresh: false });
}

/** The board, and the list of decks; rows that stay as they are are not made anew, for a finger may be on them. */
function drawList(answer) {
  redraw(known, answer, () => rowsOf(answer));
  const now = answer.decks.find((one) => one.name.toLowerCase() === deckName().toLowerCase());
  draw(now ?? { learned: [], missing: SUIT_ORDER.flatMap((suit) => RANKS.map((rank) => rank + suit)) });
}

function rowsOf({ decks, used }) {
  const act = (method, path, body) => attempt(() => inTurn(async () => drawList(await call(path, method, body))));
  const row = (label, count, buttons) => h("li", {}, h("span", { class: "deck-name" }, label), count && h("span", { class: "count" }, count), ...buttons);
  const use = (wanted) => button(wanted ? words.use : words.useAny, () => act("PUT", "/used", JSON.stringify({ name: wanted })), { "data-testid": `use-${wanted}` });
  const rows = decks.map((one) => row(one.name, words.count(52 - one.missing.length), [
    one.name === used ? h("strong", { class: "in-use" }, words.inUse) : use(one.name),
    button(words.remove, async () => {
      if (await sure(words.removeSure(one.name))) await act("DELETE", `/${encodeURIComponent(one.name)}`);
    }, { "data-testid": `delete-${one.name}` }),
  ]));
  if (used) rows.push(row(words.any, "", [use("")]));
  if (!rows.length) rows.push(h("li", {}, words.none));
  if (used) rows.push(h("li", { class: "hint" }, words.keep(used)));
  return rows;
}

file.addEventListener("change", async () => {
  const pictures = [...file.files];
  for (let k = 0; k < pictures.length; k += 1) {
    tell(words.reading(pictures.length - k));
    const read = async () => {
      const answer = await call(at("picture"), "POST", pictures[k], pictures[k].type || "application/octet-stream");
      await list(); // before the cards: a row that comes above them later would move them from under a finger
      take(answer);
    };
    if (!(await attempt(read, { fresh: k === 0 }))) tell("");
  }
  file.value = "";
});

function startWatching() {
  wrong.replaceChildren();
  watching = true;
  looks += 1;
  watch.setAttribute("aria-pressed", "true");
  write(watch, words.stop);
  tell(words.still);
  view.hidden = false;
  look(looks);
}

function stopWatching() {
  watching = false;
  view.hidden = true;
  watch.setAttribute("aria-pressed", "false");
  write(watch, words.watch);
  list();
}

async function look(turn) {
  while (watching && turn === looks) {
    view.src = `/frame.jpg?look=${Date.now()}`;
    const ok = await attempt(async () => take(await call(`${at("camera")}?one=true`, "POST"), true), { fresh: false });
    if (!ok) {
      stopWatching();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}

nameField.addEventListener("change", () => {
  remember(deckName());
  list();
});
nameField.value = remembered();
const pick = h("label", { class: "button main take" }, words.take, file);
page.append(
  h("h1", {}, words.title), h("p", { class: "hint" }, words.intro),
  h("section", {}, h("h2", {}, words.known), known),
  h("section", { class: "teach" }, h("h2", {}, words.teach), labelled(words.nameField, nameField),
    h("div", { class: "ways" }, h("div", {}, pick, h("p", { class: "hint" }, words.takeHint)),
      h("div", {}, h("p", { class: "buttons" }, watch, spread), h("p", { class: "hint" }, words.watchHint))),
    view, said, wrong, questions, recent, progress, board, lacks),
);
list();
