import { byNumberOf } from '@nodewright/apis';

/** The known key that a mistyped one was probably meant to be: the same but for punctuation and case, else at most two letters off. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const others = known.filter((each) => each !== key).toSorted();
  const letters = lettersOf(key);
  return (
    others.find((each) => lettersOf(each) === letters) ??
    others
      // Each letter more or less is a slip of its own: most keys need no closer look.
      .filter((each) => Math.abs(each.length - key.length) <= mostSlips)
      .map((each) => ({ each, slips: slipsBetween(each, key) }))
      .filter(({ slips }) => slips <= mostSlips)
      .toSorted(byNumberOf(({ slips }) => slips))[0]?.each
  );
}

const mostSlips = 2;

const lettersOf = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** How many letters have to be put in, taken out or changed; Levenshtein's distance. */
function slipsBetween(a: string, b: string): number {
  let row = ['', ...b.split('')].map((_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries()) {
      const change = slipsAt(row, j) + (letter === other ? 0 : 1);
      next.push(Math.min(change, slipsAt(row, j + 1) + 1, slipsAt(next, j) + 1));
    }
    row = next;
  }
  return slipsAt(row, b.length);
}

const slipsAt = (row: readonly number[], index: number): number => row[index] ?? 0;
