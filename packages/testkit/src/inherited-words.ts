/** The words under which every plain object of JavaScript has members that it inherits. */
export const inheritedWords: readonly string[] = Object.getOwnPropertyNames(Object.prototype).toSorted();

/** A word of the same form that means nothing to JavaScript: a label key where the other is one. */
const plainWordLike = (word: string): string => (word.startsWith('__') ? '__plain__' : 'plainWord');

/**
 * What a decision answers for a word that objects inherit, and what for a plain word of the same form. The words
 * themselves are taken out, so that both answers are equal when the decision treats them alike.
 */
export async function decideForBothWords(
  word: string,
  decide: (word: string) => unknown,
): Promise<{ readonly inherited: string; readonly plain: string }> {
  const plain = plainWordLike(word);
  return { inherited: withoutWord(await decide(word), word), plain: withoutWord(await decide(plain), plain) };
}

const withoutWord = (answer: unknown, word: string): string =>
  (JSON.stringify(answer, undefined, 1) ?? 'undefined')
    .replaceAll(word, '<word>')
    // Messages may count on lower-case names.
    .replaceAll(word.toLowerCase(), '<word>');
