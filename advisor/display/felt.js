// The felt as it is printed: an arc of betting circles, shown while nothing lies on the table.
import { redraw, svg } from "./dom.js";

const WIDE = 1200;
const HIGH = 380;

export function showFelt(node, seats, show) {
  node.hidden = !show;
  if (!show) return;
  redraw(node, seats, () => {
    const board = svg("svg", { class: "felt-print", viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" });
    const arc = (depth) => `M40 ${depth}Q${WIDE / 2} ${depth + 300} ${WIDE - 40} ${depth}`;
    board.append(svg("path", { class: "felt-line", d: arc(20) }), svg("path", { class: "felt-line", d: arc(34) }));
    for (let seat = 1; seat <= seats; seat += 1) {
      const t = seats === 1 ? 0.5 : 0.08 + (0.84 * (seat - 1)) / (seats - 1);
      const x = 40 + (WIDE - 80) * t;
      const y = 120 + 600 * t * (1 - t);
      const size = Math.min(52, 380 / seats);
      board.append(
        svg("circle", { class: "felt-line", cx: x, cy: y, r: size }),
        svg("text", { class: "felt-number", x, y: y + 12, "text-anchor": "middle" }, String(seat)),
      );
    }
    return [board];
  });
}
