// Sheets over the page: one at a time, closed by Escape, by the cross or by a tap beside them.
import { button, element, part } from "./dom.js";
import { strings } from "./strings.js";

let open = null;

/**
 * Open a sheet with a title; `fill(body, close)` makes its contents. The focus goes to the first [data-first], and
 * back to where it was when the sheet closes.
 */
export function openSheet(id, title, fill, { onClose } = {}) {
  open?.close();
  const sheet = part("dialog", id, `sheet ${id}`);
  const heading = element("h2", "sheet-title", title);
  heading.id = `${id}-title`;
  sheet.setAttribute("aria-labelledby", heading.id);
  const close = () => sheet.close();
  const cross = button("icon-button sheet-close", "×", close);
  cross.setAttribute("aria-label", strings.close);
  const head = element("header", "sheet-head");
  head.append(heading, cross);
  const body = element("div", "sheet-body");
  const trouble = element("div", "trouble sheet-trouble");
  trouble.setAttribute("role", "alert");
  trouble.hidden = true;
  sheet.append(head, trouble, body);
  fill(body, close, heading);
  const from = document.activeElement;
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (open === sheet) open = null;
    onClose?.();
    if (from?.isConnected) from.focus();
  });
  sheet.addEventListener("pointerdown", (event) => {
    if (event.target === sheet && outside(sheet, event)) close();
  });
  document.body.append(sheet);
  open = sheet;
  sheet.showModal();
  sheet.querySelector("[data-first]")?.focus();
  return sheet;
}

function outside(sheet, { clientX, clientY }) {
  const box = sheet.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** A titled group within a sheet. */
export function group(title, className = "") {
  const section = element("section", `group ${className}`);
  const heading = element("h3", "label", title);
  section.append(heading);
  return section;
}
