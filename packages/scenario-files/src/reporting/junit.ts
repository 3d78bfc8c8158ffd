import { type PlayVerdict, titleOfResult, type ScenarioResult } from '../playing/scenario-result.ts';
import { formatPlace } from '../reading/source-text.ts';
import { describeFailure } from './print-result.ts';

/** The results as JUnit XML, which CI services read. Times are seconds of the cluster. */
export function printJunit(results: readonly ScenarioResult[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="nodewright" ${junitCountsOf(results)}>`,
    ...[...new Set(results.map(({ file }) => file))].flatMap((file) =>
      printSuite(
        file,
        results.filter((result) => result.file === file),
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function junitCountsOf(results: readonly ScenarioResult[]): string {
  const failures = results.filter(({ failure }) => failure !== undefined).length;
  const skipped = results.filter(({ verdict }) => verdict?.kind === 'notPlayed').length;
  return `tests="${results.length}" failures="${failures}"${skipped === 0 ? '' : ` skipped="${skipped}"`}`;
}

function printSuite(file: string, results: readonly ScenarioResult[]): readonly string[] {
  return [
    `  <testsuite name="${escapeJunitText(file)}" ${junitCountsOf(results)}>`,
    ...results.flatMap(printCase),
    '  </testsuite>',
  ];
}

function printCase(result: ScenarioResult): readonly string[] {
  const { file, seed, startedAt, endedAt, failure, verdict } = result;
  const name = `${titleOfResult(result)}, seed ${seed}`;
  const head = `    <testcase classname="${escapeJunitText(file)}" name="${escapeJunitText(name)}" time="${(endedAt - startedAt) / 1_000}"`;
  if (verdict?.kind === 'notPlayed')
    return [`${head}>`, `      <skipped message="${escapeJunitText(verdict.because)}"/>`, '    </testcase>'];
  if (verdict !== undefined)
    return [
      `${head}>`,
      `      <system-out>${escapeJunitText(junitVerdictText(verdict))}</system-out>`,
      '    </testcase>',
    ];
  if (failure === undefined) return [`${head}/>`];
  return [
    `${head}>`,
    `      <failure message="${escapeJunitText(`${formatPlace(failure.place)}: ${failure.message}`)}">${escapeJunitText(describeFailure(failure))}</failure>`,
    '    </testcase>',
  ];
}

const junitVerdictText = (verdict: PlayVerdict): string =>
  verdict.kind === 'badEnd' ? 'the bad end came' : `the bad end did not come: ${verdict.because}`;

const xmlEntities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** XML has no place for control characters. */
const escapeJunitText = (text: string): string =>
  text
    .replaceAll(/[&<>"]/g, (letter) => xmlEntities.get(letter) ?? letter)
    .replaceAll(/\p{Cc}/gu, (letter) => (letter === '\n' || letter === '\t' ? letter : ' '));
