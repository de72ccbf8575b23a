// Arrow keys within a group of controls: to the nearest one in that direction, as the eye sees them.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(node) {
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The nearest control in a direction: in the same line for left and right; in the next line for up and down. */
function nearest(from, others, [dx, dy]) {
  const [x, y] = middle(from);
  const high = from.getBoundingClientRect().height;
  const ahead = [];
  for (const other of others) {
    const [ox, oy] = middle(other);
    const far = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (far > 2 && (dx === 0 || aside < high / 2)) ahead.push({ other, far, aside });
  }
  const least = Math.min(...ahead.map(({ far }) => far));
  const line = ahead.filter(({ far }) => far < least + 8).sort((a, b) => a.aside - b.aside);
  return line[0]?.other ?? null;
}

/** Let the arrow keys move the focus among the `selector`s within `root`. */
export function arrows(root, selector) {
  root.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = event.target.closest?.(selector);
    if (!from || !root.contains(from)) return;
    const next = nearest(from, root.querySelectorAll(selector), way);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

/** Undo and redo as everywhere: Ctrl+Z, Ctrl+Shift+Z or Ctrl+Y; with Cmd on a Mac. Not while text is typed. */
export function undoKeys({ undo, redo }) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.target.matches?.("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    const act = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" && !event.shiftKey ? redo : null;
    if (!act) return;
    event.preventDefault();
    act();
  });
}
