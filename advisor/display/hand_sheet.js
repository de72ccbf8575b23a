// All there is to say about one hand, in one sheet.
import { teller } from "./actions.js";
import { openAddCard } from "./card_sheet.js";
import { showBets } from "./chips.js";
import { group, openSheet } from "./dialogs.js";
import { button, element, samePlace, signedAmount } from "./dom.js";
import { layCards } from "./fit.js";
import { showCards, valueRows } from "./hands.js";
import { openUsualBet, say } from "./keypad.js";
import { choicesOf } from "./now.js";
import { strings } from "./strings.js";
import { toneOf } from "./tones.js";

/** `on.onCard(card)` opens a card; without it (the players' view) the sheet only tells. */
export function openHand(state, place, on) {
  const played = state.played ?? {};
  const hand = [...(played.house ?? []), ...(played.hands ?? [])].find((it) => samePlace(it.place, place))
    ?? { place, title: strings.seat(place.seat), cards: [], bets: [] };
  const choices = choicesOf(played.choices ?? [], hand, played.hands ?? []);
  choices.sort((a, b) => Number(b.main) - Number(a.main));
  openSheet("hand-sheet", hand.title, (body, close) => {
    const head = element("div", "sheet-hand");
    head.dataset.tone = toneOf(hand.action);
    const cards = element("div", "cards");
    showCards(cards, hand.cards ?? [], on.onCard);
    head.append(cards, element("p", "sheet-total", hand.total ?? ""));
    if (hand.action) head.append(element("p", "sheet-action", strings.action(hand.action)));
    body.append(head);
    const lines = element("div", "sheet-lines");
    for (const reason of hand.why ?? []) lines.append(element("p", "reason", reason));
    if (hand.offer) lines.append(element("p", "reason hand-offer", hand.offer));
    const { payment } = hand;
    if (payment) lines.append(element("p", "reason", strings.paid(signedAmount(payment.amount), payment.words)));
    body.append(lines);
    if ((hand.problems ?? []).length > 0) {
      const list = element("ul", "problems");
      list.append(...hand.problems.map((problem) => element("li", "problem", problem)));
      body.append(list);
    }
    const values = element("div", "hand-values");
    values.append(...valueRows(hand));
    const bets = element("div", "hand-bets");
    showBets(bets, hand.bets ?? [], hand.payment);
    body.append(values, bets);
    if (on.onCard) body.append(tellings(state, hand, choices, close));
    requestAnimationFrame(() => layCards([cards]));
  });
}

function tellings(state, hand, choices, close) {
  const said = group(strings.round_menu.round, "tellings");
  const row = element("div", "button-row");
  for (const choice of choices) {
    const control = teller(choice.main ? "main-button" : "plain-button", choice.words, () =>
      say(state, choice, control, (answer) => answer?.ok && close()));
    row.append(control);
  }
  row.append(button("plain-button", `${strings.correct.add}…`, () => openAddCard(state, hand.place)));
  if (hand.place.seat > 0) {
    const start = (hand.bets ?? []).find(({ name }) => name === "bet")?.amount ?? "";
    row.append(button("plain-button", `${strings.keypad.usual}…`, () => openUsualBet(state, hand.place.seat, start)));
  }
  said.append(row);
  return said;
}
