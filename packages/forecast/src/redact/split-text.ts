/** A piece of a text; separators stay as they are. */
export type TextPart = {
  readonly kind: 'instant' | 'uuid' | 'awsId' | 'address' | 'word' | 'separator';
  readonly text: string;
};

const kindsInOrder = ['instant', 'uuid', 'awsId', 'address', 'word', 'separator'] as const;

const prefixesOfIds = 'ami|cr|eipalloc|eni|fleet|i|igw|lt|nat|pg|r|rtb|sg|sir|snap|subnet|vol|vpc|vpce';
const hex = '[0-9a-f]';
const patterns: Readonly<Record<TextPart['kind'], string>> = {
  instant: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z(?![\p{L}\p{N}])`,
  uuid: `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}(?![\\p{L}\\p{N}])`,
  awsId: `(?:${prefixesOfIds})-(?:${hex}{17}|${hex}{8})(?![-\\p{L}\\p{N}])`,
  address: String.raw`\d{1,3}(?<dot>[.-])\d{1,3}\k<dot>\d{1,3}\k<dot>\d{1,3}(?![\p{L}\p{N}])`,
  word: String.raw`[\p{L}\p{N}]+`,
  separator: String.raw`[^\p{L}\p{N}]+`,
};

const anyPart = new RegExp(kindsInOrder.map((kind) => `(?<${kind}>${patterns[kind]})`).join('|'), 'gu');

/** Instants, UUIDs, ids of AWS and addresses as wholes, then words of letters and digits. */
export function splitText(text: string): readonly TextPart[] {
  return [...text.matchAll(anyPart)].flatMap(({ 0: part, groups }) => {
    const kind = kindsInOrder.find((each) => groups?.[each] !== undefined);
    return kind === undefined ? [] : [{ kind, text: part }];
  });
}

export const wordsOfText = (text: string): readonly string[] =>
  splitText(text).flatMap((part) => (part.kind === 'word' ? [part.text] : []));
