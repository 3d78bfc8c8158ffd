import { days, formatDuration, type Instant, toTimestamp } from '@nodewright/apis';
import { formatPlace } from '../reading/source-text.ts';
import {
  type PlayVerdict,
  type ScenarioFailure,
  type ScenarioResult,
  titleOfResult,
} from '../playing/scenario-result.ts';

/** One line for each play, and for each failure everything that explains it. */
export function printResults(results: readonly ScenarioResult[], command: string): string {
  const failed = results.filter(({ failure }) => failure !== undefined);
  const remarks = [...new Set(results.flatMap((result) => result.remarks))];
  return [
    ...remarks.map((remark) => `note: ${remark}`),
    ...results.map(printPlay),
    ...groupByTitle(failed).flatMap((group) => ['', ...printFailures(group, command)]),
    '',
    ...printTotals(results),
  ].join('\n');
}

/** How many plays passed, and what was found out about a team's manifests. */
function printTotals(results: readonly ScenarioResult[]): readonly string[] {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const judged = (kind: PlayVerdict['kind']): number => results.filter(({ verdict }) => verdict?.kind === kind).length;
  const plain = results.filter(({ verdict }) => verdict === undefined).length;
  const lines = [`${count(plain - failed, 'play')} passed, ${failed} failed`];
  const [hits, spared, left] = [judged('badEnd'), judged('noBadEnd'), judged('notPlayed')];
  if (hits + spared > 0)
    lines.push(`as your manifests are, ${count(hits, 'incident')} came to the bad end, ${spared} did not`);
  if (left > 0) lines.push(`${count(left, 'play')} left out`);
  return lines;
}

/** The failures of each scenario and case, for all seeds. */
function groupByTitle(failed: readonly ScenarioResult[]): readonly (readonly ScenarioResult[])[] {
  const groups = new Map<string, ScenarioResult[]>();
  for (const result of failed) {
    const key = `${result.file} ${titleOfResult(result)}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()];
}

/** The first failure in full; those of further seeds in a line. */
function printFailures([first, ...others]: readonly ScenarioResult[], command: string): readonly string[] {
  if (first === undefined) return [];
  const seeds = others.map(({ seed }) => seed).join(', ');
  return [
    ...printFailure(first, command),
    ...(others.length === 0 ? [] : [`  it fails with other seeds, too: ${seeds}`]),
  ];
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

function printPlay(result: ScenarioResult): string {
  const { verdict, seed, startedAt, endedAt } = result;
  const head = `${markOfPlay(result)}  ${titleOfResult(result)}`;
  if (verdict?.kind === 'notPlayed') return `${head}: ${verdict.because}`;
  const played = `${head}  seed ${seed}, ${printSpan(endedAt - startedAt)} of cluster time`;
  return verdict?.kind === 'noBadEnd' ? `${played}\n      ${verdict.because}` : played;
}

const verdictMarks: Readonly<Record<PlayVerdict['kind'], string>> = {
  badEnd: 'HIT ',
  noBadEnd: 'SAFE',
  notPlayed: 'SKIP',
};

const markOfPlay = ({ failure, verdict }: ScenarioResult): string => {
  if (verdict !== undefined) return verdictMarks[verdict.kind];
  return failure === undefined ? 'PASS' : 'FAIL';
};

function printFailure(result: ScenarioResult, command: string): readonly string[] {
  const { failure, startedAt } = result;
  if (failure === undefined) return [];
  const { place, kind, text, message, because, at, values, before } = failure;
  return [
    `FAIL  ${titleOfResult(result)}`,
    `  ${formatPlace(place)}  ${kind}: ${text}`,
    `  ${message}${because === undefined ? '' : ` (${because})`}`,
    `  at ${toTimestamp(at)}, ${printSpan(at - startedAt)} after the start`,
    ...section(
      'values',
      values.map((part) => `${part.text} is ${part.value}`),
    ),
    ...section(
      'what happened before',
      before.map(({ at: when, by, what, text: about }) => `${clockTime(when)}  ${by.padEnd(10)}  ${what}  ${about}`),
    ),
    `  run it again: ${commandToRepeat(result, command)}`,
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)];

const clockTime = (at: Instant): string => toTimestamp(at).slice(11, 19);

/** The command that plays one scenario again as it was. */
export const commandToRepeat = (result: ScenarioResult, command: string): string =>
  `${result.repeat ?? `${command} ${quoteWord(result.file)}`} --filter ${quoteWord(titleOfResult(result))} --seed ${result.seed}`;

export const quoteWord = (text: string): string =>
  /^[\w./@:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** `2d3h`, `15m30s`. */
export function printSpan(ms: number): string {
  const wholeMs = Math.round(ms / 1_000) * 1_000;
  const count = Math.floor(wholeMs / days(1));
  const rest = wholeMs % days(1);
  const text = formatDuration(rest)
    .replace(/(?<=[hm])0s$/, '')
    .replace(/(?<=h)0m$/, '');
  if (count === 0) return text;
  return rest === 0 ? `${count}d` : `${count}d${text}`;
}

/** The failure in one text, for reports of other tools. */
export const describeFailure = ({ kind, text, message, values }: ScenarioFailure): string =>
  [`${kind}: ${text}: ${message}`, ...values.map((part) => `${part.text} is ${part.value}`)].join('\n');
