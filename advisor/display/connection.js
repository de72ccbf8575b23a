// The line to the server. It mends itself: half a second, then longer, never more than five.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
const OPENING_LIMIT = 4000;
const STALE_AFTER_HIDDEN = 10000;

export class Connection {
  #socket = null;
  #wait = FIRST_WAIT;
  #retry = 0;
  #opening = 0;
  #hiddenSince = 0;

  /** `onState(state)` for each whole state, `onStatus("connecting" | "open" | "lost")` for the line itself. */
  constructor(url, { onState, onStatus }) {
    this.url = url;
    this.onState = onState;
    this.onStatus = onStatus;
  }

  start() {
    this.onStatus("connecting");
    document.addEventListener("visibilitychange", () => this.#visibility());
    window.addEventListener("online", () => this.#hurry());
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
      this.onStatus("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#wait = FIRST_WAIT;
      let state;
      try {
        state = JSON.parse(event.data);
      } catch {
        console.warn("The server sent something that is not JSON; it is ignored.");
        return;
      }
      if (state && typeof state === "object") this.onState(state);
    });
    socket.addEventListener("close", () => this.#lost(socket));
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
    // A telephone that slept may hold a line that died without a word: take a new one.
    if (this.#hiddenSince && Date.now() - this.#hiddenSince > STALE_AFTER_HIDDEN) this.#open();
    else this.#hurry();
  }
}
