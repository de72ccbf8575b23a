// What fits in a hand's panel: nothing is cut. The odds give way first, then the longest reasons, then the offer; a
// list of things to check becomes their number, and several choices one button for all. What is left out is one tap
// away.

const FINGER = 44;

const LEAST = 2.16; // ems: two letters are not drawn larger than four would be
const SLACK = 1.02; // figures of one width are a little wider than what is measured
const widths = new Map();
let pen;

/**
 * How wide a line of these words is in ems of the serif that this machine has, for fitting large type: faces differ by
 * a third. Words of more than 12 letters may fall into two lines.
 */
export function emsOf(words, weight) {
  const key = `${weight} ${words}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `${weight} 100px ${getComputedStyle(document.documentElement).getPropertyValue("--words")}`;
    const wide = (text) => (pen.measureText(text).width / 100) * SLACK;
    const parts = words.split(/\s+/);
    const lines = words.length > 12 ? parts.map((_, at) => [parts.slice(0, at).join(" "), parts.slice(at).join(" ")]) : [[words]];
    widths.set(key, Math.max(LEAST, Math.min(...lines.map((pair) => Math.max(...pair.map(wide))))));
  }
  return widths.get(key);
}

/**
 * Lay the cards of these rows: side by side, overlapping where they must, each showing a strip a finger can hit. Where
 * there is too little room for that (`--tiny`), they lie in one fan, and the fan as a whole opens the hand.
 */
export function layCards(rows) {
  const made = rows.filter((row) => row.childElementCount > 0).map((row) => {
    const count = row.childElementCount;
    const room = row.clientWidth;
    const tiny = getComputedStyle(row).getPropertyValue("--tiny").trim() === "1";
    const upright = row.querySelector(".card:not(.crosswise)")?.clientWidth;
    const card = upright ?? row.querySelector(".card").clientWidth / 1.4;
    const last = row.lastElementChild.dataset.crosswise === undefined ? card : card * 1.4;
    const most = tiny ? count : Math.max(1, Math.floor((room - last) / FINGER) + 1);
    const inRow = Math.ceil(count / Math.ceil(count / most));
    const wide = Math.max(card + Math.max(4, card * 0.06), tiny ? 0 : FINGER);
    const strip = inRow === 1 ? Math.max(last, FINGER) : Math.min(wide, (room - last) / (inRow - 1));
    return { row, tiny, inRow: String(inRow), strip: `${Math.max(1, strip).toFixed(2)}px` };
  });
  for (const { row, tiny, inRow, strip } of made) {
    row.style.setProperty("--in-row", inRow);
    row.style.setProperty("--strip", strip);
    row.toggleAttribute("data-tiny", tiny);
  }
}

/** Fit all these panels: first everything is shown, then all are measured, then what does not fit goes. */
export function fitAll(panels) {
  const parts = panels.map((panel) => partsOf(panel));
  for (const { panel, reasons, values, offer, problems, badge, tells, fold } of parts) {
    for (const node of [...reasons, values, offer, problems]) node.classList.remove("left-out");
    badge.classList.add("left-out");
    if (tells?.childNodes.length > 0) {
      tells.classList.remove("left-out");
      fold.classList.add("left-out");
    }
    delete panel.dataset.more;
  }
  const choices = parts.map(measure);
  parts.forEach(({ panel, badge, tells, fold }, index) => {
    const { out, badged, folded } = choices[index];
    if (folded) {
      tells.classList.add("left-out");
      fold.classList.remove("left-out");
    }
    for (const node of out) node.classList.add("left-out");
    badge.classList.toggle("left-out", !badged);
    panel.toggleAttribute("data-badged", badged);
    if (out.length > 0) panel.dataset.more = "";
  });
}

function partsOf(panel) {
  const find = (name) => panel.querySelector(`:scope .${name}`);
  return {
    panel,
    content: find("hand-content"),
    reasons: [...panel.querySelectorAll(".reason")],
    values: find("hand-values"),
    offer: find("hand-offer"),
    problems: find("hand-problems"),
    badge: find("hand-badge"),
    tells: find("hand-tell-list"),
    fold: find("hand-fold"),
  };
}

function height(node) {
  if (node.offsetHeight === 0) return 0;
  const { marginTop, marginBottom } = getComputedStyle(node);
  return node.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom);
}

function measure({ panel, content, reasons, values, offer, problems, tells }) {
  const style = getComputedStyle(panel);
  const room = panel.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const hidden = [...reasons, values].filter((node) => node.childNodes.length > 0 && node.offsetHeight === 0);
  let rest = content.offsetHeight - room;
  const out = hidden;
  const longest = reasons.filter((node) => node.offsetHeight > 0).sort((a, b) => b.offsetHeight - a.offsetHeight);
  // Odds that stand beside the rest take no height of their own: they go last.
  const beside = getComputedStyle(values).gridRowStart === "values";
  for (const node of beside ? [...longest, offer, values] : [values, ...longest, offer]) {
    if (rest <= 0) break;
    const gain = height(node);
    if (gain === 0) continue;
    out.push(node);
    rest -= gain;
  }
  const badged = problems.childNodes.length > 0 && (rest > 0 || problems.offsetHeight === 0);
  if (badged) out.push(problems);
  const folded = rest > 0 && tells?.childNodes.length > 1;
  return { out, badged, folded };
}
