// The next step said aloud by the browser's own voice; off unless somebody switches it on.
import { settings } from "./settings.js";

const PAUSE = 400;

let said = "";
let timer = 0;

/** Say `words` once they have stood for a moment and are new; words replaced sooner are not said. */
export function say(words) {
  clearTimeout(timer);
  if (!settings.voice || !window.speechSynthesis) return;
  if (words === said) return;
  timer = setTimeout(() => {
    said = words;
    window.speechSynthesis.cancel();
    if (!words) return;
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = document.documentElement.lang;
    window.speechSynthesis.speak(utterance);
  }, PAUSE);
}

window.addEventListener("settings", ({ detail }) => {
  if (detail !== "voice") return;
  said = "";
  if (!settings.voice) window.speechSynthesis?.cancel();
});
