// How to open the display on a phone: a QR code of the address, where the server is open to the house's network.
import { ask } from "./actions.js";
import { openSheet } from "./dialogs.js";
import { element, svg } from "./dom.js";
import { strings } from "./strings.js";
import { qrcode } from "./vendor/qrcode-generator.js";

const words = strings.share;
const QUIET = 4;

/** A text as a QR code, with the quiet zone that readers need. */
export function qrCode(text) {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  const size = count + 2 * QUIET;
  return svg(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words.qr(text), "data-modules": count },
    svg("rect", { width: size, height: size, fill: "#ffffff" }),
    svg("path", { d: path, fill: "#000000" }),
  );
}

export async function openShare() {
  const sheet = openSheet("share", words.title, () => {});
  const answer = await ask("/api/lan");
  if (!sheet.open) return;
  const body = sheet.querySelector(".sheet-body");
  const { url, code } = (answer.ok && answer.data) || {};
  if (!url) {
    body.append(element("p", "hint", answer.ok ? words.none : words.failed));
    return;
  }
  body.append(qrCode(url), element("p", "hint", words.hint), element("p", "address figure", url));
  if (code) {
    const pairing = element("p", "pairing");
    pairing.append(element("span", "label", words.code), element("span", "pairing-code figure", code));
    body.append(pairing);
  }
}
