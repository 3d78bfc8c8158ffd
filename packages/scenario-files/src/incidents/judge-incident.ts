import type { PreparedScenario } from '../manifests/prepare-scenario.ts';
import type { PlayVerdict, ScenarioFailure, ScenarioResult } from '../playing/scenario-result.ts';

/** The end without a guard, the one with the guard of the library, or the one with policies of the team. */
export type IncidentEnd = 'bad' | 'guarded' | 'ownPolicies';

/**
 * Says what a play of an incident with a team's manifests means: a bad end that did not come is no failure, and neither is an
 * incident that could not begin, as their pools give the pods of the library no nodes.
 */
export function judgeIncident(result: ScenarioResult, { steps }: PreparedScenario, end: IncidentEnd): ScenarioResult {
  const { failure, ...rest } = result;
  if (failure !== undefined && isOfBeginning(failure, steps[0]))
    return { ...rest, verdict: { kind: 'notPlayed', because: explainBeginning(failure) } };
  if (failure?.kind === 'step')
    return { ...rest, verdict: { kind: 'notPlayed', because: `${failure.text}: ${failure.message}` } };
  if (end === 'bad') return { ...rest, verdict: judgeBadEnd(failure) };
  if (end === 'ownPolicies' && failure !== undefined && isSlow(failure))
    return {
      ...rest,
      verdict: { kind: 'notPlayed', because: `your policies let it go no further: ${briefly(failure)}` },
    };
  return result;
}

/** A policy may wait for a person, for longer than an incident is played. That nodes are not replaced yet is no failure. */
const isSlow = ({ kind, text }: ScenarioFailure): boolean =>
  kind === 'waitUntil' && /\.release\b|labels\.round\b/.test(text);

const briefly = ({ text, message }: ScenarioFailure): string => `${text} ${message}`;

const isOfBeginning = ({ kind, place }: ScenarioFailure, first: PreparedScenario['steps'][0] | undefined): boolean =>
  kind === 'waitUntil' && first?.do === 'waitUntil' && first.condition.place.line === place.line;

/** The last word of the scheduler says more than the condition. */
function explainBeginning(failure: ScenarioFailure): string {
  const refused = failure.before.findLast(({ what }) => what === 'FailedScheduling');
  return `its pods find no nodes: ${refused?.text ?? briefly(failure)}`;
}

const judgeBadEnd = (failure: ScenarioFailure | undefined): PlayVerdict =>
  failure === undefined
    ? { kind: 'badEnd' }
    : { kind: 'noBadEnd', because: `${briefly(failure)}${describeFirstValue(failure)}` };

const describeFirstValue = ({ values }: ScenarioFailure): string => {
  const [first] = values;
  return first === undefined ? '' : ` (${first.text} is ${first.value})`;
};
