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
