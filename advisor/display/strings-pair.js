// Every English word of the pairing page; to translate it, translate this file.
export const strings = {
  title: "Pair this device",
  intro: "Type the code that the host’s screen shows.",
  code: "Code",
  roles: "What is this device for?",
  viewer: "Players’ view",
  viewerHint: "shows the cards and bets, changes nothing",
  dealer: "Dealer",
  dealerHint: "shows advice and may change everything",
  name: "Its name (so that the host knows it)",
  names: { iphone: "iPhone", ipad: "iPad", android: "Android device", mac: "Mac", windows: "Windows PC", other: "A device" },
  pair: "Pair",
  pairing: "Pairing…",
  short: (digits) => `The code has ${digits} digits.`,
  lost: "The host does not answer: is it on, and in the same network?",
  failed: "The host could not do this.",
  needsScript: "This page needs JavaScript.",
};
