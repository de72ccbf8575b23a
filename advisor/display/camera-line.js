// The line that pictures go over: one at a time, the next when the one before was taken; it mends itself.
const PAUSES = [500, 1000, 2000, 4000];
const ANSWER_WITHIN = 6000;

/** Steps of size and quality; the line's delay chooses. Quality goes first: cards are read by their pixels. */
export const STEPS = [
  { width: 1920, quality: 0.88 },
  { width: 1920, quality: 0.75 },
  { width: 1920, quality: 0.6 },
  { width: 1280, quality: 0.7 },
  { width: 960, quality: 0.65 },
];
const SLOW = 350;
const QUICK = 120;
const QUICK_IN_A_ROW = 20;

/** Which step comes after answers that took `delay` milliseconds. Pure but for the count that it is given back. */
export function stepAfter(step, quick, delay) {
  if (delay > SLOW) return { step: Math.min(step + 1, STEPS.length - 1), quick: 0 };
  if (delay >= QUICK) return { step, quick: 0 };
  if (quick + 1 < QUICK_IN_A_ROW || step === 0) return { step, quick: quick + 1 };
  return { step: step - 1, quick: 0 };
}

/** Opens the line and keeps it open until `close`. `on` gets `ready()`, `answer(data, delay)`, `lost()`, `refused(words)`. */
export function openLine(on) {
  let socket;
  let sentAt = 0;
  let waiting = false;
  let failures = 0;
  let timer = 0;
  let closed = false;

  function connect() {
    const address = new URL("/ws/camera", window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const mine = new WebSocket(address);
    socket = mine;
    watch();
    mine.addEventListener("message", (event) => {
      if (mine !== socket || closed) return;
      const data = JSON.parse(event.data);
      if (data.refused) {
        close();
        on.refused(data.refused);
        return;
      }
      window.clearTimeout(timer);
      failures = 0;
      const first = !waiting;
      waiting = false;
      if (first) on.ready();
      else on.answer(data, performance.now() - sentAt);
    });
    mine.addEventListener("close", () => {
      if (mine === socket) again();
    });
  }

  // A line that says nothing is as lost as one that closes.
  function watch() {
    window.clearTimeout(timer);
    timer = window.setTimeout(again, ANSWER_WITHIN);
  }

  function again() {
    window.clearTimeout(timer);
    if (closed) return;
    const old = socket;
    socket = undefined;
    old?.close();
    waiting = false;
    on.lost();
    timer = window.setTimeout(connect, PAUSES[Math.min(failures, PAUSES.length - 1)]);
    failures += 1;
  }

  function send(blob) {
    if (closed || waiting || socket?.readyState !== WebSocket.OPEN) return false;
    waiting = true;
    sentAt = performance.now();
    socket.send(blob);
    watch();
    return true;
  }

  function close() {
    closed = true;
    window.clearTimeout(timer);
    socket?.close();
  }

  connect();
  return { send, close };
}
