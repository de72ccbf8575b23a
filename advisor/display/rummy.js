// The rummy page: which view is shown, by the address behind the #, and the list of all games.
import { button, h, problem, say } from "./rummy-dom.js";
import { draftOf, drafts, dropDraft } from "./rummy-drafts.js";
import { flush, glance, insist, onLine, Refusal } from "./rummy-line.js";
import { newGameView } from "./rummy-new.js";
import { handView } from "./rummy-hand.js";
import { sheetView } from "./rummy-sheet.js";
import { words } from "./strings-rummy.js";

const GLANCE_EVERY = 4000;

const page = document.querySelector("[data-testid=page]");
const line = document.querySelector("[data-testid=line]");
const home = document.querySelector("[data-testid=home]");
home.textContent = words.product;

let leave = () => {};
let refresh = null;

onLine((state) => {
  line.dataset.state = state === "sending" ? "connecting" : state;
  line.textContent = words.line[state];
});

export const address = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

export function go(...parts) {
  const wanted = address(...parts);
  if (location.hash === wanted) show();
  else location.hash = wanted;
}

/** Show what the address says. A view gives its node, what to do every few seconds, and how to end. */
async function show() {
  leave();
  leave = () => {};
  refresh = null;
  let left = false;
  leave = () => (left = true);
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  let view;
  try {
    view = await viewOf(parts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    view = { node: h("div", {}, problem(error.message), h("p", {}, h("a", { href: "#/" }, words.back))) };
  }
  if (left) {
    view.leave?.();
    return;
  }
  leave = view.leave ?? (() => {});
  refresh = view.refresh ?? null;
  page.replaceChildren(view.node);
  window.scrollTo(0, 0);
}

function viewOf(parts) {
  if (!parts.length) return listView();
  if (parts.length === 1 && parts[0] === "new") return newGameView(go);
  if (parts.length === 2 && parts[0] === "sheet") return sheetView(parts[1], go);
  if (parts.length === 4 && parts[0] === "sheet") return handView(parts[1], parts[2], Number(parts[3]), go);
  return { node: h("p", {}, words.noSuchPage, " ", h("a", { href: "#/" }, words.back)) };
}

async function listView() {
  const { sheets, problems } = await insist("GET", "/api/rummy/sheets");
  const open = drafts().filter((draft) => draft.cards || draft.picture);
  const node = h("div", {},
    h("h1", {}, words.games),
    problems.map((sentence) => problem(sentence)),
    open.map(draftBanner),
    h("p", { class: "buttons" }, h("a", { class: "button main", href: "#/new", "data-testid": "new-game" }, words.newGame)),
    sheets.length ? h("ul", { class: "games" }, sheets.map(gameLine)) : h("p", { class: "hint" }, words.noGames),
  );
  return { node };
}

function gameLine(sheet) {
  return h("li", {},
    h("a", { class: "game", href: address("sheet", sheet.name), "data-testid": "game" },
      h("strong", {}, sheet.name), h("span", { class: "label" }, sheet.title), h("span", {}, sheet.next)));
}

function draftBanner(draft) {
  const banner = h("section", { class: "banner", "data-testid": "draft" },
    h("p", {}, words.unfinished(draft.player, draft.deal, draft.sheet)),
    h("p", { class: "buttons" },
      h("a", { class: "button", href: address("sheet", draft.sheet, draft.player, String(draft.deal)) }, words.goOn),
      button(words.discard, async () => {
        await dropDraft(draftOf(draft.sheet, draft.player, draft.deal) ?? draft);
        banner.remove();
      })));
  return banner;
}

addEventListener("hashchange", show);
setInterval(() => {
  if (refresh && document.visibilityState === "visible" && !document.querySelector("dialog")) refresh();
}, GLANCE_EVERY);
addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh?.());

for (const sentence of await start()) {
  page.prepend(problem(sentence));
  say(sentence);
}

async function start() {
  line.textContent = words.line.open;
  await show();
  const refused = await flush();
  refresh?.();
  return refused;
}
