// The pairing page: a code from the host's screen lets this device in. The token comes as a cookie no script can read.
import { strings } from "./strings-pair.js";

const DIGITS = 6;
const form = document.querySelector("form");
const button = form.querySelector("button");
const trouble = document.querySelector("#pair-trouble");

for (const node of document.querySelectorAll("[data-text]")) node.textContent = strings[node.dataset.text];
document.title = `${strings.title} – Tableside`;
form.elements.name.value = usualName(window.navigator.userAgent);
form.elements.code.focus();

function usualName(agent) {
  const kinds = [["iPhone", "iphone"], ["iPad", "ipad"], ["Android", "android"], ["Macintosh", "mac"], ["Windows", "windows"]];
  const found = kinds.find(([word]) => agent.includes(word));
  return strings.names[found ? found[1] : "other"];
}

function say(words) {
  trouble.textContent = words;
  form.elements.code.setAttribute("aria-invalid", words ? "true" : "false");
}

async function pair() {
  const code = form.elements.code.value.replace(/\D/g, "");
  if (code.length !== DIGITS) {
    say(strings.short(DIGITS));
    form.elements.code.focus();
    return;
  }
  say("");
  button.disabled = true;
  button.textContent = strings.pairing;
  try {
    const answer = await fetch("/api/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code, role: form.elements.role.value, name: form.elements.name.value.trim() }),
    });
    const data = await answer.json().catch(() => ({}));
    if (answer.ok) {
      window.location.replace(data.go);
      return;
    }
    say(data.error ?? strings.failed);
    form.elements.code.select();
  } catch {
    say(strings.lost);
  } finally {
    button.disabled = false;
    button.textContent = strings.pair;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!button.disabled) pair();
});
