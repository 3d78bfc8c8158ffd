import type { PreparedScenario } from '../manifests/prepare-scenario.ts';
import type { PlayVerdict, ScenarioFailure, ScenarioResult } from '../playing/scenario-result.ts';

/**
 * Says what a play of an incident with a team's manifests means: a bad end that did not come is no failure, and neither is an
 * incident that could not begin, as their pools give the pods of the library no nodes.
 */
export function judgeIncident(
  result: ScenarioResult,
  { steps }: PreparedScenario,
  end: 'bad' | 'guarded',
): ScenarioResult {
  const { failure, ...rest } = result;
  if (failure !== undefined && isOfBeginning(failure, steps[0]))
    return { ...rest, verdict: { kind: 'notPlayed', because: explainBeginning(failure) } };
  if (failure?.kind === 'step')
    return { ...rest, verdict: { kind: 'notPlayed', because: `${failure.text}: ${failure.message}` } };
  return end === 'guarded' ? result : { ...rest, verdict: judgeBadEnd(failure) };
}

const isOfBeginning = ({ kind, place }: ScenarioFailure, first: PreparedScenario['steps'][0] | undefined): boolean =>
  kind === 'waitUntil' && first?.do === 'waitUntil' && first.condition.place.line === place.line;

/** The last word of the scheduler says more than the condition. */
function explainBeginning({ before, text, message }: ScenarioFailure): string {
  const refused = before.findLast(({ what }) => what === 'FailedScheduling');
  return `its pods find no nodes: ${refused?.text ?? `${text} ${message}`}`;
}

const judgeBadEnd = (failure: ScenarioFailure | undefined): PlayVerdict =>
  failure === undefined
    ? { kind: 'badEnd' }
    : { kind: 'noBadEnd', because: `${failure.text} ${failure.message}${describeFirstValue(failure)}` };

const describeFirstValue = ({ values }: ScenarioFailure): string => {
  const [first] = values;
  return first === undefined ? '' : ` (${first.text} is ${first.value})`;
};
