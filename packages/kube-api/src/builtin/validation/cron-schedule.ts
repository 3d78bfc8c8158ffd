/** The range of a field of a cron schedule, with the names of its values. */
type FieldRange = { readonly least: number; readonly most: number; readonly names: readonly string[] };

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fieldRanges: readonly FieldRange[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: monthNames },
  { least: 0, most: 6, names: dayNames },
];

const scheduleDescriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** Why a text is no cron schedule of five fields, in the words of the parser that Kubernetes uses. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:CRON_)?TZ=\S*\s*/, '');
  if (text.startsWith('@')) return descriptorProblem(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldRanges.length)
    return `expected exactly ${fieldRanges.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  return firstProblem(fieldRanges.map((range, index) => () => fieldProblem(fields[index] ?? '', range)));
}

function descriptorProblem(text: string): string | undefined {
  if (scheduleDescriptors.has(text)) return undefined;
  const every = /^@every (.*)$/.exec(text)?.[1];
  if (every === undefined) return `unrecognized descriptor: ${text}`;
  return /^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$|^0$/.test(every)
    ? undefined
    : `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(every)}`;
}

function firstProblem(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const fieldProblem = (field: string, range: FieldRange): string | undefined =>
  firstProblem(
    field
      .split(',')
      .filter((part) => part !== '')
      .map((part) => () => partProblem(part, range)),
  );

function partProblem(part: string, range: FieldRange): string | undefined {
  const [span = '', step, ...moreSteps] = part.split('/');
  const [first = '', last, ...moreEnds] = span.split('-');
  const isStar = first === '*' || first === '?';
  if (!isStar && moreEnds.length > 0) return `too many hyphens: ${part}`;
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  const texts = [...(isStar ? [] : [first]), ...(isStar || last === undefined ? [] : [last])];
  return (
    firstProblem(texts.map((text) => () => numberProblem(text, range.names))) ??
    (step === undefined ? undefined : numberProblem(step, [])) ??
    rangeProblem({ part, range, span: isStar ? undefined : [first, last], step })
  );
}

function numberProblem(text: string, names: readonly string[]): string | undefined {
  if (names.includes(text.toLowerCase())) return undefined;
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : undefined;
}

type Part = {
  readonly part: string;
  readonly range: FieldRange;
  /** The first and the last value; undefined for all values. */
  readonly span: readonly [string, string | undefined] | undefined;
  readonly step: string | undefined;
};

function rangeProblem({ part, range, span, step }: Part): string | undefined {
  const { least, most } = range;
  const start = span === undefined ? least : valueOf(span[0], range);
  const end = endOf({ start, range, span, step });
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${part}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return step !== undefined && Number(step) === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** `5/10` means from 5 to the end, in steps of 10. */
function endOf({ start, range, span, step }: Omit<Part, 'part'> & { readonly start: number }): number {
  if (span === undefined) return range.most;
  if (span[1] !== undefined) return valueOf(span[1], range);
  return step === undefined ? start : range.most;
}

/** Months are counted from 1, days of the week from 0. */
function valueOf(text: string, { names, least }: FieldRange): number {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? Number(text) : index + least;
}
