// The line to the server. It mends itself: half a second, then longer, never more than five.
// A line that died without a word is found out too: when nothing was heard for a second, the server is asked.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
const OPENING_LIMIT = 4000;
const STALE_AFTER_HIDDEN = 10000;
const QUIET = 800;
const ANSWER_LIMIT = 900;
const SENT_AWAY = 4401;

export class Connection {
  #socket = null;
  #wait = FIRST_WAIT;
  #retry = 0;
  #opening = 0;
  #hiddenSince = 0;
  #heard = 0;
  #asking = false;

  /**
   * `onState(state)` for each whole state, `onStatus("connecting" | "open" | "lost")` for the line itself; `probe` is
   * an address that the server answers at once.
   */
  constructor(url, { onState, onStatus, probe }) {
    this.url = url;
    this.probe = probe;
    this.onState = onState;
    this.onStatus = onStatus;
  }

  start() {
    this.onStatus("connecting");
    document.addEventListener("visibilitychange", () => this.#visibility());
    window.addEventListener("online", () => this.#hurry());
    window.addEventListener("offline", () => this.#ask());
    setInterval(() => this.#watch(), 250);
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    clearTimeout(this.#opening);
    const socket = new WebSocket(this.url);
    const previous = this.#socket;
    this.#socket = socket;
    previous?.close();
    this.#opening = setTimeout(() => this.#lost(socket), OPENING_LIMIT);

    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      clearTimeout(this.#opening);
      this.#heard = performance.now();
      this.onStatus("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#wait = FIRST_WAIT;
      this.#heard = performance.now();
      let state;
      try {
        state = JSON.parse(event.data);
      } catch {
        console.warn("The server sent something that is not JSON; it is ignored.");
        return;
      }
      if (state && typeof state === "object") this.onState(state);
    });
    socket.addEventListener("close", (event) => {
      if (event.code === SENT_AWAY) window.location.replace("/pair");
      else this.#lost(socket);
    });
  }

  #watch() {
    const open = this.#socket?.readyState === WebSocket.OPEN;
    if (open && !document.hidden && performance.now() - this.#heard > QUIET) this.#ask();
  }

  /** Any answer at all shows that the server is there; none in time, that the line is dead. */
  async #ask() {
    const socket = this.#socket;
    if (!this.probe || this.#asking || socket?.readyState !== WebSocket.OPEN) return;
    this.#asking = true;
    const asked = performance.now();
    try {
      await fetch(this.probe, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_LIMIT) });
      this.#heard = performance.now();
    } catch {
      if (this.#heard <= asked) this.#lost(socket);
    } finally {
      this.#asking = false;
    }
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    clearTimeout(this.#opening);
    socket.close();
    this.onStatus("lost");
    this.#retry = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #hurry() {
    if (this.#socket !== null) return;
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  #visibility() {
    if (document.hidden) {
      this.#hiddenSince = Date.now();
      return;
    }
    this.#heard = performance.now();
    // A telephone that slept may hold a line that died without a word: take a new one.
    if (this.#hiddenSince && Date.now() - this.#hiddenSince > STALE_AFTER_HIDDEN) this.#open();
    else this.#hurry();
  }
}
