// Small helpers for building the page. Nodes that stay keep their place and the reader's focus.

const SVG = "http://www.w3.org/2000/svg";

export function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** A node with a test id, which is also its class. */
export function part(name, id, className = id) {
  const node = element(name, className);
  node.dataset.testid = id;
  return node;
}

export function button(className, text, onClick) {
  const node = element("button", className, text);
  node.type = "button";
  if (onClick) node.addEventListener("click", onClick);
  return node;
}

export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function flag(node, name, on) {
  if (on) node.dataset[name] = "";
  else delete node.dataset[name];
}

/** Redraw only on a change, so that nothing flickers and a reader's place is kept. Returns whether it drew. */
export function redraw(node, key, make) {
  const wanted = JSON.stringify(key);
  if (node.drawn === wanted) return false;
  node.drawn = wanted;
  node.replaceChildren(...make());
  return true;
}

/** One child for each item, made once for its key and updated after; what stays is not moved. */
export function keyed(parent, items, keyOf, make, update) {
  const kept = (parent.kept ??= new Map());
  const keys = items.map(keyOf);
  const wanted = new Set(keys);
  for (const [key, node] of kept) {
    if (wanted.has(key)) continue;
    node.remove();
    kept.delete(key);
  }
  items.forEach((item, index) => {
    let node = kept.get(keys[index]);
    if (!node) {
      node = make(item, index);
      kept.set(keys[index], node);
    }
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
    update?.(node, item, index);
  });
}

/** Whether two places {seat, hand} are the same. */
export function samePlace(one, other) {
  return Boolean(one && other) && one.seat === other.seat && one.hand === other.hand;
}

export const placeKey = ({ seat, hand }) => `${seat}-${hand}`;

/** An exact amount with its sign, as text: "7.50" → "+7.50", "-10" → "−10", "0" → "0". */
export function signedAmount(text) {
  const amount = String(text);
  if (amount.startsWith("-")) return `−${amount.slice(1)}`;
  return /^0(\.0*)?$/.test(amount) ? "0" : `+${amount}`;
}

/** "lose", "push" or "win" by the sign of an exact amount. */
export function resultOf(text) {
  const shown = signedAmount(text);
  return shown === "0" ? "push" : shown.startsWith("−") ? "lose" : "win";
}

/** A figure of the odds, which are no amounts: three places and a true minus. */
export function signedFigure(value) {
  const text = Math.abs(value).toFixed(3);
  if (Number(text) === 0) return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
