// What an action feels like, by its first word, so that it has the same colour wherever it stands.

const TONES = {
  stand: "stop", stick: "stop", stay: "stop",
  hit: "go", twist: "go", draw: "go",
  double: "raise", buy: "raise",
  split: "split",
  surrender: "yield", throw: "yield",
  done: "done",
};

export function toneOf(action) {
  return TONES[(action ?? "").split(/[\s-]/, 1)[0]] ?? "plain";
}

/** How many letters a line of these words needs at least, for fitting large type: words may fall into two lines. */
export function lettersOf(words) {
  const longest = Math.max(...words.split(/\s+/).map(({ length }) => length));
  return Math.max(4, longest, words.length > 12 ? Math.ceil(words.length / 2) : words.length);
}
