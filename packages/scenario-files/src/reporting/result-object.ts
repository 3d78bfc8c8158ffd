import { toTimestamp } from '@nodewright/apis';
import type { ScenarioResult } from '../playing/scenario-result.ts';
import { commandToRepeat } from './print-result.ts';

/** The results for programs: kind ScenarioReport. */
export function reportObject(results: readonly ScenarioResult[], command: string) {
  return {
    kind: 'ScenarioReport',
    passed: results.filter(({ failure }) => failure === undefined).length,
    failed: results.filter(({ failure }) => failure !== undefined).length,
    plays: results.map((result) => resultObject(result, command)),
  };
}

function resultObject(result: ScenarioResult, command: string) {
  const { name, case: played, file, seed, startedAt, endedAt, failure, remarks } = result;
  return {
    scenario: name,
    ...(played !== '' && { case: played }),
    file,
    seed,
    result: failure === undefined ? 'passed' : 'failed',
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
