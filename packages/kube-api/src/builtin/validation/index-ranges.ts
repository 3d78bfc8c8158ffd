type IndexRange = readonly [from: number, to: number];

const isWholeText = (text: string): boolean => /^[+-]?\d+$/.test(text);

/** The ranges of a text such as `0,2-4` that has no problem. */
export const readIndexRanges = (text: string): readonly IndexRange[] =>
  text === ''
    ? []
    : text.split(',').map((part) => {
        const [from = 0, to = from] = part.split('-').map(Number);
        return [from, to];
      });

/** What is wrong with a text of indexes of a job: increasing ranges below the number of its completions. */
export function indexRangeProblem(text: string, completions: number): string | undefined {
  let last = -1;
  for (const part of text === '' ? [] : text.split(',')) {
    const problem = oneRangeProblem(part, completions);
    if (problem !== undefined) return problem;
    const [[from, to] = [0, 0]] = readIndexRanges(part);
    if (last >= from) return `non-increasing order, previous: ${last}, current: ${from}`;
    last = to;
  }
  return undefined;
}

function oneRangeProblem(part: string, completions: number): string | undefined {
  const ends = part.split('-');
  if (ends.length > 2)
    return `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const end of ends) {
    if (!isWholeText(end)) return `cannot convert string to integer for index: ${JSON.stringify(end)}`;
    if (Number(end) >= completions) return `too large index: ${JSON.stringify(end)}`;
  }
  const [from, to] = ends.map(Number);
  return from !== undefined && to !== undefined && from >= to
    ? `non-increasing order, previous: ${from}, current: ${to}`
    : undefined;
}

/** The first index that two texts of indexes have in common. Parts that are none are passed over. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [ranges, others] = [one, other].map((text) =>
    text === ''
      ? []
      : text
          .split(',')
          .filter((part) => oneRangeProblem(part, completions) === undefined)
          .flatMap((part) => readIndexRanges(part)),
  );
  for (const [from, to] of ranges ?? [])
    for (const [otherFrom, otherTo] of others ?? [])
      if (from <= otherTo && otherFrom <= to) return Math.max(from, otherFrom);
  return undefined;
}
