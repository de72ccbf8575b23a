import { Connection } from "./connection.js";
import { Picture } from "./overlay.js";
import { strings } from "./strings.js";
import { Hands, adviceAloud, showDealer, showProblems } from "./table.js";

const VERSION = 1;

const find = (id) => document.querySelector(`[data-testid=${id}]`);
const board = document.querySelector(".board");
const picture = new Picture(document);
const hands = new Hands(find("hands"));

for (const node of document.querySelectorAll("[data-text]")) node.textContent = strings[node.dataset.text];

let line = "connecting";
let latest = null;

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

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

function showCamera({ state = "starting", message = "" } = {}, settled = true) {
  const words = state === "live" ? strings.camera[settled ? "live" : "moving"] : message || strings.camera[state];
  status(find("camera"), state, words ?? state);
}

function show(state) {
  if (state.version !== VERSION) {
    status(find("connection"), "outdated", strings.connection.outdated);
    return;
  }
  status(find("connection"), "open", strings.connection.open);
  latest = state;
  const seats = state.hands ?? [];
  const dealt = (state.dealer?.cards ?? []).length > 0;
  showCamera(state.camera, state.settled !== false);
  picture.show(state);
  showDealer(document, state.dealer);
  hands.show(seats);
  showProblems(find("problems"), state.problems ?? []);
  find("empty").hidden = seats.length > 0;
  write(find("empty"), dealt ? strings.emptyHands : strings.empty);
  write(find("rules"), state.rules?.summary ?? "");
  const ms = state.ms?.total;
  write(find("read-time"), typeof ms === "number" ? strings.readIn(Math.round(ms)) : "");
  write(find("spoken"), adviceAloud(state));
  freshness();
}

showDealer(document, null);
showCamera();
write(find("empty"), strings.empty);

const address = new URL("/ws", window.location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
new Connection(address.href, {
  onState: show,
  onStatus(state) {
    line = state;
    status(find("connection"), state, strings.connection[state]);
    freshness();
  },
}).start();
