export type SentencePart = { readonly text: string; readonly isTime: boolean; readonly at: number };

const timestamp = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The times in a sentence and what stands between them, in order; `at` is where a part begins. */
export function splitTimes(text: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let end = 0;
  for (const { 0: time, index } of text.matchAll(timestamp)) {
    parts.push({ text: text.slice(end, index), isTime: false, at: end }, { text: time, isTime: true, at: index });
    end = index + time.length;
  }
  return [...parts, { text: text.slice(end), isTime: false, at: end }];
}
