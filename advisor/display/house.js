// The house's hands, drawn larger than the seats'.
import { element, flag, keyed, part, placeKey, redraw, write } from "./dom.js";
import { cardPlace } from "./cards.js";
import { showCards } from "./hands.js";
import { strings } from "./strings.js";
import { toneOf } from "./tones.js";

function panel(onMore) {
  const root = part("article", "house-hand");
  const parts = {
    name: part("button", "house-name", "hand-name"),
    total: part("p", "house-total"),
    cards: part("div", "house-cards", "cards house-cards"),
    place: element("div", "house-place"),
    action: part("p", "house-action"),
    problems: part("ul", "house-problems", "problems"),
  };
  parts.name.type = "button";
  parts.title = element("span", "hand-title");
  parts.name.append(parts.title);
  const heading = element("h3", "hand-heading");
  heading.append(parts.name);
  const words = element("div", "house-words");
  words.append(parts.total, parts.action);
  const row = element("div", "house-row");
  parts.place.append(cardPlace());
  row.append(parts.place, parts.cards, words);
  root.append(heading, row, parts.problems);
  parts.name.addEventListener("click", () => onMore(root.place));
  root.parts = parts;
  return root;
}

export function showHouse(node, house, { onCard, onMore }) {
  node.dataset.hands = String(house.length);
  keyed(node, house, ({ place }) => placeKey(place), () => panel(onMore), (root, hand) => {
    const { parts } = root;
    root.place = hand.place;
    flag(root, "active", hand.active);
    root.dataset.tone = toneOf(hand.action);
    write(parts.title, hand.title);
    parts.name.setAttribute("aria-label", strings.moreOf(hand.title));
    write(parts.total, hand.total ?? "");
    const cards = hand.cards ?? [];
    parts.place.hidden = cards.length > 0;
    root.style.setProperty("--held", String(Math.max(2, cards.length)));
    showCards(parts.cards, cards, onCard);
    flag(root, "long", (hand.total ?? "").length > 3);
    write(parts.action, hand.action ? strings.action(hand.action) : "");
    const problems = hand.problems ?? [];
    redraw(parts.problems, problems, () => problems.map((problem) => element("li", "problem", problem)));
  });
}
