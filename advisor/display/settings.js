// What this device was told to show and say, kept on it.

const KEY = "tableside.display";
const USUAL = { voice: false, picture: true, figures: true, count: true };

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(found).filter(([name, value]) => name in USUAL && typeof value === typeof USUAL[name]);
    return Object.fromEntries(known);
  } catch {
    return {}; // nothing kept, or a browser that keeps nothing
  }
}

export const settings = { ...USUAL, ...kept() };

/** Change one and keep it; listeners of the window's "settings" event hear of it. */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing: the setting holds until the page is closed.
  }
  window.dispatchEvent(new CustomEvent("settings", { detail: name }));
}
