/**
 * Whole numbers of 64 bits that a double does not hold.
 *
 * Everything reads and compares the nearest double. The texts stand beside the object, by the double, and are written in the
 * place of the double when the object is written.
 *
 * Guarantees: an object without such a number costs nothing. A copy by `{ ...object }` keeps its texts.
 *
 * Assumptions: of two numbers of one object that have the same nearest double, the one written last stands for both.
 */
export type ExactNumbers = ReadonlyMap<number, string>;

const exactNumbers = Symbol('exact numbers');

/** The texts that belong to an object; undefined where there are none. */
export const exactNumbersOf = (object: object): ExactNumbers | undefined =>
  (object as { readonly [exactNumbers]?: ExactNumbers })[exactNumbers];

/** The object with texts for those of its numbers that have one. Later sources win. Without any it is the same object. */
export function withExactNumbers<T extends object>(object: T, ...sources: readonly (ExactNumbers | undefined)[]): T {
  const known = new Map(sources.flatMap((source) => [...(source ?? [])]));
  if (known.size === 0) return object;
  const held = new Set<unknown>();
  collectNumbers(object, held);
  const kept = new Map([...known].filter(([number]) => held.has(number)));
  return { ...object, [exactNumbers]: kept.size === 0 ? undefined : kept };
}

function collectNumbers(value: unknown, found: Set<unknown>): void {
  if (typeof value === 'number') found.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values<unknown>(value as Readonly<Record<string, unknown>>))
      collectNumbers(inner, found);
}

/** Whether two objects with the same doubles stand for the same numbers. */
export function haveSameNumbers(a: object, b: object): boolean {
  const [left, right] = [a, b].map(exactNumbersOf);
  if (left === undefined && right === undefined) return true;
  return left?.size === right?.size && [...(left ?? [])].every(([number, text]) => right?.get(number) === text);
}

const leastLength = 16;
const [leastInt64, mostInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The double in the place of numbers whose nearest double is beyond 64 bits. */
const mostHeld = 9_223_372_036_854_774_784;

/** The texts of the numbers in a JSON or YAML document that a double may not hold. A number in a quoted text does no harm. */
export function exactNumbersIn(document: Uint8Array): ExactNumbers | undefined {
  if (!hasLongNumber(document)) return undefined;
  const found = new Map<number, string>();
  for (const [text] of decodedText(document).matchAll(/(?<![\w.])-?[1-9]\d{15,18}(?![\w.])/g)) {
    const exact = BigInt(text);
    const held = heldNumber(exact);
    if (exact >= leastInt64 && exact <= mostInt64 && !Number.isSafeInteger(held)) found.set(held, text);
  }
  return found;
}

const decodedText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const heldNumber = (exact: bigint): number => (exact > mostHeld ? mostHeld : Number(exact));

/** Of so many digits in a row, one stands at a place that this many bytes divide. So few bytes are looked at. */
function hasLongNumber(bytes: Uint8Array): boolean {
  for (let at = leastLength - 1; at < bytes.length; at += leastLength) {
    if (!isDigitByte(bytes[at])) continue;
    let [start, end] = [at, at + 1];
    while (isDigitByte(bytes[start - 1])) start -= 1;
    while (isDigitByte(bytes[end])) end += 1;
    if (end - start >= leastLength) return true;
  }
  return false;
}

const isDigitByte = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

const longNumberToken = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** `JSON.parse`, in which no whole number of 64 bits becomes one that has too many. */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(
    text.includes('922337203685477')
      ? text.replaceAll(longNumberToken, (token) =>
          token.startsWith('"') || BigInt(token) <= BigInt(mostHeld) || BigInt(token) > mostInt64
            ? token
            : String(mostHeld),
        )
      : text,
  );

/** JSON in which each number stands as it was written. */
export const restoreNumbers = (json: string, exact: ExactNumbers): string =>
  json.replaceAll(longNumberToken, (token) => (token.startsWith('"') ? token : (exact.get(Number(token)) ?? token)));

/** YAML in which each number stands as it was written. A text that looks like a number has quotes there. */
export const restoreYamlNumbers = (yaml: string, exact: ExactNumbers): string =>
  yaml.replaceAll(/(?<=^\s*(?:[^\s"'#][^"'\n]*: |(?:- )+))-?\d{16,}$/gm, (token) => exact.get(Number(token)) ?? token);
