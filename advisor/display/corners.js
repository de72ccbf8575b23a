// The felt's corners, or other places of it that a layout names, dragged on the picture or moved by keys.
import { ask, enable, teller, tellTrouble } from "./actions.js";
import { openSheet } from "./dialogs.js";
import { capital, element, flag, part, svg } from "./dom.js";
import { strings } from "./strings.js";

const words = strings.corners;
const REACH = 28;
const BESIDE = 17;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const USUAL = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];

const inset = (width, height) => USUAL.map(([x, y]) => [x * width, y * height]);

export async function openCorners(state) {
  const picture = state.picture;
  const sheet = openSheet("corners", words.title, (body) => {
    body.append(element("p", "hint", picture ? words.hint : words.noPicture));
  });
  if (!picture) return;
  const known = await ask("/api/corners");
  if (!sheet.open) return;
  if (!known.ok) {
    tellTrouble(known.error ?? words.failed, sheet);
    return;
  }
  const { width, height } = picture;
  sheet.style.setProperty("--ratio", String(width / height));
  const corners = (known.data?.corners ?? inset(width, height)).map(([x, y]) => [Math.round(x), Math.round(y)]);
  const names = known.data?.names?.length === corners.length ? known.data.names : words.usualNames;
  const list = legend(names);
  const row = buttons(corners, () => sheet.close());
  // Where nothing is known the marks lie anywhere: kept as they are, they would put every card in a wrong place.
  row.untouched(!known.data?.corners);
  const { frame, fit } = editor(picture, corners, names, {
    onMove: () => row.untouched(false),
    onFocus: (index, on) => flag(list.children[index], "active", on),
  });
  const work = element("div", "corner-work");
  work.append(frame, list);
  sheet.querySelector(".sheet-body").append(work, row.node);
  // At once, so that the marks can be hit from the first moment on: an observer speaks a frame later.
  fit(frame.clientWidth);
  sheet.querySelector(".corner").focus();
}

/** Which mark goes where: on a half-round felt two of the places are no corners, and the picture does not tell. */
function legend(names) {
  const list = part("ol", "corner-legend");
  for (const [index, name] of names.entries()) {
    const entry = element("li", "corner-place");
    entry.append(element("span", "corner-figure figure", String(index + 1)), element("span", "", capital(name)));
    list.append(entry);
  }
  return list;
}

function editor({ url, width, height }, corners, names, { onMove, onFocus }) {
  const frame = element("div", "frame corner-frame");
  frame.style.setProperty("aspect-ratio", `${width} / ${height}`);
  const photo = element("img", "photo");
  photo.src = url;
  photo.alt = strings.pictureHeading;
  const board = svg("svg", { class: "overlay corner-board", viewBox: `0 0 ${width} ${height}` });
  const area = svg("polygon", { class: "corner-area" });
  let scale = 1;
  const badges = corners.map((_, index) => {
    const badge = svg("g", { class: "corner-badge", "aria-hidden": "true" });
    badge.append(svg("circle", { r: 10 }), svg("text", { y: 5 }, String(index + 1)));
    return badge;
  });
  const handles = corners.map((_, index) => {
    const handle = svg("g", { class: "corner", tabindex: 0, role: "slider", "data-testid": "corner" });
    handle.append(
      svg("circle", { class: "corner-reach", r: REACH }),
      svg("circle", { class: "corner-ring", r: REACH / 2 }),
      svg("path", { class: "corner-cross", d: `M${-REACH / 2} 0H${REACH / 2}M0 ${-REACH / 2}V${REACH / 2}` }),
      badges[index],
    );
    handle.addEventListener("focus", () => onFocus(index, true));
    handle.addEventListener("blur", () => onFocus(index, false));
    return handle;
  });
  const show = () => {
    area.setAttribute("points", corners.map(([x, y]) => `${x},${y}`).join(" "));
    handles.forEach((handle, index) => {
      const [x, y] = corners[index];
      handle.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      // The figure stands towards the picture's middle, where it is never cut off.
      const beside = [x > width / 2 ? -BESIDE : BESIDE, y > height / 2 ? -BESIDE : BESIDE];
      badges[index].setAttribute("transform", `translate(${beside.join(" ")})`);
      handle.setAttribute("aria-label", names[index]);
      handle.setAttribute("aria-valuetext", words.at(names[index], x, y));
      handle.setAttribute("aria-valuenow", String(x));
      handle.setAttribute("aria-valuemin", "0");
      handle.setAttribute("aria-valuemax", String(width));
    });
  };
  const put = (index, x, y) => {
    const [left, top] = corners[index];
    corners[index] = [Math.round(Math.min(Math.max(x, 0), width)), Math.round(Math.min(Math.max(y, 0), height))];
    if (corners[index][0] !== left || corners[index][1] !== top) onMove();
    show();
  };
  handles.forEach((handle, index) => {
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = board.getBoundingClientRect();
      put(index, ((event.clientX - box.x) / box.width) * width, ((event.clientY - box.y) / box.height) * height);
    });
    handle.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      put(index, corners[index][0] + step[0] * far, corners[index][1] + step[1] * far);
    });
  });
  // A mark keeps its size on the screen, whatever the picture's own resolution is.
  const fit = (shown) => {
    scale = width / Math.max(1, shown);
    show();
  };
  new ResizeObserver(([{ contentRect }]) => fit(contentRect.width)).observe(frame);
  show();
  board.append(area, ...handles);
  frame.append(photo, board);
  return { frame, fit };
}

function buttons(corners, close) {
  const row = element("div", "button-row");
  const send = async (value, what, control) => {
    control.setAttribute("aria-busy", "true");
    const answer = await ask("/api/corners", { corners: value }, what);
    control.removeAttribute("aria-busy");
    if (answer.ok) close();
    else tellTrouble(answer.error, control);
  };
  const save = teller("main-button", words.save, () => send(corners, words.save, save));
  save.dataset.testid = "save-corners";
  const forget = teller("plain-button", words.forget, () => send(null, words.forget, forget));
  forget.dataset.testid = "forget-corners";
  const first = part("p", "corner-first", "hint");
  first.id = "corner-first";
  save.setAttribute("aria-describedby", first.id);
  row.append(save, forget, first);
  const untouched = (on) => {
    enable(save, !on);
    first.textContent = on ? words.dragFirst : "";
  };
  return { node: row, untouched };
}
