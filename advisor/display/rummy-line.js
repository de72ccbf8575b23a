// The line to the server. What is entered is kept on the phone until the server has said that it is safe; sent again, it
// carries the same key, by which the server knows it.

const FIRST_PAUSE = 800;
const LONGEST_PAUSE = 10000;
const PATIENCE = 30000;
const SLOWEST = 20; // bytes a millisecond, below which a picture is given up and sent anew
const OUTBOX = "tableside.rummy.outbox";

/** The server refused, with a sentence; sending it again would be refused again. */
export class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // Pages of the home network are not "secure" to a browser, which then has only this.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const listeners = new Set();
let lost = 0;

/** Hear "open", "sending" or "lost". */
export function onLine(listener) {
  listeners.add(listener);
}

function tell(state) {
  for (const listener of listeners) listener(state);
}

async function once(method, path, body, headers = {}) {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), PATIENCE + (body?.size ?? 0) / SLOWEST);
  try {
    const answer = await fetch(path, { method, body, headers, signal: stop.signal, cache: "no-store" });
    if (answer.status === 204) return null;
    const data = await answer.json();
    if (answer.ok) return data;
    // 5xx: the server is busy or ill, and may be well in a moment.
    if (answer.status < 500) throw new Refusal(answer.status, data.error ?? answer.statusText);
    throw new Error(data.error ?? answer.statusText);
  } finally {
    clearTimeout(limit);
  }
}

const wait = (ms) => new Promise((resolve) => {
  const timer = setTimeout(done, ms);
  function done() {
    clearTimeout(timer);
    removeEventListener("online", done);
    resolve();
  }
  addEventListener("online", done);
});

/** Ask until there is an answer; throws `Refusal`, or what `signal` (an AbortSignal) was aborted with. */
export async function insist(method, path, { json, body, headers, signal } = {}) {
  const sent = json === undefined ? body : JSON.stringify(json);
  const kind = json === undefined ? headers : { "Content-Type": "application/json" };
  if (method !== "GET") tell("sending");
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    signal?.throwIfAborted();
    try {
      const data = await once(method, path, sent, kind);
      lost = 0;
      tell("open");
      return data;
    } catch (error) {
      if (error instanceof Refusal) {
        lost = 0;
        tell("open");
        throw error;
      }
      lost += 1;
      tell("lost");
    }
    await wait(pause);
  }
}

/** Ask once; null where no answer came. */
export async function glance(path) {
  try {
    const data = await once("GET", path);
    if (lost) tell("open");
    lost = 0;
    return data;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    lost += 1;
    tell("lost");
    return null;
  }
}

export const sheetPath = (name) => `/api/rummy/sheets/${encodeURIComponent(name)}`;

// What was entered and is not yet known to be safe.

function load(place, empty) {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? empty;
  } catch {
    return empty;
  }
}

function store(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // A phone in private mode keeps nothing; sending goes on all the same.
  }
}

function outbox() {
  return load(OUTBOX, []);
}

/** Record an operation on a sheet; resolves with the sheet as it then stands. Throws `Refusal`. */
export async function record(sheet, operation, { seen, key = newKey() } = {}) {
  const entry = { sheet, body: { key, operation, ...(seen === undefined ? {} : { seen }) } };
  store(OUTBOX, [...outbox().filter((each) => each.body.key !== key), entry]);
  return send(entry);
}

async function send(entry) {
  try {
    return await insist("POST", `${sheetPath(entry.sheet)}/operations`, { json: entry.body });
  } finally {
    // Reached only with an answer: until then the entry stays, over a reload too.
    store(OUTBOX, outbox().filter((each) => each.body.key !== entry.body.key));
  }
}

/** Send what an earlier visit could not; gives the sentences of what was refused. */
export async function flush() {
  const refused = [];
  for (const entry of outbox()) {
    try {
      await send(entry);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error.message);
    }
  }
  return refused;
}
