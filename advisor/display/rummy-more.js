// What is needed less often: misdeals, void deals, players who come and go, the end of the game.
import { ask, button, h, labelled, sure } from "./rummy-dom.js";
import { insist, sheetPath } from "./rummy-line.js";
import { words } from "./strings-rummy.js";

/** The closed list of everything else. `act` records an operation; `gone` is called once the game is deleted. */
export function moreOf(sheet, act, gone) {
  const playing = sheet.players.filter((player) => player.playing).map((player) => player.name);
  const now = sheet.deal !== null;
  const entry = (text, run, testid) => h("li", {}, button(text, run, { class: "button plain-button", "data-testid": testid }));
  return h("details", { class: "more", "data-testid": "more" }, h("summary", {}, words.more), h("ul", { class: "plain" },
    now && entry(words.again, async () => (await sure(words.againSure)) && act({ op: "deal-again", deal: sheet.deal }), "again"),
    now && entry(words.voidDeal, async () => (await sure(words.voidSure)) && act({ op: "void-deal", deal: sheet.deal }), "void"),
    now && entry(words.setDealer, async () => {
      const player = await choose(words.setDealer, playing);
      if (player) await act({ op: "set-dealer", player, deal: sheet.deal });
    }, "set-dealer"),
    entry(words.rename, async () => {
      const player = await choose(words.rename, sheet.players.map((each) => each.name));
      const to = player && (await typedName(words.renameTo, player));
      if (to) await act({ op: "rename-player", player, to });
    }, "rename"),
    now && entry(words.join, async () => {
      const player = await typedName(words.joinName);
      const opening = player && (await choose(words.joinWith, ["highest", "zero"],
        { highest: words.joinHighest, zero: words.joinZero }));
      if (opening) await act({ op: "join-player", player, deal: sheet.deal, opening });
    }, "join"),
    now && entry(words.leave, async () => {
      const player = await choose(words.leave, playing);
      if (player) await act({ op: "leave-player", player, deal: sheet.deal });
    }, "leave"),
    now && entry(words.endGame, async () => (await sure(words.endGameSure)) && act({ op: "end-game" }), "end-game"),
    entry(words.deleteGame, async () => {
      if (!(await sure(words.deleteSure(sheet.name)))) return;
      try {
        await insist("DELETE", sheetPath(sheet.name));
      } catch (error) {
        if (error.status !== 404) throw error; // a retry finds it gone already
      }
      gone();
    }, "delete")));
}

function choose(title, values, shown = {}) {
  return ask(title, (close) => [
    h("ul", { class: "plain" }, values.map((value) =>
      h("li", {}, button(shown[value] ?? value, () => close(value), { class: "button plain-button" })))),
    h("p", { class: "buttons" }, button(words.cancel, () => close(null))),
  ]);
}

function typedName(title, value = "") {
  const field = h("input", { type: "text", value, maxlength: 40, autocomplete: "off" });
  return ask(title, (close) => [
    h("form", { onsubmit: (event) => { event.preventDefault(); close(field.value.trim() || null); } },
      labelled(title, field),
      h("p", { class: "buttons" }, h("button", { class: "button main" }, words.do), button(words.cancel, () => close(null)))),
  ]);
}
