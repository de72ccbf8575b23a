// Every English word the page itself says. Sentences about the game come from the server as they are.

const ranks = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", 10: "ten", J: "jack", Q: "queen", K: "king",
};
const suits = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

export const strings = {
  dealer: "Dealer",
  dealerShows: (card) => `Dealer shows ${card}.`,
  noDealer: "No dealer card yet",
  handsHeading: "Hands",
  pictureHeading: "The table as the camera sees it",
  pictureAlt: (cards, backs, unsure) =>
    `The table: ${cards} ${cards === 1 ? "card" : "cards"} read, ${backs} face down, ${unsure} not sure.`,
  noPicture: "No picture yet.",

  hand: (name) => `Hand ${name}`,
  actions: {
    stand: "Stand", hit: "Hit", double: "Double", split: "Split", surrender: "Surrender", done: "Done",
  },
  noAdvice: "No advice",
  noTotal: "–",
  valuesCaption: "Expected result, in bets",
  margin: (bets) => `ahead by ${bets}`,
  insurance: "Insurance",
  spoken: (hand, action, total) => `${hand}: ${action}, ${total}.`,

  empty: "Waiting for cards.",
  emptyHands: "Waiting for the players’ cards.",

  connection: {
    connecting: "Connecting…",
    open: "Connected",
    lost: "The display lost the server; trying again…",
    outdated: "This page does not match the server. Reload the page.",
  },
  camera: {
    starting: "Camera starting…",
    live: "Camera live",
    moving: "Cards moving",
    lost: "The camera is lost.",
    ended: "The picture has ended.",
  },

  readIn: (ms) => `Read in ${ms} ms`,

  back: "face down",
  unsure: "card not read surely",
  joker: "joker",
  card: (rank, suit) => `${ranks[rank] ?? rank} of ${suits[suit] ?? suit}`,
};
