// What people tell the server. One change at a time, in the order of the taps; none is lost without a word.
import { button, element, write } from "./dom.js";
import { strings } from "./strings.js";

const ANSWER_LIMIT = 8000;
const DOUBLE_TAP = 350;
const SAME_SPOT = 24;

let line = "connecting";
let queue = Promise.resolve();
let tapBefore = { at: -Infinity, x: 0, y: 0 };
let lastTap = tapBefore;

document.addEventListener("click", ({ clientX, clientY }) => {
  tapBefore = lastTap;
  lastTap = { at: performance.now(), x: clientX, y: clientY };
}, { capture: true });

/** The line's state decides whether anything may be sent; every control that tells the server follows it. */
export function lineIs(state) {
  line = state;
  document.documentElement.dataset.line = state;
  for (const control of document.querySelectorAll(".tells")) follow(control);
}

export const lineIsUp = () => line === "open";

function follow(control) {
  control.setAttribute("aria-disabled", String(line !== "open" || "unable" in control.dataset));
}

/** A button that tells the server something: pale while the line is lost, deaf to the second half of a double tap. */
export function teller(className, text, onTap) {
  const control = button(`tells ${className}`, text);
  const born = performance.now();
  follow(control);
  control.addEventListener("click", (event) => {
    // It came under a finger that has not moved since the first tap of a double tap: nobody can have meant it.
    const still = Math.hypot(lastTap.x - tapBefore.x, lastTap.y - tapBefore.y) < SAME_SPOT;
    if (event.detail > 0 && still && born > tapBefore.at && lastTap.at - tapBefore.at < DOUBLE_TAP) return;
    if ("unable" in control.dataset) return;
    if (line !== "open") {
      tellTrouble(strings.lineIsLost, control);
      return;
    }
    onTap(control);
  });
  return control;
}

/** Whether what a teller would do is possible at all, such as undo where nothing was done. */
export function enable(control, able) {
  if (able) delete control.dataset.unable;
  else control.dataset.unable = "";
  follow(control);
}

/** Ask the server for something; {ok, data} or {ok: false, error} with a sentence. */
export async function ask(path, body, what = path, method = "GET") {
  const options = { cache: "no-store", method, signal: AbortSignal.timeout(ANSWER_LIMIT) };
  if (body !== undefined) {
    options.method = "POST";
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    return { ok: false, error: strings.notAnswered(what) };
  }
  const data = await answer.json().catch(() => null);
  if (answer.ok) return { ok: true, data };
  const said = typeof data?.error === "string" && data.error;
  return { ok: false, error: said || strings.refused(answer.status) };
}

/** Send one change of the table; what goes wrong is said in `within` (an open sheet) or at the foot of the page. */
export function tell(change, what, { control = null, within = null } = {}) {
  control?.setAttribute("aria-busy", "true");
  const lost = { ok: false, error: strings.lineIsLost };
  const result = queue.then(() => (line === "open" ? ask("/api/table", change, what) : lost));
  queue = result.then((answer) => {
    control?.removeAttribute("aria-busy");
    if (answer.ok) quiet();
    else tellTrouble(answer.error, within ?? control);
  });
  return result;
}

/** Say a sentence where it is seen: in the sheet that lies open, else at the foot of the page. */
export function tellTrouble(sentence, near = null) {
  const sheet = near?.closest?.("dialog[open]") ?? document.querySelector("dialog[open]");
  const home = sheet?.querySelector(".sheet-trouble") ?? document.querySelector("[data-testid=trouble]");
  if (!home.firstChild) {
    home.append(element("p", "trouble-words"), button("plain-button", strings.dismiss, () => clear(home)));
  }
  write(home.firstChild, sentence);
  home.hidden = false;
}

function clear(home) {
  home.hidden = true;
  home.replaceChildren();
}

/** Nothing is wrong any more. */
export function quiet() {
  for (const home of document.querySelectorAll("[data-testid=trouble], .sheet-trouble")) clear(home);
}
