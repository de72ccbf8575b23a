// The camera page: this device's camera, picture after picture, to the table. What is shown is what was sent.
import { STEPS, openLine, stepAfter } from "./camera-line.js";
import { strings } from "./strings-camera.js";

const AT_MOST = 15;
const part = (name) => document.querySelector(`[data-testid="camera-${name}"]`);
const canvas = part("picture");
const choice = part("choice");
const go = part("go");
const brush = canvas.getContext("2d", { alpha: false });
const video = document.createElement("video");
video.muted = true;
video.playsInline = true;

let stream;
let line;
let lock;
let step = 0;
let quick = 0;
let lineReady = false;
let sent = [];
let lastAt = 0;
let trouble = "";

for (const node of document.querySelectorAll("[data-text]")) node.textContent = strings[node.dataset.text];
document.title = `${strings.title} – Tableside`;
canvas.setAttribute("aria-label", strings.preview);

function state(name) {
  part("state").dataset.state = name;
  part("state").textContent = strings.state[name];
  const running = name !== "off";
  go.textContent = running ? strings.stop : strings.start;
}

function say(words) {
  if (words !== trouble) part("trouble").textContent = words;
  trouble = words;
}

function explainInsecure() {
  const section = part("insecure");
  section.querySelector("h2").textContent = strings.insecure.title;
  section.querySelector("p").textContent = strings.insecure.why;
  section.querySelector("ul").replaceChildren(
    ...strings.insecure.ways.map((words) => {
      const item = document.createElement("li");
      item.textContent = words;
      return item;
    }),
  );
  section.hidden = false;
  document.querySelector(".sending").hidden = true;
}

async function listCameras() {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter((it) => it.kind === "videoinput");
  const chosen = choice.value;
  choice.replaceChildren(...cameras.map((it, at) => new Option(it.label || `${strings.usual} ${at + 1}`, it.deviceId)));
  if (cameras.some((it) => it.deviceId === chosen)) choice.value = chosen;
  choice.closest("label").hidden = cameras.length < 2;
}

async function start() {
  say("");
  state("asking");
  try {
    const which = choice.value ? { deviceId: { exact: choice.value } } : { facingMode: "environment" };
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { ...which, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } },
    });
  } catch (error) {
    stop();
    say(strings.faults[error.name] ?? strings.faults.other(error.message || error.name));
    return;
  }
  stream.getVideoTracks()[0].addEventListener("ended", () => {
    stop();
    say(strings.faults.ended);
  });
  video.srcObject = stream;
  await video.play();
  await listCameras();
  choice.value = stream.getVideoTracks()[0].getSettings().deviceId ?? choice.value;
  state("connecting");
  line = openLine({ ready, answer, lost, refused });
  keepAwake();
}

function stop() {
  line?.close();
  line = undefined;
  lineReady = false;
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  video.srcObject = null;
  lock?.release().catch(() => {});
  lock = undefined;
  sent = [];
  part("figures").textContent = "";
  state("off");
}

async function keepAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = undefined;
  }
}

function ready() {
  lineReady = true;
  state("live");
  next();
}

function answer(data, delay) {
  ({ step, quick } = stepAfter(step, quick, delay));
  state("live");
  say(data.fault || (STEPS[step].width < 1920 ? strings.slow : ""));
  next();
}

function lost() {
  lineReady = false;
  state("lost");
}

function refused(words) {
  stop();
  say(words);
}

/** Sends the camera's next picture; while one is on its way none is drawn. */
function next() {
  const mine = line;
  const wait = Math.max(0, lastAt + 1000 / AT_MOST - performance.now());
  window.setTimeout(() => {
    if (mine === line && lineReady) whenNew(() => draw(mine));
  }, wait);
}

function whenNew(then) {
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(then);
  else window.setTimeout(then, 30);
}

function draw(mine) {
  if (mine !== line || !lineReady || !stream) return;
  const { width, quality } = STEPS[step];
  const scale = Math.min(1, width / Math.max(video.videoWidth, video.videoHeight));
  const [wide, high] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
  if (!wide || !high) {
    next();
    return;
  }
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  brush.drawImage(video, 0, 0, wide, high);
  canvas.toBlob(
    (blob) => {
      lastAt = performance.now();
      if (mine !== line || !blob) return;
      if (mine.send(blob)) figures(wide, high, blob.size);
    },
    "image/jpeg",
    quality,
  );
}

function figures(wide, high, bytes) {
  const now = performance.now();
  sent = [...sent.filter((at) => now - at < 2000), now];
  const rate = sent.length > 1 ? ((sent.length - 1) * 1000) / (now - sent[0] || 1) : 0;
  part("figures").textContent = strings.figures(wide, high, rate.toFixed(0), Math.round(bytes / 1000));
}

if (window.isSecureContext && navigator.mediaDevices?.getUserMedia) {
  state("off");
  listCameras().catch(() => {});
  navigator.mediaDevices.addEventListener("devicechange", () => listCameras().catch(() => {}));
  go.addEventListener("click", () => (stream || line ? stop() : start()));
  choice.addEventListener("change", () => {
    if (!stream) return;
    stop();
    start();
  });
  document.addEventListener("visibilitychange", () => {
    if (!stream) return;
    if (document.hidden) say(strings.hidden);
    else keepAwake();
  });
} else {
  state("off");
  explainInsecure();
}
