/** A name such as `rollingOut` or `NewRelease` in words: `rolling out`, `new release`. */
export const spellWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trimStart();

/** Kinds of blockers whose names say little, or more than is known. */
const causeNames: ReadonlyMap<string, string> = new Map([
  ['doNotDisruptNode', 'annotation do-not-disrupt'],
  ['nodePoolNotFound', 'no launches'],
]);

/** What a cause is called: `protected pod`, `budget`. */
export const nameCause = (cause: string): string => causeNames.get(cause) ?? spellWords(cause);
