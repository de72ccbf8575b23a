// The table's own sheet: what concerns the round, the shoe, the game, and this display.
import { tell, teller } from "./actions.js";
import { openAddCard } from "./card_sheet.js";
import { openCorners } from "./corners.js";
import { group, openSheet } from "./dialogs.js";
import { button, element } from "./dom.js";
import { set, settings } from "./settings.js";
import { openSetup } from "./setup.js";
import { openShare } from "./share.js";
import { strings } from "./strings.js";

const words = strings.round_menu;

/** `now()` is the table's state; the table goes on while the menu is open, so each entry asks for it anew. */
export function openMenu(now, { viewer }) {
  openSheet("menu", words.title, (body, close) => {
    if (!viewer) body.append(roundGroup(now, close), tableGroup(now));
    body.append(pagesGroup(viewer), displayGroup(viewer));
  });
}

function roundGroup(now, close) {
  const round = group(words.round);
  const list = element("div", "menu-list");
  const entry = (name, hint, op, sure = null) => {
    const send = async (control) => {
      const answer = await tell({ op }, name, { control });
      if (answer.ok) close();
    };
    const control = teller("menu-button", "", () => (sure ? confirm(item, sure, () => send(control)) : send(control)));
    control.append(element("span", "menu-name", name), element("span", "hint", hint));
    control.dataset.testid = op;
    const item = element("div", "menu-item");
    item.append(control);
    list.append(item);
  };
  entry(words.end, words.endHint, "end-round");
  entry(words.void, words.voidHint, "void-round", { question: words.voidSure, yes: words.voidYes });
  entry(words.shuffled, words.shuffledHint, "shuffled");
  const add = button("menu-button", "", () => openAddCard(now(), now().played?.step_place ?? undefined));
  add.append(element("span", "menu-name", `${strings.correct.add}…`));
  add.dataset.testid = "open-add";
  list.append(add);
  round.append(list);
  return round;
}

/** Ask once more before what cannot be taken back lightly. */
function confirm(item, { question, yes }, onYes) {
  if (item.querySelector(".sure")) return;
  const sure = element("div", "sure");
  const go = teller("plain-button danger", yes, onYes);
  go.dataset.testid = "sure";
  sure.append(element("p", "", question), go, button("plain-button", strings.cancel, () => sure.remove()));
  item.append(sure);
  go.focus();
}

function tableGroup(now) {
  const table = group(strings.setup.title);
  const list = element("div", "menu-list");
  for (const [name, open, id] of [
    [words.setup, () => openSetup(now()), "open-setup"],
    [words.corners, () => openCorners(now()), "open-corners"],
    [words.share, () => openShare(), "open-share"],
  ]) {
    const entry = button("menu-button", "", open);
    entry.append(element("span", "menu-name", name));
    entry.dataset.testid = id;
    list.append(entry);
  }
  table.append(list);
  return table;
}

/** The other pages; each opens beside this one, which goes on following the table. */
function pagesGroup(viewer) {
  const pages = group(words.pages);
  const list = element("div", "menu-list");
  const own = viewer ? [[words.hand, "/hand"]] : [[words.players, "/players"], [words.deck, "/deck"]];
  for (const [name, address] of [...own, [words.handbook, "/handbook"], [words.drills, "/drills"]]) {
    const link = element("a", "menu-button");
    link.href = address;
    link.target = "_blank";
    link.rel = "noopener";
    link.append(element("span", "menu-name", name));
    list.append(link);
  }
  pages.append(list);
  return pages;
}

function displayGroup(viewer) {
  const display = group(words.display);
  const list = element("div", "menu-list");
  for (const name of viewer ? ["voice"] : ["voice", "picture", "figures", "count"]) {
    const label = element("label", "switch");
    const box = element("input");
    box.type = "checkbox";
    box.setAttribute("role", "switch");
    box.checked = settings[name];
    box.dataset.testid = `set-${name}`;
    box.addEventListener("change", () => set(name, box.checked));
    label.append(element("span", "menu-name", words[name]), box);
    list.append(label);
  }
  display.append(list);
  return display;
}
