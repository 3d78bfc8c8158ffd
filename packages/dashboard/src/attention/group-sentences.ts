/** Sentences that differ in names, numbers and times alone. */
export type SentenceGroup = {
  /** The sentence, with `…` in the place of what differs; the sentence itself where there is only one. */
  readonly pattern: string;
  /** Each once. */
  readonly sentences: readonly string[];
};

const gap = '…';

/** Words with a digit or a slash name objects, numbers or times. */
const isName = (word: string): boolean => /[\d/]/.test(word);

/** In the order in which the first sentence of each group comes. */
export function groupSentences(sentences: readonly string[]): readonly SentenceGroup[] {
  const groups = new Map<string, Set<string>>();
  for (const sentence of sentences) {
    const kind = omitNames(sentence);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, new Set([sentence]));
    else group.add(sentence);
  }
  return [...groups.values()].map((group) => ({ pattern: findPattern([...group]), sentences: [...group] }));
}

/** The same for all sentences that differ in names, numbers and times alone. */
export const omitNames = (sentence: string): string =>
  splitWords(sentence)
    .map((word) => (isName(word) ? gap : word))
    .join(' ');

const splitWords = (sentence: string): readonly string[] => sentence.split(' ');

/** Signs behind a word are no part of what differs. */
const signsAfter = (word: string): string => /[,.:;)]*$/.exec(word)?.[0] ?? '';

function findPattern(sentences: readonly string[]): string {
  const [first = [], ...others] = sentences.map(splitWords);
  return first
    .map((word, index) => (others.every((words) => words[index] === word) ? word : `${gap}${signsAfter(word)}`))
    .join(' ');
}
