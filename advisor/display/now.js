// What comes next: the step in large words, what may be said about it, and what is wrong.
import { teller } from "./actions.js";
import { element, flag, keyed, redraw, samePlace, write } from "./dom.js";
import { strings } from "./strings.js";

/** Split choices: those of the step and the dealer's own go under the step, the others to their hands. */
export function sorted(played) {
  const all = [...(played.hands ?? []), ...(played.house ?? [])];
  const active = all.filter((hand) => hand.active).map(({ place }) => place);
  if (played.step_place) active.push(played.step_place);
  const here = [];
  const elsewhere = [];
  for (const choice of played.choices ?? []) {
    const general = choice.main || !choice.place || choice.place.seat === 0;
    const near = general || active.some((place) => samePlace(place, choice.place));
    (near ? here : elsewhere).push(choice);
  }
  here.sort((a, b) => Number(b.main) - Number(a.main));
  return { here, elsewhere };
}

/** The choices about a hand; those about a hand that is not there yet go to the first one of its seat. */
export function choicesOf(choices, hand, hands) {
  const first = hands.find(({ place }) => place.seat === hand.place.seat) ?? hand;
  return choices.filter(({ place }) => {
    if (!place || place.seat !== hand.place.seat) return false;
    return samePlace(place, hand.place) || (first === hand && !hands.some((other) => samePlace(other.place, place)));
  });
}

/** The offer that all hands have alike, which is said once under the step; null where there is none or they differ. */
export function commonOffer(hands) {
  const offers = new Set(hands.map(({ offer }) => offer).filter(Boolean));
  const offered = hands.filter(({ offer }) => offer).length;
  return offers.size === 1 && offered > 1 ? [...offers][0] : null;
}

export function showStep(node, played) {
  write(node, played.step ?? "");
  const length = (played.step ?? "").length;
  node.dataset.length = length > 110 ? "long" : length > 56 ? "middle" : "short";
}

export function showChoices(node, choices, onTell) {
  const amid = choices.some(({ main }) => main);
  flag(node, "main", amid);
  keyed(
    node,
    choices,
    (choice) => JSON.stringify([choice.operation, choice.words, choice.place]),
    (choice) => teller("choice", choice.words, (control) => onTell(choice, control)),
    (control, choice) => {
      flag(control, "main", choice.main);
      // What concerns no hand and does not usually follow, such as calling the round off, keeps back.
      flag(control, "quiet", !choice.main && !choice.place);
    },
  );
}

export function showFaults(list, faults, { onTell, onCard, names }) {
  list.hidden = faults.length === 0;
  keyed(
    list,
    faults,
    (fault, index) => JSON.stringify([fault, index]),
    (fault) => {
      const item = element("li", "fault");
      item.dataset.testid = "fault";
      const words = element("p", "fault-words", fault.words);
      if (fault.place && names(fault.place)) words.prepend(element("span", "fault-place", names(fault.place)), " ");
      const tells = element("div", "fault-tells");
      for (const choice of fault.choices ?? []) {
        const control = teller("plain-button", choice.words, () => onTell(choice, control));
        flag(control, "main", choice.main);
        tells.append(control);
      }
      if (typeof fault.card === "number" && onCard) {
        const look = element("button", "plain-button", strings.correct.name);
        look.type = "button";
        look.addEventListener("click", () => onCard(fault.card));
        tells.append(look);
      }
      item.append(words, tells);
      return item;
    },
  );
}

/** What nobody is sure of, each with the answers that may be tapped. */
export function showQuestions(list, questions, onTell) {
  list.hidden = questions.length === 0;
  keyed(
    list,
    questions,
    (question, index) => JSON.stringify([question, index]),
    (question) => {
      const item = element("li", "question");
      item.dataset.testid = "question";
      const tells = element("div", "question-tells");
      for (const choice of question.choices ?? []) {
        tells.append(teller("plain-button", choice.words, (control) => onTell(choice, control)));
      }
      item.append(element("p", "notice", question.words), tells);
      return item;
    },
  );
}

export function showWords(list, lines, className) {
  list.hidden = lines.length === 0;
  redraw(list, lines, () => lines.map((line) => element("li", className, line)));
}

export function showFacts(list, facts) {
  list.hidden = facts.length === 0;
  keyed(list, facts, ({ name }) => name, () => {
    const row = element("div", "fact");
    row.append(element("dt", "fact-words"), element("dd", "fact-value figure"));
    return row;
  }, (row, fact) => {
    row.dataset.name = fact.name;
    write(row.firstChild, fact.words);
    write(row.lastChild, fact.value);
  });
}
