// A new game: name, rules with a short explanation, players in seating order, who deals first.
import { button, h, labelled, problem } from "./rummy-dom.js";
import { insist, newKey, Refusal } from "./rummy-line.js";
import { words } from "./strings-rummy.js";

const FEWEST = 2;
const REMEMBERED = "tableside.rummy.players";

export async function newGameView(go) {
  const variants = await insist("GET", "/api/rummy/variants");
  const key = newKey();
  const errors = h("div", {});
  const day = new Intl.DateTimeFormat("en", { weekday: "long" }).format(new Date());
  const name = h("input", { name: "name", required: true, maxlength: 50, autocomplete: "off", value: words.usualName(day),
    "data-testid": "game-name" });
  const choice = h("select", { name: "variant", "data-testid": "variant" }, variants.map((each) =>
    h("option", { value: each.name }, each.usual ? `${each.title} (${words.usual})` : each.title)));
  const about = h("div", { class: "about", "data-testid": "about" });
  const length = h("select", { name: "deals", "data-testid": "length" },
    h("option", { value: "" }, words.ofTheVariant), h("option", { value: "0" }, words.untilEnded));
  const seats = h("ol", { class: "seats" });

  const chosen = () => variants.find((each) => each.name === choice.value);
  const explain = () => {
    const variant = chosen();
    about.replaceChildren(
      h("p", {}, variant.about),
      variant.note ? h("p", { class: "hint" }, variant.note) : "",
      variant.uncertain.length ? h("p", { class: "hint" }, words.notCertain(variant.uncertain.join(", "))) : "",
      h("details", {}, h("summary", {}, words.contracts),
        h("ul", { class: "plain" }, variant.deals.map((deal) => h("li", {}, words.dealWords(deal))))),
    );
    while (seats.children.length < Math.max(FEWEST, variant.least_players)) seats.append(seat(seats));
  };
  choice.addEventListener("change", explain);

  for (const player of remembered()) seats.append(seat(seats, player));
  explain();

  const form = h("form", { "data-testid": "new-form" },
    h("h1", {}, words.newGame),
    errors,
    labelled(words.gameName, name),
    labelled(words.variant, choice),
    about,
    h("fieldset", {}, h("legend", {}, words.players), seats,
      button(words.addPlayer, () => {
        seats.append(seat(seats));
        seats.lastElementChild.querySelector("input").focus();
      }, { "data-testid": "add-player" })),
    labelled(words.howMany, length),
    h("p", { class: "buttons" }, h("button", { class: "button main", "data-testid": "begin" }, words.begin),
      h("a", { class: "button", href: "#/" }, words.cancel)),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const rows = [...seats.children].map((row) => ({
      name: row.querySelector("[type=text]").value.trim(), first: row.querySelector("[type=radio]").checked,
    })).filter((row) => row.name);
    const dealer = rows.find((row) => row.first) ?? rows[0] ?? { name: "" };
    const players = rows.map((row) => row.name);
    const begin = form.querySelector("[data-testid=begin]");
    begin.disabled = true;
    try {
      const deals = length.value === "" ? null : Number(length.value);
      // After a refusal the same key may be used again: nothing was recorded under it.
      const sheet = await insist("POST", "/api/rummy/sheets",
        { json: { key, name: name.value, variant: choice.value, players, dealer: dealer.name, deals } });
      localStorage.setItem(REMEMBERED, JSON.stringify(players));
      go("sheet", sheet.name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors.replaceChildren(problem(error.message));
      window.scrollTo(0, 0);
    } finally {
      begin.disabled = false;
    }
  });
  return { node: form };
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED)) ?? [];
  } catch {
    return [];
  }
}

function seat(seats, name = "") {
  const number = seats.children.length + 1;
  const field = h("input", { type: "text", value: name, maxlength: 40, autocomplete: "off", autocapitalize: "words",
    "aria-label": words.playerName(number), placeholder: words.playerName(number), "data-testid": "player" });
  const row = h("li", {}, field,
    h("label", { class: "first" }, h("input", { type: "radio", name: "first", checked: number === 1 }), words.dealsFirst),
    button("×", () => seats.children.length > FEWEST && row.remove(),
      { class: "button small", "aria-label": words.removePlayer(name || words.playerName(number)) }));
  return row;
}
