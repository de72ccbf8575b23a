import { drawing } from "./handbook-drawings.js";
import { handbook } from "./strings-handbook.js";

const find = (id) => document.querySelector(`[data-testid=${id}]`);

function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function section({ title, drawing: name, steps }) {
  const node = element("section", "topic");
  node.append(element("h2", "topic-title", title));
  const picture = drawing(name, handbook.drawing(title));
  if (picture) node.append(picture);
  const list = element("ol", "steps");
  list.append(...steps.map((step) => element("li", "step", step)));
  node.append(list);
  return node;
}

function chosen() {
  const wanted = decodeURIComponent(window.location.hash.slice(1));
  return handbook.chapters.find(({ id }) => id === wanted) ?? handbook.chapters[0];
}

function show() {
  const chapter = chosen();
  document.title = `${handbook.title}: ${chapter.title}`;
  const page = find("page");
  page.replaceChildren(element("h1", "chapter-title", chapter.title), element("p", "chapter-intro", chapter.intro), ...chapter.sections.map(section));
  for (const link of find("chapters").children) {
    if (link.hash === `#${chapter.id}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

find("home").textContent = handbook.name;
find("chapters").setAttribute("aria-label", handbook.title);
find("chapters").append(
  ...handbook.chapters.map(({ id, title }) => {
    const link = element("a", "chapter", title);
    link.href = `#${id}`;
    return link;
  }),
);
window.addEventListener("hashchange", () => {
  show();
  window.scrollTo(0, 0);
  find("page").focus({ preventScroll: true });
});
show();
