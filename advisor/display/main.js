// The display: states come in over the line and are drawn, taps go out to the server.
import { enable, lineIs, tell, teller } from "./actions.js";
import { openCard } from "./card_sheet.js";
import { paintSet } from "./chips.js";
import { Connection } from "./connection.js";
import { openSheet } from "./dialogs.js";
import { button, element, flag, samePlace, signedAmount, svg, write } from "./dom.js";
import { showFelt } from "./felt.js";
import { showGrids } from "./grids.js";
import { openHand } from "./hand_sheet.js";
import { Hands } from "./hands.js";
import { showHouse } from "./house.js";
import { arrows, undoKeys } from "./keys.js";
import { say } from "./keypad.js";
import { openMenu } from "./menu.js";
import { commonOffer, showChoices, showFacts, showFaults, showQuestions, showStep, showWords, sorted } from "./now.js";
import { Picture } from "./picture.js";
import { settings } from "./settings.js";
import { openSetup } from "./setup.js";
import { strings } from "./strings.js";
import * as voice from "./voice.js";

const VERSION = 2;
const viewer = window.location.pathname.startsWith("/players");

const find = (id) => document.querySelector(`[data-testid=${id}]`);
const board = document.querySelector(".board");
document.documentElement.dataset.view = viewer ? "players" : "dealer";
for (const node of document.querySelectorAll("[data-text]")) node.textContent = strings[node.dataset.text];

let line = "connecting";
let latest = null;
let asked = 0;
let large = null;
let chooser = window.location.pathname.startsWith("/setup");

const onlyShown = (state) => viewer || state?.role === "viewer";
const forCards = (state) => (onlyShown(state) ? null : (card) => openCard(latest, card));
const onMore = (place) => {
  if (latest) openHand({ ...latest, played: playedOf(latest) }, place, { onCard: forCards(latest) });
};
const onTell = (choice, control) => say(latest, choice, control);
const picture = new Picture(document.querySelector(".side .frame"));
const hands = new Hands(find("hands"), { onMore, onTell });

function status(node, state, text) {
  node.dataset.state = state;
  write(node, text);
}

/** Advice that no longer follows the table must not look as if it did. */
function freshness() {
  const camera = latest?.camera?.state;
  if (!latest) board.dataset.state = "waiting";
  else if (line !== "open" || camera === "lost") board.dataset.state = "stale";
  else board.dataset.state = latest.settled === false ? "moving" : "live";
}

function showCamera({ state = "starting", message = "", trouble = null } = {}, settled = true) {
  const node = find("camera");
  if (state !== "live") status(node, state, message || strings.camera[state] || state);
  else if (trouble) status(node, "trouble", message || strings.trouble[trouble] || trouble);
  else status(node, state, strings.camera[settled ? "live" : "moving"]);
}

function marked(played) {
  // Where the step is, there is the turn, whether the hand itself says so or not.
  const mark = (hand) => (samePlace(hand.place, played.step_place) ? { ...hand, active: true } : hand);
  return { ...played, house: (played.house ?? []).map(mark), hands: (played.hands ?? []).map(mark) };
}

/** For players: nothing private, even where the server sent it. */
function forPlayers(played) {
  const shut = (card) => (card.lies === "down" ? { ...card, label: null } : card);
  const open = (hand) => ({
    ...hand,
    cards: (hand.cards ?? []).map(shut),
    ...(hand.private ? { action: null, values: {}, why: [], offer: null, problems: [] } : {}),
  });
  return {
    ...played,
    house: (played.house ?? []).map(open),
    hands: (played.hands ?? []).map(open),
    facts: (played.facts ?? []).filter((fact) => !fact.private),
    choices: [],
    faults: [],
    questions: (played.questions ?? []).map((question) => ({ ...question, choices: [] })),
  };
}

function playedOf(state) {
  const played = marked(state.played ?? {});
  if (onlyShown(state)) return forPlayers(played);
  return settings.count ? played : { ...played, facts: (played.facts ?? []).filter((fact) => !fact.count) };
}

function titleOf(played, place) {
  const hand = [...(played.house ?? []), ...(played.hands ?? [])].find((it) => samePlace(it.place, place));
  return hand?.title ?? strings.seat(place.seat);
}

function show(state) {
  const played = playedOf(state);
  const onCard = forCards(state);
  const seats = played.hands ?? [];
  const { here, elsewhere } = sorted(played);
  const offer = commonOffer(seats);
  board.dataset.phase = played.phase ?? "";
  board.dataset.house = String((played.house ?? []).length);
  showCamera(state.camera, state.settled !== false);
  picture.show(state);
  large?.show(state);
  showStep(find("step"), played);
  showChoices(find("choices"), here, onTell);
  showFaults(find("faults"), played.faults ?? [], { onTell, onCard, names: (place) => titleOf(played, place) });
  const troubles = [...(state.problems ?? [])];
  if (state.store?.ok === false) troubles.push(state.store.message || strings.storeTrouble);
  showWords(find("problems"), troubles, "problem");
  document.querySelector(".wrong").hidden = troubles.length + (played.faults ?? []).length === 0;
  showWords(find("notices"), [...(offer ? [offer] : []), ...(played.notices ?? [])], "notice");
  showQuestions(find("questions"), played.questions ?? [], onTell);
  placeFacts(played);
  showHouse(find("house"), played.house ?? [], { onCard, onMore });
  hands.show({ hands: seats, choices: elsewhere, sameOffer: offer, onCard });
  showFelt(find("felt"), state.table?.seats ?? 7, seats.length + elsewhere.length === 0);
  showGrids(find("grids"), played.grids ?? []);
  write(find("game"), state.game?.title ?? "");
  write(find("round"), typeof state.round === "number" ? strings.round(state.round) : "");
  write(find("rules"), state.rules?.summary ?? "");
  write(find("net"), netWords(played));
  const ms = state.ms?.total;
  write(find("read-time"), typeof ms === "number" ? strings.readIn(Math.round(ms)) : "");
  if (!viewer) showHistory(state);
  write(find("spoken"), played.step ?? "");
  voice.say(played.step ?? "");
}

/** Many figures would push the seats away: they stand beside them, under the scoreboards. */
function placeFacts(played) {
  const facts = played.facts ?? [];
  const many = facts.length > 5;
  const home = many ? find("low") : document.querySelector(".side");
  if (find("facts").parentElement !== home) home.append(find("facts"));
  showFacts(find("facts"), facts);
  find("low").hidden = !many && (played.grids ?? []).length === 0;
}

function netWords(played) {
  if (!["settle", "clear", "over"].includes(played.phase)) return "";
  const said = ([seat, amount]) => `${strings.seat(Number(seat))} ${signedAmount(amount)}`;
  return Object.entries(played.net ?? {}).map(said).join(" · ");
}

/** Every state counts, but no more are drawn than the screen shows. */
function receive(state) {
  if (state.version !== VERSION) {
    status(find("connection"), "outdated", strings.connection.outdated);
    return;
  }
  latest = state;
  paintSet((state.table?.chips ?? []).map(({ colour }) => colour));
  menu.disabled = false;
  status(find("connection"), line, strings.connection[line]);
  freshness();
  // Not before the first state: the chooser is filled in with what the table plays.
  if (chooser) openSetup(state);
  chooser = false;
  asked ||= requestAnimationFrame(() => {
    asked = 0;
    show(latest);
  });
}

// ---- Undo and redo, with the words of what they take back.
const history = {};
const ARROWS = {
  undo: "M9 5L4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  redo: "M15 5l5 5-5 5M20 10H10a6 6 0 0 0 0 12h3",
};

function makeHistory() {
  for (const op of ["undo", "redo"]) {
    const control = teller("history", "", () => tell({ op }, strings[op], { control }));
    control.dataset.testid = op;
    const arrow = svg("svg", { class: "history-arrow", viewBox: "0 0 24 24", "aria-hidden": "true" });
    arrow.append(svg("path", { d: ARROWS[op] }));
    const label = element("span", "history-label");
    label.append(element("span", "history-name", strings[op]), element("span", "history-words"));
    control.append(arrow, label);
    enable(control, false);
    find("tools").append(control);
    history[op] = control;
  }
  undoKeys({ undo: () => history.undo.click(), redo: () => history.redo.click() });
}

function showHistory(state) {
  for (const [op, control] of Object.entries(history)) {
    const { nothing, of } = strings.history[op];
    enable(control, Boolean(state[op]));
    write(control.querySelector(".history-words"), state[op] ?? "");
    control.setAttribute("aria-label", state[op] ? of(state[op]) : nothing);
    control.title = state[op] ? of(state[op]) : nothing;
  }
}

function enlarge() {
  if (!latest) return;
  const sheet = openSheet("picture-sheet", strings.pictureHeading, (body) => {
    const frame = document.querySelector(".side .frame").cloneNode(true);
    frame.querySelector(".overlay").replaceChildren();
    for (const node of frame.querySelectorAll("[data-testid]")) node.dataset.testid = `large-${node.dataset.testid}`;
    frame.querySelector(".overlay").removeAttribute("aria-hidden");
    body.append(frame);
    const onCard = forCards(latest);
    if (onCard) body.append(element("p", "hint", strings.pictureHint));
    large = new Picture(frame, onCard);
    large.show(latest);
  }, { onClose: () => (large = null) });
  const { width = 16, height = 9 } = latest.picture ?? {};
  sheet.style.setProperty("--ratio", String(width / height));
}

function follow() {
  flag(document.documentElement, "nopicture", viewer || !settings.picture);
  if (latest) show(latest);
}

arrows(find("choices"), ".choice");
arrows(find("hands"), ".card-button, .hand-name");
if (!viewer) makeHistory();
const menu = button("plain-button", strings.menu, () => openMenu(() => latest, { viewer: onlyShown(latest) }));
// What the sheets offer depends on the table: before the first word of it they would say that there is no picture.
menu.disabled = true;
menu.dataset.testid = "open-menu";
find("tools").append(menu);
find("enlarge").setAttribute("aria-label", strings.enlarge);
find("enlarge").addEventListener("click", enlarge);
window.addEventListener("settings", follow);
follow();
showCamera();
write(find("step"), strings.waiting);
freshness();

const address = new URL(viewer ? "/ws?view=players" : "/ws", window.location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
new Connection(address.href, {
  probe: "/api/health",
  onState: receive,
  onStatus(state) {
    line = state;
    lineIs(state);
    status(find("connection"), state, strings.connection[state]);
    freshness();
  },
}).start();
