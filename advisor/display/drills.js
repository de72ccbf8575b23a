// Practice: the right move with a hand, and the total of a pile. The server asks and judges; the page keeps the score.
import { LONGEST, readAmount } from "./amounts.js";
import { cardGlyph, labelWords } from "./cards.js";
import { flatChip, paintSet, stack } from "./chips.js";
import { button, element, part, write } from "./dom.js";
import { counted, forget, keepLevel, keptLevel, openOf, opened, scoreOf } from "./drills-kept.js";
import { arrows } from "./keys.js";
import { strings } from "./strings.js";
import { drills as words } from "./strings-drills.js";

const find = (id) => document.querySelector(`[data-testid=${id}]`);
const page = find("drill");
const ANSWER_LIMIT = 15_000;
const TALLEST = 20;

let level = keptLevel();
/** Counts what was asked for: an answer that comes after something else was asked is not drawn. */
let turn = 0;

/** What went wrong, as a sentence; `status` is the server's, or nothing where none came. */
class Trouble extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

async function ask(path, body) {
  const options = { cache: "no-store", signal: AbortSignal.timeout(ANSWER_LIMIT) };
  if (body) {
    options.method = "POST";
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  const lost = body ? words.lostAnswer : words.lost;
  const answer = await fetch(`/api/drills/${path}`, options).catch(() => null);
  const data = await answer?.json().catch(() => null);
  if (!answer?.ok || !data) throw new Trouble(data?.error || lost, answer?.status);
  return data;
}

/** Says a verdict ("yes" or "no"), or what is in the way. */
function say(text, right = "") {
  const line = find("verdict");
  line.dataset.right = right;
  write(line, text);
  write(find("spoken"), text);
}

function showScore(kind) {
  const { right, asked, streak } = scoreOf(kind);
  write(find("score"), asked > 0 ? words.score(right, asked, streak) : "");
}

function frame(kind, ...children) {
  page.replaceChildren(...children, part("p", "verdict"), part("p", "why"), part("div", "after", "choices"), part("p", "score"));
  showScore(kind);
}

function offerNext(kind) {
  const next = button("next", words.next, () => start(kind, { anew: true }));
  next.dataset.testid = "next";
  find("after").replaceChildren(next);
  next.focus();
}

/** Sends an answer and counts it. What cannot be judged is no miss: the question stays, with what was typed. */
async function judged(kind, open, said, verdictOf, stays) {
  const mine = turn;
  const seconds = (Math.max(0, Date.now() - open.began) / 1000).toFixed(1);
  let found;
  try {
    found = await ask(kind, said);
  } catch (trouble) {
    if (mine !== turn) return;
    stays();
    say(trouble.message);
    // The rules or the chips are others now, so that this one can be answered no more.
    if ([409, 422].includes(trouble.status)) {
      forget(kind, open);
      offerNext(kind);
    }
    return;
  }
  counted(kind, open, found.right);
  if (mine !== turn) return;
  const { verdict, why } = verdictOf(found);
  say(verdict, found.right ? "yes" : "no");
  write(find("verdict"), `${verdict} ${words.took(seconds)}`);
  write(find("why"), why);
  showScore(kind);
  offerNext(kind);
}

function cards(labels) {
  const row = element("div", "row");
  row.append(...labels.map((label) => cardGlyph({ kind: "card", label })));
  return row;
}

function drawHand(open) {
  const { asked } = open;
  const question = part("section", "question");
  question.tabIndex = -1;
  question.setAttribute("role", "group");
  question.setAttribute("aria-label", words.question(labelWords(asked.upcard), asked.hand.map(labelWords)));
  question.append(
    element("h2", "heading", words.dealer),
    cards([asked.upcard]),
    element("h2", "heading", words.yours),
    cards(asked.hand),
  );
  const choices = element("div", "choices");
  arrows(choices, "button:enabled");
  const shut = (on) => {
    for (const node of choices.children) node.disabled = on;
  };
  const verdictOf = (found) => {
    const best = strings.action(found.best);
    const missed = found.close ? words.close(best, found.cost.toFixed(3)) : words.wrong(best);
    return { verdict: found.right ? words.right : missed, why: found.why.join(" ") };
  };
  choices.append(
    ...asked.answers.map((action) => {
      const node = button("answer", strings.action(action), () => {
        shut(true);
        judged("hand", open, { seed: asked.seed, rules: asked.rules, answer: action }, verdictOf, () => {
          shut(false);
          node.focus();
        });
      });
      node.dataset.answer = action;
      return node;
    }),
  );
  const house = part("p", "house", "hint");
  write(house, words.house(asked.house));
  frame("hand", element("h1", "unseen", words.hand), house, question, choices);
  return question;
}

function lay({ way, stacks }) {
  const row = element("div", "row");
  for (const { colour, value, count } of stacks) {
    if (way === "splashed") {
      row.append(...Array.from({ length: count }, () => flatChip(colour, value)));
      continue;
    }
    const tube = element("div", "tube");
    const drawn = stack(colour, count, TALLEST);
    // The count is what is asked: it must not be read out.
    drawn.setAttribute("aria-label", colour);
    tube.append(drawn, element("span", "value", words.chip(colour, value)));
    row.append(tube);
  }
  if (way !== "splashed") return [row];
  return [row, element("p", "value", stacks.map(({ colour, value }) => words.chip(colour, value)).join(" · "))];
}

function drawChips(open) {
  const { asked } = open;
  paintSet(asked.colours);
  const form = element("form");
  const label = element("label", "", words.total);
  const field = part("input", "total");
  field.maxLength = LONGEST;
  field.setAttribute("inputmode", "decimal");
  field.setAttribute("autocomplete", "off");
  label.append(field);
  const send = element("button", "answer", words.answer);
  send.dataset.testid = "answer";
  form.append(label, send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const total = field.value.trim();
    const { error } = readAmount(total);
    if (error && total) say(error);
    if (error) return;
    send.disabled = true;
    field.readOnly = true;
    const said = { seed: asked.seed, level: asked.level, chips: asked.chips, total };
    const verdictOf = (found) => ({
      verdict: found.right ? words.right : words.wrongTotal(found.total),
      why: found.parts.join(" · "),
    });
    judged("chips", open, said, verdictOf, () => {
      send.disabled = false;
      field.readOnly = false;
      field.focus();
    });
  });
  const levels = element("div", "choices");
  const step = (text, by) => {
    const wanted = asked.level + by;
    const node = button("level", text, () => {
      level = wanted;
      keepLevel(level);
      start("chips", { anew: true });
    });
    node.disabled = wanted < 1 || wanted > asked.levels;
    return node;
  };
  levels.append(step(words.easier, -1), step(words.harder, 1));
  frame("chips", element("h1", "heading", words.ways[asked.way] ?? ""), ...lay(asked), form, levels);
  field.focus();
  return field;
}

const kinds = {
  hand: { path: () => "hand", draw: drawHand },
  chips: { path: () => `chips?level=${level}`, draw: drawChips },
};

/** The open question, or another one; what an earlier version of the page kept may not be drawable. */
function drawKept(kind) {
  try {
    return openOf(kind) && kinds[kind].draw(openOf(kind));
  } catch {
    forget(kind, openOf(kind));
    return null;
  }
}

/** Shows a question: the one that is open, or with `anew` another one, which takes the focus. */
async function start(kind, { anew = false } = {}) {
  turn += 1;
  const mine = turn;
  if (!anew && drawKept(kind)) return;
  let asked;
  try {
    asked = await ask(kinds[kind].path());
  } catch (trouble) {
    if (mine === turn) failed(kind, trouble, anew);
    return;
  }
  if (mine !== turn) return;
  const asking = kinds[kind].draw(opened(kind, asked));
  if (anew) asking.focus();
}

/** No question came: what is on the page stays, or the page says so by itself. */
function failed(kind, trouble, anew) {
  if (anew && find("after")) {
    say(trouble.message);
    return;
  }
  const again = button("again", words.again, () => start(kind, { anew: true }));
  page.replaceChildren(part("p", "verdict"), again);
  say(trouble.message);
  if (anew) again.focus();
}

function show() {
  const wanted = window.location.hash.slice(1);
  const kind = Object.hasOwn(kinds, wanted) ? wanted : "hand";
  for (const link of find("chapters").children) {
    if (link.hash === `#${kind}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  start(kind);
}

write(find("home"), words.name);
find("chapters").setAttribute("aria-label", words.title);
find("chapters").append(
  ...Object.keys(kinds).map((kind) => {
    const link = element("a", "chapter", words[kind]);
    link.href = `#${kind}`;
    return link;
  }),
);
window.addEventListener("hashchange", show);
show();
