// Scoreboards: each mark in its cell as the server placed it.
import { element, keyed, part, redraw, svg, write } from "./dom.js";

const CELL = 22;
const KINDS = ["banker", "player", "tie"];

const letter = (kind) => kind.charAt(0).toUpperCase();
const tone = (kind) => (KINDS.includes(kind) ? kind : "other");

/** A mark of a road is a ring that other marks are drawn on; one of a plate is a full bead with its letter. */
function mark(cell, ring) {
  const x = cell.column * CELL + CELL / 2;
  const y = cell.row * CELL + CELL / 2;
  const group = svg("g", { class: `mark kind-${tone(cell.kind)} ${ring ? "ring" : "bead"}`, "data-kind": cell.kind });
  group.append(svg("title", {}, cell.words), svg("circle", { cx: x, cy: y, r: ring ? CELL * 0.36 : CELL * 0.43 }));
  if (!ring) group.append(svg("text", { x, y: y + 4, "text-anchor": "middle" }, letter(cell.kind)));
  const ties = Math.max(0, ...(cell.marks ?? []).map((name) => Number(/^ties-(\d+)$/.exec(name)?.[1] ?? 0)));
  if (ties > 0) group.append(svg("path", { class: "mark-tie", d: `M${x - 7} ${y + 7}L${x + 7} ${y - 7}` }));
  if (ties > 1) group.append(svg("text", { class: "mark-count", x, y: y + 4, "text-anchor": "middle" }, String(ties)));
  for (const name of cell.marks ?? []) {
    const [kind, what] = name.split("-");
    if (what !== "pair") continue;
    const side = kind === "banker" ? -1 : 1;
    const at = { cx: x + side * 7.4, cy: y + side * 7.4, r: 3 };
    group.append(svg("circle", { class: `mark-pair kind-${tone(kind)}`, ...at }));
  }
  return group;
}

function draw(grid) {
  const { columns } = grid;
  const width = columns * CELL;
  const height = grid.rows * CELL;
  let lines = "";
  for (let column = 0; column <= columns; column += 1) lines += `M${column * CELL} 0V${height}`;
  for (let row = 0; row <= grid.rows; row += 1) lines += `M0 ${row * CELL}H${width}`;
  const board = svg("svg", {
    class: "grid-board", viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width + 2, height: height + 2, role: "img",
    "aria-label": `${grid.words}: ${grid.cells.map(({ words }) => words).join(", ")}`,
  });
  const ring = grid.name.includes("road");
  board.append(svg("path", { class: "grid-lines", d: lines }), ...grid.cells.map((cell) => mark(cell, ring)));
  return board;
}

/** As the board grows to the right, its newest column stays in view. */
function newestInView(scroll, { columns, cells }) {
  const last = Math.max(0, ...cells.map(({ column }) => column));
  scroll.scrollLeft = ((last + 2) / columns) * scroll.scrollWidth - scroll.clientWidth;
}

export function showGrids(node, grids) {
  node.hidden = grids.length === 0;
  keyed(node, grids, ({ name }) => name, (grid) => {
    const figure = part("figure", "grid");
    figure.dataset.name = grid.name;
    const scroll = element("div", "grid-scroll");
    scroll.tabIndex = 0;
    figure.append(element("figcaption", "label"), scroll);
    return figure;
  }, (figure, grid) => {
    const [caption, scroll] = figure.children;
    write(caption, grid.words);
    scroll.setAttribute("aria-label", grid.words);
    scroll.setAttribute("role", "region");
    if (redraw(scroll, grid, () => [draw(grid)])) newestInView(scroll, grid);
  });
}
