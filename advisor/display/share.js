// How to open the display on a phone: a QR code of the address, the codes in force, and the devices that were let in.
import { ask, teller, tellTrouble } from "./actions.js";
import { group, openSheet } from "./dialogs.js";
import { element, keyed, part, svg, write } from "./dom.js";
import { strings } from "./strings.js";
import { qrcode } from "./vendor/qrcode-generator.js";

const words = strings.share;
const QUIET = 4;
const KEEPS_UP = 2000;

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

/** Both codes in force: what a device may do hangs on the one that is typed there. */
function showCodes(home, { code, viewer_code: viewer }) {
  const codes = [["viewer", words.viewerCode, viewer], ["dealer", words.code, code]].filter(([, , digits]) => digits);
  keyed(home, codes, ([role]) => role, ([role, name]) => {
    const entry = element("p", "pairing-entry");
    entry.append(element("span", "label", name), part("span", `${role}-code`, "pairing-code figure"));
    return entry;
  }, (entry, [, , digits]) => write(entry.lastChild, digits));
}

function showDevices(list, none, devices, onGone) {
  none.hidden = devices.length > 0;
  keyed(list, devices, ({ id }) => id, ({ id, name, role }) => {
    const entry = element("li", "device");
    const what = element("p", "device-words");
    what.append(element("span", "device-name", name), element("span", "hint"));
    const revoke = teller("plain-button danger", words.revoke, async () => {
      const answer = await ask(`/api/devices/${id}`, undefined, words.revoke, "DELETE");
      if (!answer.ok) tellTrouble(answer.error, revoke);
      onGone();
    });
    revoke.setAttribute("aria-label", words.revokeOf(name, words.roles[role]));
    entry.append(what, revoke);
    return entry;
  }, (entry, { role, seen }) => write(entry.querySelector(".hint"), words.device(role, minutesSince(seen))));
}

const minutesSince = (seconds) => Math.max(0, Math.floor((Date.now() / 1000 - seconds) / 60));

/** The sheet keeps up: a code is good once, and devices come and go. */
export async function openShare() {
  const sheet = openSheet("share", words.title, () => {});
  const body = sheet.querySelector(".sheet-body");
  const answer = await ask("/api/lan", undefined, words.title);
  if (!sheet.open) return;
  if (!answer.ok || !answer.data?.url) {
    body.append(element("p", "hint", answer.ok ? words.none : answer.error));
    return;
  }
  const { url } = answer.data;
  const codes = element("div", "pairing");
  const devices = group(words.devices, "devices");
  const list = part("ul", "devices", "device-list");
  const none = element("p", "hint", words.noDevice);
  devices.append(list, none);
  body.append(qrCode(url), element("p", "hint", words.hint), element("p", "address figure", url), codes, devices);
  showCodes(codes, answer.data);
  let timer = 0;
  const keepUp = async () => {
    const [lan, known] = await Promise.all([
      ask("/api/lan", undefined, words.title),
      ask("/api/devices", undefined, words.devices),
    ]);
    if (!sheet.open) return;
    if (lan.ok) showCodes(codes, lan.data);
    if (known.ok) showDevices(list, none, known.data, keepUp);
    clearTimeout(timer);
    timer = setTimeout(keepUp, KEEPS_UP);
  };
  await keepUp();
}
