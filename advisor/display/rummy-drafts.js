// Hands that are being entered, kept on the phone: corrections in local storage, pictures still to be sent in a database.

const DRAFTS = "tableside.rummy.drafts";
const BASE = "tableside-rummy";
const PICTURES = "pictures";

function all() {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS)) ?? {};
  } catch {
    return {};
  }
}

function keep(drafts) {
  try {
    localStorage.setItem(DRAFTS, JSON.stringify(drafts));
  } catch {
    // Nothing can be kept in private mode; the hand lives as long as the page.
  }
}

const place = (sheet, player, deal) => JSON.stringify([sheet, player, deal]);

export function draftOf(sheet, player, deal) {
  return all()[place(sheet, player, deal)] ?? null;
}

export function keepDraft(draft) {
  keep({ ...all(), [place(draft.sheet, draft.player, draft.deal)]: draft });
}

export async function dropDraft({ sheet, player, deal, picture }) {
  const drafts = all();
  delete drafts[place(sheet, player, deal)];
  keep(drafts);
  if (picture) await dropPicture(picture);
}

export const drafts = () => Object.values(all());

// Pictures

function base() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(BASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(PICTURES);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function within(mode, act) {
  try {
    const opened = await base();
    return await new Promise((resolve, reject) => {
      const change = opened.transaction(PICTURES, mode);
      const asked = act(change.objectStore(PICTURES));
      change.oncomplete = () => resolve(asked.result ?? null);
      change.onerror = change.onabort = () => reject(change.error);
    }).finally(() => opened.close());
  } catch {
    return null; // without a database a picture lives as long as the page
  }
}

export const keepPicture = (name, blob) => within("readwrite", (pictures) => pictures.put(blob, name));
export const pictureKept = (name) => within("readonly", (pictures) => pictures.get(name));
export const dropPicture = (name) => within("readwrite", (pictures) => pictures.delete(name));

// Before sending

const READABLE = ["image/jpeg", "image/png", "image/webp"];
// What iPhones save: only some browsers show it, but the server reads it. Not all systems know a type for it.
const HEIC_TYPE = /^image\/hei[cf]/;
const HEIC_NAME = /\.hei[cf]$/i;
const LARGE_BYTES = 9_000_000;
const LONGEST = 4096;
const QUALITY = 0.9;

/** The picture as it can be sent: as it is, or, where it is large or of a kind only this phone knows, made a JPEG.
 *  Null for what is no picture. */
export async function readable(file) {
  if (READABLE.includes(file.type) && file.size <= LARGE_BYTES) return file;
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    // The server can say more about what it is.
    const known = READABLE.includes(file.type) || HEIC_TYPE.test(file.type) || HEIC_NAME.test(file.name ?? "");
    return known ? file : null;
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const made = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  return made ?? file;
}
