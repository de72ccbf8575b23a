// Practice: the right move with a hand, and the total of a pile. The server asks and judges; the page keeps the score.
import { cardGlyph } from "./cards.js";
import { flatChip, stack } from "./chips.js";
import { button, element, part, write } from "./dom.js";
import { strings } from "./strings.js";
import { drills as words } from "./strings-drills.js";

const find = (id) => document.querySelector(`[data-testid=${id}]`);
const page = find("drill");
const KEPT = "tableside-drills";
const MOST_LEVEL = 5;
const TALLEST = 20;

const score = { hand: { right: 0, asked: 0, streak: 0 }, chips: { right: 0, asked: 0, streak: 0 } };
let level = 2;

try {
  level = Math.min(MOST_LEVEL, Math.max(1, Number(localStorage.getItem(KEPT)) || 2));
} catch {
  // A browser that keeps nothing starts at the usual level each time.
}

async function ask(path, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(`/api/drills/${path}`, options);
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error ?? words.lost);
  return data;
}

/** Counts an answer and says it. */
function note(kind, right, verdict, began) {
  const kept = score[kind];
  kept.asked += 1;
  kept.right += right ? 1 : 0;
  kept.streak = right ? kept.streak + 1 : 0;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const line = find("verdict");
  line.dataset.right = right ? "yes" : "no";
  write(line, `${verdict} ${words.took(seconds)}`);
  write(find("spoken"), verdict);
  write(find("score"), words.score(kept.right, kept.asked, kept.streak));
}

function frame(kind, ...children) {
  const kept = score[kind];
  const verdict = part("p", "verdict");
  const total = part("p", "score");
  if (kept.asked > 0) write(total, words.score(kept.right, kept.asked, kept.streak));
  page.replaceChildren(...children, verdict, part("p", "why"), part("div", "after", "choices"), total);
}

function offerNext(kind) {
  const next = button("next", words.next, () => start(kind));
  next.dataset.testid = "next";
  find("after").append(next);
  next.focus();
}

function cards(labels) {
  const row = element("div", "row");
  row.append(...labels.map((label) => cardGlyph({ kind: "card", label })));
  return row;
}

async function handDrill() {
  const asked = await ask("hand");
  const began = performance.now();
  const choices = element("div", "choices");
  const answer = async (chosen) => {
    for (const node of choices.children) node.disabled = true;
    try {
      const found = await ask("hand", { seed: asked.seed, rules: asked.rules, answer: chosen });
      const best = strings.action(found.best);
      const cost = found.cost.toFixed(3);
      note("hand", found.right, found.right ? words.right : found.close ? words.close(best, cost) : words.wrong(best), began);
      write(find("why"), found.why.join(" "));
      offerNext("hand");
    } catch (error) {
      failed("hand", error);
    }
  };
  choices.append(
    ...asked.answers.map((action) => {
      const node = button("answer", strings.action(action), () => answer(action));
      node.dataset.answer = action;
      return node;
    }),
  );
  frame(
    "hand",
    element("h1", "unseen", words.hand),
    element("h2", "heading", words.dealer),
    cards([asked.upcard]),
    element("h2", "heading", words.yours),
    cards(asked.hand),
    choices,
  );
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
    tube.append(drawn, element("span", "value", value));
    row.append(tube);
  }
  return row;
}

async function chipsDrill() {
  const asked = await ask(`chips?level=${level}`);
  const began = performance.now();
  const form = element("form");
  const label = element("label", "", words.total);
  const field = part("input", "total");
  field.setAttribute("inputmode", "decimal");
  field.setAttribute("autocomplete", "off");
  label.append(field);
  const send = element("button", "answer", words.answer);
  send.dataset.testid = "answer";
  form.append(label, send);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    send.disabled = true;
    try {
      const found = await ask("chips", { seed: asked.seed, level: asked.level, total: field.value.trim() });
      field.disabled = true;
      note("chips", found.right, found.right ? words.right : words.wrongTotal(found.total), began);
      write(find("why"), found.parts.join(" · "));
      offerNext("chips");
    } catch (error) {
      send.disabled = false;
      write(find("verdict"), error.message || words.lost);
    }
  });
  const levels = element("div", "choices");
  const step = (text, by) => {
    const node = button("level", text, () => {
      level = Math.min(MOST_LEVEL, Math.max(1, level + by));
      try {
        localStorage.setItem(KEPT, String(level));
      } catch {
        // It is only convenience.
      }
      start("chips");
    });
    node.disabled = level + by < 1 || level + by > MOST_LEVEL;
    return node;
  };
  levels.append(step(words.easier, -1), step(words.harder, 1));
  frame("chips", element("h1", "heading", words.ways[asked.way] ?? ""), lay(asked), form, levels);
  field.focus();
}

function failed(kind, error) {
  page.replaceChildren(element("p", "verdict", error.message || words.lost), button("again", words.again, () => start(kind)));
}

const kinds = { hand: handDrill, chips: chipsDrill };

async function start(kind) {
  try {
    await kinds[kind]();
  } catch (error) {
    failed(kind, error);
  }
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
