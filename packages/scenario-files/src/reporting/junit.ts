import { titleOfResult, type ScenarioResult } from '../playing/scenario-result.ts';
import { formatPlace } from '../reading/source-text.ts';
import { describeFailure } from './print-result.ts';

/** The results as JUnit XML, which CI services read. Times are seconds of the cluster. */
export function printJunit(results: readonly ScenarioResult[]): string {
  const failures = results.filter(({ failure }) => failure !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="nodewright" tests="${results.length}" failures="${failures}">`,
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

function printSuite(file: string, results: readonly ScenarioResult[]): readonly string[] {
  const failures = results.filter(({ failure }) => failure !== undefined).length;
  return [
    `  <testsuite name="${escapeJunitText(file)}" tests="${results.length}" failures="${failures}">`,
    ...results.flatMap(printCase),
    '  </testsuite>',
  ];
}

function printCase(result: ScenarioResult): readonly string[] {
  const { file, seed, startedAt, endedAt, failure } = result;
  const name = `${titleOfResult(result)}, seed ${seed}`;
  const head = `    <testcase classname="${escapeJunitText(file)}" name="${escapeJunitText(name)}" time="${(endedAt - startedAt) / 1_000}"`;
  if (failure === undefined) return [`${head}/>`];
  return [
    `${head}>`,
    `      <failure message="${escapeJunitText(`${formatPlace(failure.place)}: ${failure.message}`)}">${escapeJunitText(describeFailure(failure))}</failure>`,
    '    </testcase>',
  ];
}

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
