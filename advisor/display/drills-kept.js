// What a tab keeps of its drills over a reload: the score, and each open question with the time since it was asked.

const KEPT = "tableside-drills";
const KINDS = ["hand", "chips"];
const MOST_LEVEL = 5;

const nothing = () => ({ score: { right: 0, asked: 0, streak: 0 }, open: null });
const kept = Object.fromEntries(KINDS.map((kind) => [kind, nothing()]));

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

try {
  const found = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  for (const kind of KINDS) {
    const { score, open } = found[kind] ?? {};
    if (Object.keys(kept[kind].score).every((name) => isCount(score?.[name]))) kept[kind].score = score;
    if (open?.asked && isCount(open.began)) kept[kind].open = open;
  }
} catch {
  // A browser that keeps nothing, or something else: the drills begin anew.
}

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // It is only convenience.
  }
}

/** {right, asked, streak} of a kind of drill. */
export const scoreOf = (kind) => kept[kind].score;

/** The question that waits for an answer: {asked, began}, or null. */
export const openOf = (kind) => kept[kind].open;

/** Another question is open from now on. */
export function opened(kind, asked) {
  kept[kind].open = { asked, began: Date.now() };
  keep();
  return kept[kind].open;
}

/** A question that cannot be asked any more; the score stays, and so does another one that is open by now. */
export function forget(kind, open) {
  if (kept[kind].open === open) kept[kind].open = null;
  keep();
}

/** A question was answered: it counts once, though it was answered again before the first answer was judged. */
export function counted(kind, open, right) {
  const { score } = kept[kind];
  if (!open.counted) {
    open.counted = true;
    score.asked += 1;
    score.right += right ? 1 : 0;
    score.streak = right ? score.streak + 1 : 0;
  }
  forget(kind, open);
}

/** How many colours the piles have, as chosen last; longer than a tab. */
export function keptLevel() {
  try {
    return Math.min(MOST_LEVEL, Math.max(1, Math.trunc(Number(localStorage.getItem(KEPT))) || 2));
  } catch {
    return 2;
  }
}

export function keepLevel(level) {
  try {
    localStorage.setItem(KEPT, String(level));
  } catch {
    // It is only convenience.
  }
}
