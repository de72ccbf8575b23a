// A player's own hand: the words in English.

export const hand = {
  name: "Tableside",
  title: "My hand",
  intro: "Take a picture of your own cards. It is read, answered, and kept nowhere.",
  seat: "My seat",
  take: "Take the picture",
  reading: "Reading…",
  cards: "My cards",
  hint: "Put right what was read wrongly, such as 10H 6S.",
  ask: "What should I do?",
  wait: "It is not your turn yet. Your hand:",
  lost: "The server does not answer. Try again.",
};
