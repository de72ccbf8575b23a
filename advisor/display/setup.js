// The chooser: game, house rules with every field, layout and seats. The server checks what is sent.
import { ask, tell, teller, tellTrouble } from "./actions.js";
import { openSheet } from "./dialogs.js";
import { element, part, write } from "./dom.js";
import { strings } from "./strings.js";

const words = strings.setup;
const FIRST = ["minimum", "maximum", "unit", "decks"];

/** A rule's value as the field shows it and the server reads it: text. */
const asText = (value) => (value === true ? "yes" : value === false ? "no" : String(value ?? ""));

export async function openSetup(state) {
  const sheet = openSheet("setup", words.title, (body) => body.append(element("p", "hint", words.loading)));
  const body = sheet.querySelector(".sheet-body");
  const [games, layouts] = await Promise.all([ask("/api/games"), ask("/api/layouts")]);
  if (!sheet.open) return;
  if (!games.ok || !Array.isArray(games.data) || games.data.length === 0) {
    body.replaceChildren();
    tellTrouble(games.error ?? words.failed, sheet);
    return;
  }
  body.replaceChildren(form(state, games.data, layouts.ok ? (layouts.data ?? []) : [], () => sheet.close()));
  body.querySelector("input, select")?.focus();
}

function labelled(name, control, hint = "") {
  const label = element("label", "field");
  label.append(element("span", "field-name", name), control);
  if (!hint) return label;
  const said = element("span", "field-hint", hint);
  said.id = `hint-${control.dataset.rule}`;
  control.setAttribute("aria-describedby", said.id);
  control.setAttribute("aria-label", name);
  label.append(said);
  return label;
}

/** The chosen one is set once all are in place: taken out of one control and put into another, the last would be. */
function offer(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
  return select;
}

const selectOf = (options, chosen) => offer(element("select"), options, chosen);

function input(type, value, mode) {
  const box = element("input");
  box.type = type;
  box.value = value;
  box.autocomplete = "off";
  if (mode) box.inputMode = mode;
  return box;
}

/** The control of one rule, holding the preset's value. */
function ruleControl(field, value) {
  const text = asText(value);
  if (field.kind === "yes-no") return selectOf([["yes", words.yes], ["no", words.no]], text);
  if ((field.choices ?? []).length > 0) {
    return selectOf(field.choices.map((choice) => [asText(choice), words.option(asText(choice))]), text);
  }
  return input("text", text, field.kind === "number" ? "numeric" : field.kind === "amount" ? "decimal" : null);
}

function form(state, games, layouts, close) {
  const root = element("form", "setup-form");
  const current = games.find(({ name }) => name === state.game?.name) ?? games[0];
  const now = { game: current, preset: null };
  const gamesRow = part("fieldset", "setup-games", "game-row");
  gamesRow.append(element("legend", "label", words.game));
  for (const game of games) {
    const label = element("label", "game-option");
    const radio = input("radio", game.name);
    radio.name = "game";
    radio.checked = game === current;
    radio.addEventListener("change", () => choose(game));
    label.append(radio, element("span", "game-title", game.title));
    gamesRow.append(label);
  }
  const preset = element("select");
  preset.dataset.testid = "setup-preset";
  const summary = element("p", "hint");
  const seats = input("number", String(state.table?.seats ?? 7), "numeric");
  seats.min = "1";
  seats.dataset.testid = "setup-seats";
  const felts = layouts.map(({ name, words: text }) => [name, text || name]);
  const felt = state.table?.layout ?? "";
  if (felt && !felts.some(([name]) => name === felt)) felts.push([felt, words.inForce(felt)]);
  const layout = selectOf([["", words.noLayout], ...felts], felt);
  layout.addEventListener("change", () => {
    const places = layouts.find(({ name }) => name === layout.value)?.seats;
    if (places) seats.value = String(Math.min(places, now.game.seats));
  });
  layout.dataset.testid = "setup-layout";
  const first = element("div", "field-grid");
  const rest = element("div", "field-grid");
  const changed = element("span", "changed figure");
  const details = element("details", "all-rules");
  const handle = element("summary", "", words.fields);
  handle.append(changed);
  details.append(handle, rest);
  const base = element("div", "field-grid");
  base.append(labelled(words.preset, preset), labelled(words.layout, layout), labelled(words.seats, seats));

  const overrides = () => {
    const found = {};
    for (const control of now.preset.values ? root.querySelectorAll("[data-rule]") : []) {
      const value = control.value.trim();
      const differs = value !== asText(now.preset.values?.[control.dataset.rule]);
      control.classList.toggle("differs", differs);
      if (differs) found[control.dataset.rule] = value;
    }
    return found;
  };
  const count = () => write(changed, words.changed(Object.keys(overrides()).length));
  // Rules that are no preset, such as a preset with some rules changed, can be kept as they are.
  const presetsOf = (game) => {
    const kept = state.rules?.name;
    const known = game !== current || !kept || game.presets.some(({ name }) => name === kept);
    const own = { name: kept, text: words.inForce(kept), summary: state.rules?.summary, values: null };
    return known ? game.presets : [own, ...game.presets];
  };
  const showPreset = () => {
    now.preset = presetsOf(now.game).find(({ name }) => name === preset.value) ?? now.game.presets[0];
    write(summary, [now.preset.summary, now.preset.values ? "" : words.inForceHint].filter(Boolean).join(" "));
    first.hidden = details.hidden = !now.preset.values;
    const control = (field) => {
      const made = ruleControl(field, now.preset.values?.[field.name]);
      made.dataset.rule = field.name;
      made.addEventListener("input", count);
      const name = words.field(field.name);
      return labelled(name, made, field.words === name ? "" : field.words);
    };
    const isFirst = ({ name }) => FIRST.includes(name);
    first.replaceChildren(...now.game.fields.filter(isFirst).map(control));
    rest.replaceChildren(...now.game.fields.filter((field) => !isFirst(field)).map(control));
    count();
  };
  const choose = (game) => {
    now.game = game;
    const kept = game === current ? state.rules?.name : null;
    const options = presetsOf(game).map(({ name, text }) => [name, text ?? name]);
    offer(preset, options, kept);
    seats.max = String(game.seats);
    if (Number(seats.value) > game.seats) seats.value = String(game.seats);
    showPreset();
  };
  preset.addEventListener("change", showPreset);

  const asked = () => ({
    op: "set-table",
    game: now.game.name,
    rules: now.preset.name,
    overrides: overrides(),
    layout: layout.value || null,
    seats: Number(seats.value),
  });
  const save = teller("main-button", words.save, async () => {
    const change = asked();
    // Setting the table begins a round: what is played already is not set again, and the round goes on.
    if (JSON.stringify(change) === inForce) {
      close();
      return;
    }
    const answer = await tell(change, words.title, { control: save });
    if (answer.ok) close();
  });
  save.dataset.testid = "setup-save";
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    save.click();
  });
  const foot = element("div", "sheet-foot");
  foot.append(element("p", "hint", words.warning), save);
  root.append(gamesRow, base, summary, first, details, foot);
  choose(current);
  const inForce = state.game?.name === current.name ? JSON.stringify(asked()) : "";
  return root;
}
