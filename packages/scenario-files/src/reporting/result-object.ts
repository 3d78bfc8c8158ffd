import { toTimestamp } from '@nodewright/apis';
import type { PlayVerdict, ScenarioResult } from '../playing/scenario-result.ts';
import { commandToRepeat } from './print-result.ts';

/** The results for programs: kind ScenarioReport. */
export function reportObject(results: readonly ScenarioResult[], command: string) {
  return {
    kind: 'ScenarioReport',
    ...countResultWords(results),
    plays: results.map((result) => resultObject(result, command)),
  };
}

/** How a play ended, in the words of the report. Incidents of the library have three words more than other scenarios. */
type ResultWord = 'passed' | 'failed' | PlayVerdict['kind'];

function countResultWords(results: readonly ScenarioResult[]): Readonly<Partial<Record<ResultWord, number>>> {
  const counts: Partial<Record<ResultWord, number>> = { passed: 0, failed: 0 };
  for (const word of results.map(resultWordOf)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const resultWordOf = ({ failure, verdict }: ScenarioResult): ResultWord =>
  verdict?.kind ?? (failure === undefined ? 'passed' : 'failed');

function resultObject(result: ScenarioResult, command: string) {
  const { name, case: played, file, seed, startedAt, endedAt, failure, verdict, remarks } = result;
  return {
    scenario: name,
    ...(played !== '' && { case: played }),
    file,
    seed,
    result: resultWordOf(result),
    ...(verdict !== undefined && verdict.kind !== 'badEnd' && { because: verdict.because }),
    startedAt: toTimestamp(startedAt),
    endedAt: toTimestamp(endedAt),
    clusterSeconds: (endedAt - startedAt) / 1_000,
    remarks,
    ...(failure && {
      failure: {
        kind: failure.kind,
        file: failure.place.file,
        line: failure.place.line,
        column: failure.place.column,
        text: failure.text,
        message: failure.message,
        ...(failure.because !== undefined && { because: failure.because }),
        at: toTimestamp(failure.at),
        values: failure.values,
        before: failure.before.map(({ at, ...happening }) => ({ at: toTimestamp(at), ...happening })),
        runAgain: commandToRepeat(result, command),
      },
    }),
  };
}
