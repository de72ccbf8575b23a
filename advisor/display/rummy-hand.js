// One hand: the picture, the cards read in it, corrections by a tap, what they count, and accepting them.
import { cardGlyph, spoken } from "./cards.js";
import { ask, button, h, labelled, problem, say, sure } from "./rummy-dom.js";
import { draftOf, dropDraft, dropPicture, keepDraft, keepPicture, pictureKept, readable } from "./rummy-drafts.js";
import { insist, newKey, record, Refusal, sheetPath } from "./rummy-line.js";
import { marked, MarkedPicture } from "./rummy-marks.js";
import { pickCard, REMOVE } from "./rummy-picker.js";
import { bonusBoxes, metChoice } from "./rummy-sheet.js";
import { words } from "./strings-rummy.js";

const OWN_PICTURE = /^[a-z0-9-]{8,50}$/;
const MOST_CHANGES = 30;
const SLOW = 6000;

export async function handView(name, player, deal, go) {
  const sheet = await insist("GET", sheetPath(name));
  const hand = new Hand(sheet, player, deal, go);
  await hand.begin();
  return { node: hand.node, leave: () => hand.leave() };
}

class Hand {
  node = h("div", { "data-testid": "hand" });
  #gone = new AbortController();
  #asked = new AbortController();
  #trouble = "";
  #counted = null;
  #sending = false;
  #marked = null;
  #chosen = null;

  constructor(sheet, player, deal, go) {
    this.sheet = sheet;
    this.player = player;
    this.deal = deal;
    this.go = go;
    const scores = sheet.deals.find((each) => each.deal === deal)?.scores ?? [];
    this.score = scores.find((each) => each.player === player) ?? null;
    this.draft = draftOf(sheet.name, player, deal);
  }

  async begin() {
    if (!this.draft && this.score?.cards) this.draft = await this.#fromScore();
    this.#draw();
    if (this.draft?.picture && !this.draft.cards) this.#resume();
    else if (this.draft) this.#count();
  }

  leave() {
    this.#gone.abort();
    this.#asked.abort();
  }

  // Where the cards come from

  #blank() {
    return { sheet: this.sheet.name, player: this.player, deal: this.deal, key: newKey(), picture: null, image: null,
      cards: null, troubles: [], oneHand: false, bonuses: [], met: null, changes: [] };
  }

  /** A score that stands, to be corrected. */
  async #fromScore() {
    const { cards, picture, bonuses, met } = this.score;
    const draft = { ...this.#blank(), cards: marked(cards, []), bonuses, met };
    draft.bonuses = bonuses.filter((bonus) => bonus !== "going_out");
    if (picture && OWN_PICTURE.test(picture)) {
      try {
        const { url, width, height, cards: faces } = await insist("GET", `/api/rummy/pictures/${picture}`);
        Object.assign(draft, { picture, image: { url, width, height }, cards: marked(cards, faces) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error; // not kept any more: the cards alone will do
      }
    }
    return draft;
  }

  async #take(file) {
    if (!file) return;
    this.#trouble = "";
    const blob = await readable(file);
    if (!blob) {
      this.#fail(words.notAPicture);
      return;
    }
    if (this.draft?.picture) await dropPicture(this.draft.picture);
    // Bonuses and the like stay when the picture is taken again.
    this.draft = { ...this.#blank(), bonuses: this.draft?.bonuses ?? [], met: this.draft?.met ?? null, picture: newKey() };
    await keepPicture(this.draft.picture, blob);
    keepDraft(this.draft);
    await this.#send(blob);
  }

  async #resume() {
    const blob = await pictureKept(this.draft.picture);
    await this.#send(blob);
  }

  async #send(blob) {
    const draft = this.draft;
    const path = `/api/rummy/pictures/${draft.picture}`;
    this.#sending = true;
    this.#draw();
    const slow = setTimeout(() => {
      const note = this.node.querySelector("[data-testid=sending]");
      if (note) note.textContent = words.sendingSlow;
    }, SLOW);
    try {
      const seen = blob
        ? await insist("PUT", path, { body: blob, headers: { "Content-Type": blob.type || "application/octet-stream" },
            signal: this.#gone.signal })
        : await insist("GET", path, { signal: this.#gone.signal });
      if (this.draft !== draft) return;
      draft.image = { url: seen.url, width: seen.width, height: seen.height };
      draft.cards = seen.cards.map((card, id) => ({ id, ...card }));
      draft.troubles = seen.troubles;
      keepDraft(draft);
      await dropPicture(draft.picture);
      this.#sending = false;
      this.#draw();
      say([words.cardsCount(draft.cards.length), ...seen.troubles.map((each) => each.sentence)].join(". "));
      this.#count();
    } catch (error) {
      if (this.#gone.signal.aborted) return; // the draft stays, and goes on when the page is opened again
      if (!(error instanceof Refusal)) throw error;
      this.#sending = false;
      await dropDraft(draft);
      this.draft = null;
      this.#fail(error.message);
    } finally {
      clearTimeout(slow);
    }
  }

  #fail(sentence) {
    this.#trouble = sentence;
    this.#draw();
  }

  // Corrections

  #change(cards, said) {
    this.draft.changes = [...this.draft.changes, this.draft.cards].slice(-MOST_CHANGES);
    this.draft.cards = cards;
    this.draft.key = newKey();
    this.#changed(said);
  }

  #changed(said) {
    this.#trouble = "";
    keepDraft(this.draft);
    this.#draw();
    this.#count();
    if (said) say(said);
  }

  async #pick(id) {
    const card = this.draft.cards.find((each) => each.id === id);
    this.#choose(id);
    const label = await pickCard({ label: card.label, guesses: card.guesses, closeUp: this.#marked?.closeUp(card) });
    this.#choose(null);
    const name = card.label ? spoken({ kind: "card", label: card.label }) : words.chooseCard;
    if (label === REMOVE) this.#change(this.draft.cards.filter((each) => each.id !== id), words.removed(name));
    else if (label && label !== card.label) {
      this.#change(this.draft.cards.map((each) => (each.id === id ? { ...each, label } : each)),
        words.changed(spoken({ kind: "card", label })));
    }
    this.node.querySelector(`[data-card="${id}"]`)?.focus();
  }

  #choose(id) {
    this.#chosen = id;
    this.#marked?.show(this.draft.cards, id);
  }

  async #add() {
    const label = await pickCard({ removable: false });
    if (!label) return;
    const id = Math.max(-1, ...this.draft.cards.map((card) => card.id)) + 1;
    this.#change([...this.draft.cards, { id, label, guesses: [] }], words.added(spoken({ kind: "card", label })));
  }

  #undo() {
    this.draft.cards = this.draft.changes.at(-1);
    this.draft.changes = this.draft.changes.slice(0, -1);
    this.draft.key = newKey();
    this.#changed("");
  }

  // What they count

  get #open() {
    return this.draft.cards.filter((card) => !card.label).length;
  }

  async #count() {
    this.#asked.abort();
    this.#counted = null;
    if (!this.draft?.cards?.length) return;
    const asked = (this.#asked = new AbortController());
    const cards = this.draft.cards.map((card) => card.label).filter(Boolean);
    this.#drawCount();
    try {
      const counted = await insist("POST", `${sheetPath(this.sheet.name)}/count`, { signal: asked.signal,
        json: { player: this.player, deal: this.deal, cards, bonuses: this.draft.bonuses, met: this.draft.met } });
      if (asked.signal.aborted) return;
      this.#counted = counted;
    } catch (error) {
      if (asked.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      this.#counted = { points: 0, by_card: [], problem: error.message };
    }
    this.#drawCount();
  }

  async #accept() {
    const { draft } = this;
    const operation = {
      op: this.score ? "correct-score" : "record-hand",
      player: this.player, deal: this.deal, cards: draft.cards.map((card) => card.label).join(" "),
      bonuses: draft.bonuses, ...(draft.met === null ? {} : { met: draft.met ? "yes" : "no" }),
      ...(draft.picture ? { source: "photo", image: draft.picture } : {}),
    };
    await this.#record(operation, draft.key);
  }

  async #record(operation, key) {
    this.node.inert = true;
    try {
      const sheet = await record(this.sheet.name, operation, { seen: this.sheet.seen, ...(key ? { key } : {}) });
      if (this.draft) await dropDraft(this.draft);
      say(sheet.said);
      this.go("sheet", this.sheet.name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#fail(error.message);
    } finally {
      this.node.inert = false;
    }
  }

  // Drawing

  #draw() {
    const { draft } = this;
    const parts = [h("h1", {}, words.handOf(this.player, this.deal))];
    if (this.#trouble) parts.push(problem(this.#trouble));
    this.#marked = null;
    if (this.#sending) {
      parts.push(h("p", { class: "sending", role: "status", "data-testid": "sending" }, words.sendingPicture));
    } else if (draft?.cards) {
      for (const { kind, sentence } of draft.troubles) {
        if (kind !== "unsure") parts.push(h("p", { class: "problem", "data-testid": `trouble-${kind}` }, sentence));
      }
      if (draft.image) {
        this.#marked = new MarkedPicture(draft.image, (id) => this.#pick(id));
        this.#marked.show(draft.cards, this.#chosen);
        parts.push(this.#marked.node);
      }
      parts.push(...this.#cardsParts());
    } else {
      parts.push(h("p", { class: "hint" }, words.takeHint));
    }
    parts.push(this.#ways(), h("p", {}, h("a", { href: `#/sheet/${encodeURIComponent(this.sheet.name)}`, "data-testid": "to-sheet" },
      this.sheet.name)));
    this.node.replaceChildren(...parts);
    this.#drawCount();
  }

  #cardsParts() {
    const { draft } = this;
    const strip = h("ul", { class: "strip", "data-testid": "strip" }, draft.cards.map((card, place) => h("li", {},
      h("button", { type: "button", class: "strip-card", onclick: () => this.#pick(card.id), "data-card": String(card.id),
        "data-label": card.label ?? "", "aria-label": card.label
          ? words.cardButton(spoken({ kind: "card", label: card.label })) : words.unsureButton(place + 1) },
        cardGlyph(card.label ? { kind: "card", label: card.label } : { kind: "unsure", label: card.guesses[0] ?? null })))));
    const parts = [strip, h("p", { class: "buttons" },
      button(words.addCard, () => this.#add(), { "data-testid": "add-card" }),
      button(words.undoChange, () => this.#undo(), { disabled: !draft.changes.length, "data-testid": "undo-change" }))];
    if (draft.troubles.some(({ kind }) => kind === "several-hands")) {
      parts.push(h("label", { class: "tick" }, h("input", { type: "checkbox", checked: draft.oneHand, "data-testid": "one-hand",
        onchange: (event) => { draft.oneHand = event.target.checked; this.#changed(""); } }), words.oneHand));
    }
    const extra = Object.entries(this.sheet.bonuses).filter(([bonus]) => bonus !== "going_out");
    const boxes = bonusBoxes(extra, draft.bonuses);
    for (const { box } of boxes.fields) {
      box.addEventListener("change", () => { draft.bonuses = boxes.chosen(); this.#changed(""); });
    }
    const met = metChoice(this.sheet, draft.met, (value) => { draft.met = value; this.#changed(""); });
    parts.push(...boxes.nodes, met.node, h("div", { class: "verdict", "data-testid": "verdict" }));
    return parts;
  }

  #drawCount() {
    const place = this.node.querySelector("[data-testid=verdict]");
    if (!place) return;
    const { draft } = this;
    const open = this.#open;
    const counted = this.#counted;
    const several = draft.troubles.some(({ kind }) => kind === "several-hands") && !draft.oneHand;
    const stop = open > 0 || several || !counted || Boolean(counted.problem);
    place.replaceChildren(
      h("p", { class: "sum-line" },
        h("strong", { "data-testid": "hand-points" }, counted ? words.pointsCount(counted.points) : draft.cards.length ? words.counting : ""),
        h("span", { class: "hint" }, words.cardsCount(draft.cards.length, open))),
      counted?.by_card.length ? h("p", { class: "hint", "data-testid": "by-card" },
        counted.by_card.map(([label, points]) => `${label} ${points}`).join(" · ")) : "",
      open ? h("p", { class: "problem", "data-testid": "ask-unsure" }, words.askUnsure(open)) : "",
      // While cards are open, the sheet's own objections may be about what is missing.
      counted?.problem && !open ? problem(counted.problem, "count-problem") : "",
      button(counted && !open ? words.acceptPoints(counted.points) : words.accept, () => this.#accept(),
        { class: "button main accept", disabled: stop, "data-testid": "accept" }),
    );
  }

  /** The ways to give a hand: a picture (again), cards or points typed, out. */
  #ways() {
    if (this.#sending) return "";
    const again = Boolean(this.draft?.cards);
    const input = (capture, text, main, testid) => h("label", { class: `button ${main ? "main" : ""} file` },
      h("input", { type: "file", accept: "image/*", class: "unseen", "data-testid": testid, ...(capture ? { capture: "environment" } : {}),
        onchange: (event) => this.#take(event.target.files[0]) }), text);
    return h("p", { class: "buttons ways" },
      input(true, again ? words.takeAgain : words.take, !again, "take"),
      input(false, words.choosePicture, false, "choose"),
      !again && button(words.typeCards, () => {
        this.draft = { ...this.#blank(), cards: [] };
        this.#changed("");
      }, { "data-testid": "type-cards" }),
      button(words.typePoints, () => this.#points(), { "data-testid": "type-points" }),
      button(words.out, () => this.#record({ op: this.score ? "correct-score" : "went-out", player: this.player, deal: this.deal,
        ...(this.score ? { out: "yes" } : {}) }), { "data-testid": "hand-out" }),
      this.score && this.deal === this.sheet.deal && button(words.takeBack, async () => {
        if (await sure(words.takeBackSure)) await this.#record({ op: "take-back-score", player: this.player, deal: this.deal });
      }, { "data-testid": "take-back" }),
    );
  }

  async #points() {
    const field = h("input", { type: "number", inputmode: "numeric", min: 0, step: 1, required: true, "data-testid": "points-field" });
    const met = metChoice(this.sheet, this.score?.met ?? null);
    const answer = await ask(words.typePoints, (close) => [
      h("form", { onsubmit: (event) => { event.preventDefault(); close(true); } }, labelled(words.points, field), met.node,
        h("p", { class: "buttons" }, h("button", { class: "button main", "data-testid": "record" }, words.record),
          button(words.cancel, () => close(null))))]);
    if (!answer) return;
    await this.#record({ op: this.score ? "correct-score" : "record-hand", player: this.player, deal: this.deal,
      points: Number(field.value), bonuses: this.draft?.bonuses ?? [], ...met.field() });
  }
}
