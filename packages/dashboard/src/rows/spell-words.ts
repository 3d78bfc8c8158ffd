/** A name such as `rollingOut` or `NewRelease` in words: `rolling out`, `new release`. */
export const spellWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trimStart();

/** What a cause is called: `protected pod`, `budget`. */
export const nameCause = (cause: string): string =>
  cause === 'doNotDisruptNode' ? 'annotation do-not-disrupt' : spellWords(cause);
