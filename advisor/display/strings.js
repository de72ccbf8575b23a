// Every English word the page itself says. Sentences about the game come from the server as they are.

const ranks = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", 10: "ten", J: "jack", Q: "queen", K: "king",
};
const suits = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const spaced = (word) => word.replaceAll(/[-_]/g, " ");

const sharedAs = { dealer: "dealer’s", viewer: "players’ view" };
const ago = (minutes) => {
  if (minutes < 2) return "seen just now";
  if (minutes < 120) return `seen ${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `seen ${hours} hours ago` : `seen ${Math.floor(hours / 24)} days ago`;
};

export const strings = {
  pictureHeading: "The table as the camera sees it",
  pictureAlt: (cards, backs, unsure) =>
    `The table: ${cards} ${cards === 1 ? "card" : "cards"} read, ${backs} face down, ${unsure} not sure.`,
  noPicture: "No picture yet.",
  enlarge: "Enlarge the picture",
  pictureHint: "Tap a card to put it right.",

  houseHeading: "The house",
  stepHeading: "What comes next",
  handsHeading: "The seats",
  faultsHeading: "To put right",
  noCard: "No card yet",
  seat: (seat) => (seat === 0 ? "House" : `Seat ${seat}`),
  hand: (hand) => `Hand ${hand}`,
  placeName: ({ seat, hand }) => `${seat === 0 ? "House" : `Seat ${seat}`}, hand ${hand}`,
  choiceAt: (seat, words) => `${seat}: ${words}`,
  placeCard: (card, place) => `${capital(card)} – ${place}`,

  /** An action as the server names it, on the page. */
  action: (word) => capital(word),
  noAdvice: "No advice",
  valuesCaption: "Expected, in bets",
  margin: (bets) => `ahead by ${bets}`,
  more: "more",
  moreOf: (title) => `${title}: all there is to say`,
  checks: (count) => (count === 1 ? "1 thing to check" : `${count} things to check`),
  choicesHere: (words, count) => (words ? `${words}…` : `${count} choices…`),
  now: "now",
  net: (amount) => `round ${amount}`,
  bet: (name) => spaced(name),
  assumed: "assumed",
  seenBet: "seen",
  paid: (amount, words) => `${amount} – ${words}`,
  done: { win: "paid", lose: "collected", push: "settled" },
  chips: (count, colour) => `${count} ${spaced(colour)} ${count === 1 ? "chip" : "chips"}`,

  waiting: "Waiting for the table.",
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
  trouble: {
    dark: "The table is too dark for the camera.",
    bright: "The table is too bright for the camera.",
    covered: "Something covers the camera.",
    frozen: "The camera’s picture stands still.",
    moved: "The camera was moved: check the felt’s corners.",
  },
  storeTrouble: "The record of the session cannot be kept.",
  round: (number) => `Round ${number}`,
  readIn: (ms) => `Read in ${ms} ms`,

  back: "face down",
  backOf: (name) => `face down, ${name}`,
  unsure: "card not read surely",
  unsureOf: (name) => `card not read surely, perhaps the ${name}`,
  crosswise: "laid across",
  gone: "picked up",
  joker: "joker",
  rank: (rank) => capital(ranks[rank] ?? rank),
  suit: (suit) => capital(suits[suit] ?? suit),
  card: (rank, suit) => `${ranks[rank] ?? rank} of ${suits[suit] ?? suit}`,

  undo: "Undo",
  redo: "Redo",
  history: {
    undo: { nothing: "Nothing to undo", of: (words) => `Undo: ${words}` },
    redo: { nothing: "Nothing to redo", of: (words) => `Redo: ${words}` },
  },
  menu: "Table",
  close: "Close",
  cancel: "Cancel",
  dismiss: "Dismiss",

  lineIsLost: "Not sent: the display has lost the server. It tries again by itself; tap once more when it is back.",
  notAnswered: (what) =>
    `“${what}” was not answered: it may or may not have arrived. Look at the table before you tap it again.`,
  refused: (status) => `The server refused this (${status}) without saying why.`,

  correct: {
    title: (what, place) => `${what} – ${place}`,
    name: "What is this card?",
    guesses: "Perhaps",
    rank: "Rank",
    suit: "Suit",
    save: (card) => `It is the ${card}`,
    saveBack: "It lies face down",
    saveJoker: "It is a joker",
    choose: "Choose a rank and a suit",
    back: "Face down",
    joker: "Joker",
    remove: "Take the card off",
    removeHint: "For a thing that is no card, or one that was put away.",
    move: "Move it to",
    moveTo: (place) => `Move to ${place}`,
    add: "Add a card",
    addTo: (card, place) => `Add the ${card} to ${place}`,
    addBack: (place) => `Add a face-down card to ${place}`,
    underneath: "No camera sees this card: it is taken to lie under another. Add it to say that it is there; it can be "
      + "named and moved from then on.",
    where: "Where it lies",
    seat: "Seat",
    hand: "Hand",
    named: "Naming a card",
    removed: "Taking a card off",
    moved: "Moving a card",
    added: "Adding a card",
  },

  amounts: {
    unread: (typed) => `'${typed}' is no amount: write it like 15, 7.50 or 1,250.`,
    twoWays: (typed, more, less) => `'${typed}' may be ${more} or ${less}: write the one that you mean.`,
  },

  keypad: {
    amount: "Amount",
    clear: "Clear",
    erase: "Erase the last figure",
    point: "Decimal point",
    digit: (digit) => `${digit}`,
    chip: (colour, value) => `Add ${value} (${spaced(colour)})`,
    send: (amount) => (amount ? `Say ${amount}` : "Type an amount"),
    usual: "Usual bet",
    usualOf: (seat) => `Usual bet of seat ${seat}`,
    usualHint: "What the seat is taken to bet unless something else is said.",
  },

  round_menu: {
    title: "The table",
    round: "This round",
    end: "End the round",
    endHint: "The cards are cleared and the next round begins.",
    void: "Void the round",
    voidHint: "The round counts for nothing and all bets go back.",
    voidSure: "Void the round? All of its bets go back.",
    voidYes: "Yes, void it",
    shuffled: "New shoe",
    shuffledHint: "The cards were shuffled: counting starts again.",
    display: "This display",
    voice: "Say the next step aloud",
    picture: "Show the camera’s picture",
    figures: "Show what each action is worth",
    count: "Show the count and what is left of the shoe",
    setup: "Game and rules…",
    corners: "Felt corners…",
    share: "Open on a phone…",
    players: "Players’ view",
    handbook: "Dealer’s handbook",
    hand: "My own hand",
    deck: "Teach your own deck",
    drills: "Practice",
    pages: "Other pages",
  },

  setup: {
    title: "Game and rules",
    game: "Game",
    preset: "House rules",
    seats: "Seats",
    inForce: (name) => `${name} (in force now)`,
    inForceHint: "To change single rules, choose a preset first.",
    field: (name) => capital(spaced(name)),
    layout: "Layout of the felt",
    noLayout: "None: hands are found by nearness",
    fields: "Every rule",
    changed: (count) => {
      if (count === 0) return "as the preset has it";
      return count === 1 ? "1 rule changed" : `${count} rules changed`;
    },
    save: "Play this",
    warning: "What lies on the table now is taken as a new round.",
    loading: "Asking the server…",
    failed: "The server did not say which games there are. Close this and try again.",
    yes: "yes",
    no: "no",
    option: (word) => spaced(String(word)),
  },

  corners: {
    title: "Corners of the felt",
    hint: "Drag each mark onto its place on the felt: the list says which. Arrow keys move a mark, with Shift by ten.",
    dragFirst: "Drag the marks onto the felt first: so far they only lie somewhere in the picture.",
    usualNames: ["Far left corner", "Far right corner", "Near right corner", "Near left corner"],
    at: (name, x, y) => `${name}: ${x} across, ${y} down`,
    save: "Keep these places",
    forget: "Forget the places",
    noPicture: "There is no picture to place the corners on.",
    failed: "The corners could not be asked for.",
  },

  share: {
    title: "Open on a phone",
    hint: "Scan this with a phone on the same network, or type the address.",
    code: "Code for a dealer: full control",
    viewerCode: "Code for players: they only look",
    devices: "Paired devices",
    noDevice: "None yet: open the address on a device and type a code there.",
    roles: sharedAs,
    device: (role, minutes) => `${sharedAs[role]} · ${ago(minutes)}`,
    revoke: "Send away",
    revokeOf: (name, role) => `Send away: ${name} (${role})`,
    none: "This display answers only on this machine. Start it with --lan to open it to phones at home.",
    qr: (url) => `QR code for ${url}`,
  },
};
