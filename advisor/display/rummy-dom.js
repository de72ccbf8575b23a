// Building the page out of nodes: no markup from text, so that no name at the table can become markup.
import { words } from "./strings-rummy.js";

/** h("button", {class: "go", onclick: run}, "Go") — properties that begin with "on" listen, the others are attributes. */
export function h(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(text, onclick, properties = {}) {
  return h("button", { type: "button", class: "button", ...properties, onclick }, text);
}

/** A labelled field; `field` is an input or a select. */
export function labelled(text, field, hint) {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, text), field, hint && h("small", {}, hint));
}

/** Something short to be heard by whoever does not see the page. */
export function say(text) {
  const spoken = document.querySelector("[data-testid=spoken]");
  spoken.textContent = "";
  requestAnimationFrame(() => (spoken.textContent = text));
}

/** A dialog over the page; `fill(close)` gives its content. Resolves with what `close` was given, null where it was left. */
export function ask(title, fill, testid = "dialog") {
  return new Promise((resolve) => {
    let answer = null;
    const close = (value) => {
      answer = value;
      dialog.close();
    };
    const heading = h("h2", { id: "dialog-title" }, title);
    const dialog = h("dialog", { "aria-labelledby": "dialog-title", "data-testid": testid }, heading, ...fill(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A question with yes and no. */
export function sure(question) {
  return ask(question, (close) => [
    h("p", { class: "buttons" }, button(words.yes, () => close(true), { class: "button main", "data-testid": "yes" }),
      button(words.no, () => close(false))),
  ]);
}

/** A sentence about what went wrong, seen and heard. */
export function problem(sentence, testid = "problem") {
  return h("p", { class: "problem", role: "alert", "data-testid": testid }, sentence);
}
