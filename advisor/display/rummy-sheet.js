// The running sheet: what comes next, who has no score yet, totals, all deals, undo.
import { ask, button, h, labelled, problem, say } from "./rummy-dom.js";
import { draftOf } from "./rummy-drafts.js";
import { glance, insist, record, Refusal, sheetPath } from "./rummy-line.js";
import { moreOf } from "./rummy-more.js";
import { words } from "./strings-rummy.js";

export async function sheetView(name, go) {
  let sheet = await insist("GET", sheetPath(name));
  let trouble = "";
  const node = h("div", { "data-testid": "sheet" });

  async function act(operation) {
    try {
      take(await record(name, operation, { seen: sheet.seen }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble = error.message;
      take((await glance(sheetPath(name))) ?? sheet, false);
    }
  }

  function take(newer, heal = true) {
    sheet = newer;
    if (heal) trouble = "";
    if (newer.said) say(`${newer.said} ${newer.next}`);
    draw();
  }

  function draw() {
    node.replaceChildren(
      h("h1", {}, sheet.name),
      h("p", { class: "label" }, sheet.title),
      ...(trouble ? [problem(trouble)] : []),
      h("p", { class: "next", "data-testid": "next" }, sheet.next),
      h("p", { class: "hint", "data-testid": "ahead" },
        [sheet.ahead, sheet.next_dealer ? words.nextDealer(sheet.next_dealer) : ""].filter(Boolean).join(" ")),
      h("ul", { class: "players" }, sheet.players.map((player) => playerRow(sheet, player, act, go))),
      h("p", { class: "buttons bar" },
        sheet.deal !== null && !sheet.missing.length &&
          button(words.endDeal, () => act({ op: "end-deal", deal: sheet.deal }), { class: "button main", "data-testid": "end-deal" }),
        button(words.undo, () => act({ op: "undo" }), { disabled: !sheet.undo, "data-testid": "undo",
          "aria-label": sheet.undo ? words.undoWhat(sheet.undo) : words.undo }),
        button(words.redo, () => act({ op: "redo" }), { disabled: !sheet.redo, "data-testid": "redo",
          "aria-label": sheet.redo ? words.redoWhat(sheet.redo) : words.redo })),
      dealsTable(sheet),
      h("details", { class: "share" }, h("summary", {}, words.share), h("ul", { class: "plain links" },
        shareLink(words.printable, "print", "printable", { target: "_blank", rel: "noopener" }),
        shareLink(words.csv, "export.csv", "csv", { download: "" }),
        shareLink(words.json, "export.json", "json", { download: "" }))),
      moreOf(sheet, act, () => go()),
      h("p", {}, h("a", { href: "#/" }, words.back)),
    );
  }

  function shareLink(text, what, testid, properties) {
    return h("li", {}, h("a", { href: `${sheetPath(name)}/${what}`, "data-testid": testid, ...properties }, text));
  }

  draw();
  return {
    node,
    async refresh() {
      const newer = await glance(sheetPath(name));
      if (newer && newer.seen !== sheet.seen && node.isConnected) take({ ...newer, said: "" });
    },
  };
}

function playerRow(sheet, player, act, go) {
  const deal = sheet.deals.find((each) => each.deal === sheet.deal);
  const score = deal?.scores.find((each) => each.player === player.name);
  const missing = sheet.missing.includes(player.name);
  const number = String(sheet.deal);
  const draft = missing && draftOf(sheet.name, player.name, sheet.deal);
  const now = missing
    ? h("span", { class: "buttons" },
        button(words.picture, () => go("sheet", sheet.name, player.name, number),
          { class: "button main", "data-testid": "picture", "aria-label": words.pictureOf(player.name) }),
        button(words.out, () => wentOut(sheet, player, act), { "data-testid": "out", "aria-label": words.wentOut(player.name) }),
        button(words.other, () => typed(sheet, player, act, go),
          { "data-testid": "points", "aria-label": words.pointsOf(player.name) }))
    : score
      ? button(score.words, () => go("sheet", sheet.name, player.name, number),
          { class: "button score", "data-testid": "score", title: words.correct(player.name) })
      : null;
  return h("li", { class: "player", "data-player": player.name, "data-missing": missing },
    h("span", { class: "who" }, player.name,
      player.name === sheet.dealer && h("span", { class: "label mark" }, words.dealerMark),
      draft && h("span", { class: "label mark" }, "…"),
      player.contract && h("small", {}, player.contract)),
    h("span", { class: "sum", "data-testid": "total", "data-ahead": player.ahead }, String(player.total)),
    now && h("span", { class: "now" }, now));
}

function extraBonuses(sheet) {
  return Object.entries(sheet.bonuses).filter(([name]) => name !== "going_out");
}

async function wentOut(sheet, player, act) {
  const extra = extraBonuses(sheet);
  if (!extra.length) {
    await act({ op: "went-out", player: player.name, deal: sheet.deal });
    return;
  }
  const boxes = bonusBoxes(extra);
  const yes = await ask(words.wentOut(player.name), (close) => [
    ...boxes.nodes,
    h("p", { class: "buttons" }, button(words.record, () => close(true), { class: "button main", "data-testid": "record" }),
      button(words.cancel, () => close(null))),
  ]);
  if (yes) await act({ op: "went-out", player: player.name, deal: sheet.deal, bonuses: boxes.chosen() });
}

export function bonusBoxes(pairs, chosen = []) {
  const fields = pairs.map(([name, points]) => {
    const box = h("input", { type: "checkbox", checked: chosen.includes(name) });
    return { name, box, node: h("label", { class: "tick" }, box, words.bonus(name, points)) };
  });
  return { nodes: fields.map((each) => each.node), chosen: () => fields.filter((f) => f.box.checked).map((f) => f.name),
    fields };
}

async function typed(sheet, player, act, go) {
  const field = h("input", { type: "number", inputmode: "numeric", min: 0, step: 1, "data-testid": "points-field" });
  const boxes = bonusBoxes(extraBonuses(sheet));
  const met = metChoice(sheet);
  const answer = await ask(words.pointsOf(player.name), (close) => [
    h("form", { onsubmit: (event) => { event.preventDefault(); close("points"); } },
      labelled(words.points, field), ...boxes.nodes, met.node,
      h("p", { class: "buttons" }, h("button", { class: "button main", "data-testid": "record" }, words.record),
        button(words.typeCards, () => close("cards"), { "data-testid": "type-cards" }),
        button(words.cancel, () => close(null)))),
  ]);
  if (answer === "cards") go("sheet", sheet.name, player.name, String(sheet.deal));
  if (answer === "points" && field.value !== "") {
    await act({ op: "record-hand", player: player.name, deal: sheet.deal, points: Number(field.value),
      bonuses: boxes.chosen(), ...met.field() });
  }
}

/** Yes and no, where a contract not met stays for the next deal; nothing elsewhere. */
export function metChoice(sheet, value = null, changed = () => {}) {
  if (!sheet.asks_met) return { node: "", field: () => ({}), value: () => null };
  let chosen = value;
  const radio = (answer, text) => h("label", { class: "tick" }, h("input", { type: "radio", name: "met",
    checked: chosen === answer, onchange: () => { chosen = answer; changed(answer); } }), text);
  return {
    node: h("fieldset", { class: "met" }, h("legend", {}, words.metContract), radio(true, words.yes), radio(false, words.no)),
    field: () => (chosen === null ? {} : { met: chosen ? "yes" : "no" }),
    value: () => chosen,
  };
}

function dealsTable(sheet) {
  const played = sheet.deals.filter((deal) => deal.scores.length || deal.state === "void" || Object.keys(deal.joined).length);
  if (!played.length) return "";
  const rows = [];
  for (const deal of played) {
    if (Object.keys(deal.joined).length) {
      rows.push(h("tr", {}, h("th", { scope: "row" }, words.joinedWith),
        sheet.players.map((player) => h("td", {}, String(deal.joined[player.name] ?? "")))));
    }
    rows.push(h("tr", { "data-state": deal.state }, h("th", { scope: "row", title: deal.contract }, String(deal.deal)),
      sheet.players.map((player) => {
        const score = deal.scores.find((each) => each.player === player.name);
        if (!score) return h("td", {}, words.empty);
        const text = deal.state === "void" ? "void" : score.out && !score.points ? words.out : String(score.points);
        // Any deal's score can be corrected, by a tap on it.
        return h("td", {}, deal.state === "void" ? text
          : h("a", { href: `#/${["sheet", sheet.name, player.name, String(deal.deal)].map(encodeURIComponent).join("/")}`,
              "aria-label": `${words.correct(player.name)}: ${score.words}` }, text));
      })));
  }
  const heads = sheet.players.map((player) => h("th", { scope: "col", "data-ahead": player.ahead }, player.name));
  const totals = sheet.players.map((player) => h("td", {}, String(player.total)));
  return h("section", { class: "wide", tabindex: 0, "aria-label": words.allDeals },
    h("table", { "data-testid": "deals" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.dealHead), heads)),
      h("tbody", {}, rows), h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, words.total), totals))));
}

