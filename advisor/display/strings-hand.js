// A player's own hand: the words in English.

export const hand = {
  name: "Tableside",
  title: "My hand",
  intro: "Take a picture of your own cards. It is read, answered, and kept nowhere.",
  seat: "My seat",
  take: "Take a picture of my cards",
  reading: "Reading…",
  cards: "My cards: type them, or put right what was read wrongly",
  example: "10H 6S",
  ask: "What should I do?",
  wait: "It is not your turn yet. Your hand:",
  lost: "The server does not answer. Try again.",
};
