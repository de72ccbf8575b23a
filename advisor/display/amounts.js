// Amounts that people type, read as the server reads them (typed_amount), so that a doubtful one is told while it is typed.
import { strings } from "./strings.js";

const words = strings.amounts;
const TYPED = /^(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/;
const GROUPED = /^[1-9]\d{0,2}(,\d{3}){1,3}(\.\d{0,12})?$/;
const COMMA = /^\d{0,12},\d{1,2}$/;
const TWO_WAYS = /^([1-9]\d{0,2})\.(\d{3})$/;
const LONGEST_SHOWN = 24;

/** The most characters that a field for an amount takes. */
export const LONGEST = 24;

/** What a typed text means: {amount} as exact decimal text such as "1250.50", or {error} with a sentence. */
export function readAmount(text) {
  const tidy = text.trim();
  const shown = tidy.length <= LONGEST_SHOWN ? tidy : `${tidy.slice(0, LONGEST_SHOWN)}…`;
  const [, units, part] = TWO_WAYS.exec(tidy) ?? [];
  if (units) {
    const less = tidy.endsWith("0") ? tidy.replace(/0+$/, "").replace(/\.$/, "") : `${tidy}0`;
    return { error: words.twoWays(shown, units + part, less) };
  }
  if (GROUPED.test(tidy)) return { amount: plain(tidy.replaceAll(",", "")) };
  if (TYPED.test(tidy) || COMMA.test(tidy)) return { amount: plain(tidy.replace(",", ".")) };
  return { error: words.unread(shown) };
}

const plain = (text) => text.replace(/\.$/, "").replace(/^\./, "0.").replace(/^0+(?=\d)/, "");

/** An exact amount as a field shows it, which reads back as the same one: "12.125" is written "12.1250". */
export const writeAmount = (amount) => (TWO_WAYS.test(amount) ? `${amount}0` : amount);
