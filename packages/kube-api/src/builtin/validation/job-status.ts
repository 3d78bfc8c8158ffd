import { type Cause, duplicateCause, invalidCause, requiredCause, unnamedInvalidCause } from '../../schema/cause.ts';
import { isEqualJson, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { jsonObjectsIn, jsonTextsIn, validateCounts } from './checks.ts';
import { commonIndex, indexRangeProblem } from './index-ranges.ts';

/** The parts of two jobs that rules of statuses are about. */
type Finished = {
  readonly status: JsonValue | undefined;
  readonly isTrue: (condition: string) => boolean;
  readonly isFinished: boolean;
};

function readFinished(job: JsonObject | undefined): Finished {
  const status = memberOf(job, 'status');
  const met = new Set(
    jsonObjectsIn(memberOf(status, 'conditions'))
      .filter((condition) => condition['status'] === 'True')
      .map((condition) => jsonTextAt(condition, 'type')),
  );
  return { status, isTrue: (condition) => met.has(condition), isFinished: met.has('Complete') || met.has('Failed') };
}

const statusField = 'status';
const statusCount = (status: JsonValue | undefined, key: string): number => Number(memberOf(status, key) ?? 0);

/** The problems of the status of a job: a rule about a member counts when the member changes. */
export function jobStatusCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const [now, before] = [readFinished(object), readFinished(old)];
  return [
    ...validateCounts(now.status, statusField, ['active', 'succeeded', 'failed', 'ready', 'terminating']),
    ...uncountedCauses(now.status),
    ...exclusiveConditionCauses(now, before),
    ...jobTimeCauses(object, now, before),
    ...finishedCauses(now, before),
    ...jobIndexCauses(object, now, before),
    ...jobHistoryCauses(object, now, before),
  ];
}

function uncountedCauses(status: JsonValue | undefined): Cause[] {
  const seen = new Set<string>();
  const pods = memberOf(status, 'uncountedTerminatedPods');
  return ['succeeded', 'failed'].flatMap((list) =>
    jsonTextsIn(memberOf(pods, list)).flatMap((uid, index) => {
      const at = `${statusField}.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') return [invalidCause(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicateCause(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

const isChanged =
  (now: Finished, before: Finished) =>
  (...keys: readonly string[]): boolean =>
    keys.some((key) => !isEqualJson(memberOf(now.status, key), memberOf(before.status, key)));

const isTurned =
  (now: Finished, before: Finished) =>
  (...conditions: readonly string[]): boolean =>
    conditions.some((condition) => now.isTrue(condition) !== before.isTrue(condition));

/** Conditions that exclude each other, or need another one; each with those whose change makes the rule count. */
function exclusiveConditionCauses(now: Finished, before: Finished): Cause[] {
  const turned = isTurned(now, before);
  const { isTrue } = now;
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [
      isTrue('Complete') && isTrue('Failed') && turned('Complete', 'Failed'),
      'cannot set Complete=True and Failed=true conditions',
    ],
    [
      isTrue('Complete') && isTrue('FailureTarget') && turned('Complete', 'FailureTarget'),
      'cannot set Complete=True and FailureTarget=true conditions',
    ],
    [
      isTrue('Failed') && !isTrue('FailureTarget') && (turned('Failed') || isChanged(now, before)('failedIndexes')),
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      isTrue('Complete') && !isTrue('SuccessCriteriaMet') && turned('Complete', 'SuccessCriteriaMet'),
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [isTrue('SuccessCriteriaMet') && isTrue('Failed'), 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    [
      isTrue('SuccessCriteriaMet') && isTrue('FailureTarget'),
      'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
  ];
  return rules
    .filter(([isBroken]) => isBroken)
    .map(([, problem]) => unnamedInvalidCause(`${statusField}.conditions`, problem));
}

const timeAt = (status: JsonValue | undefined, key: string): number => Date.parse(jsonTextAt(status, key));

function jobTimeCauses(object: JsonObject, now: Finished, before: Finished): Cause[] {
  const { status } = now;
  const changed = isChanged(now, before);
  const turned = isTurned(now, before);
  const completion = memberOf(status, 'completionTime');
  const at = `${statusField}.completionTime`;
  const isEmptyAndSuspended =
    memberOf(object['spec'], 'suspend') === true && memberOf(object['spec'], 'completions') === 0;
  return [
    ...(completion !== undefined && !now.isTrue('Complete') && (turned('Complete') || changed('completionTime'))
      ? [invalidCause(at, completion, 'cannot set completionTime when there is no Complete=True condition')]
      : []),
    ...(completion === undefined && now.isTrue('Complete') && (turned('Complete') || changed('completionTime'))
      ? [requiredCause(at, 'completionTime is required for Complete jobs')]
      : []),
    ...(completion !== undefined &&
    changed('startTime', 'completionTime') &&
    timeAt(status, 'completionTime') < timeAt(status, 'startTime')
      ? [invalidCause(at, completion, 'must be equal to or after `startTime`')]
      : []),
    ...(memberOf(status, 'startTime') === undefined &&
    now.isFinished &&
    (now.isFinished !== before.isFinished || changed('startTime')) &&
    !isEmptyAndSuspended
      ? [requiredCause(`${statusField}.startTime`, 'startTime is required for finished job')]
      : []),
  ];
}

/** A job that has ended has no pods left. */
function finishedCauses(now: Finished, before: Finished): Cause[] {
  const { status } = now;
  const changed = isChanged(now, before);
  const hasEnded = now.isFinished !== before.isFinished;
  const uncounted = memberOf(status, 'uncountedTerminatedPods');
  const left = ['succeeded', 'failed'].flatMap((list) => jsonTextsIn(memberOf(uncounted, list)));
  const refuse = (key: string, isPresent: boolean, problem: string): Cause[] =>
    now.isFinished && isPresent && (hasEnded || changed(key))
      ? [invalidCause(`${statusField}.${key}`, memberOf(status, key) ?? null, problem)]
      : [];
  return [
    ...refuse('active', statusCount(status, 'active') > 0, 'active>0 is invalid for finished job'),
    ...refuse('uncountedTerminatedPods', left.length > 0, 'must be empty for finished job'),
    ...refuse('terminating', statusCount(status, 'terminating') > 0, 'terminating>0 is invalid for finished job'),
    ...(memberOf(status, 'ready') !== undefined &&
    statusCount(status, 'ready') > statusCount(status, 'active') &&
    changed('ready', 'active')
      ? [invalidCause(`${statusField}.ready`, statusCount(status, 'ready'), 'cannot set more ready pods than active')]
      : []),
  ];
}

function jobIndexCauses(object: JsonObject, now: Finished, before: Finished): Cause[] {
  const { spec } = object;
  const completions = memberOf(spec, 'completions');
  const failed = memberOf(now.status, 'failedIndexes');
  const completed = jsonTextAt(now.status, 'completedIndexes');
  const hasLimit = memberOf(spec, 'backoffLimitPerIndex') !== undefined;
  const changed = isChanged(now, before);
  const refuse = (key: string, problem: string | undefined): Cause[] =>
    problem === undefined ? [] : [invalidCause(`${statusField}.${key}`, memberOf(now.status, key) ?? '', problem)];
  const parsing = (key: string, text: string): Cause[] => {
    const problem = typeof completions === 'number' ? indexRangeProblem(text, completions) : undefined;
    return refuse(key, problem === undefined ? undefined : `error parsing ${key}: ${problem}`);
  };
  const common =
    typeof failed === 'string' && typeof completions === 'number'
      ? commonIndex(completed, failed, completions)
      : undefined;
  return [
    ...(changed('completedIndexes') ? parsing('completedIndexes', completed) : []),
    ...(changed('failedIndexes') && hasLimit && typeof failed === 'string' ? parsing('failedIndexes', failed) : []),
    ...(changed('completedIndexes') && completed !== '' && memberOf(spec, 'completionMode') !== 'Indexed'
      ? refuse('completedIndexes', 'cannot set non-empty completedIndexes when non-indexed completion mode')
      : []),
    ...(changed('failedIndexes') && !hasLimit && failed !== undefined
      ? refuse('failedIndexes', 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')
      : []),
    ...(common !== undefined && changed('failedIndexes', 'completedIndexes')
      ? refuse('failedIndexes', `failedIndexes and completedIndexes overlap at index: ${common}`)
      : []),
  ];
}

/** What has happened to a job stays true. */
function jobHistoryCauses(object: JsonObject, now: Finished, before: Finished): Cause[] {
  const { spec } = object;
  const lost = (condition: string): boolean => before.isTrue(condition) && !now.isTrue(condition);
  const mayShrink =
    memberOf(spec, 'completionMode') === 'Indexed' &&
    isEqualJson(memberOf(spec, 'completions'), memberOf(spec, 'parallelism'));
  const decreased = (key: string): Cause[] =>
    statusCount(now.status, key) < statusCount(before.status, key)
      ? [invalidCause(`${statusField}.${key}`, statusCount(now.status, key), `cannot decrease the ${key} counter`)]
      : [];
  const isMoved = (key: string): boolean => memberOf(before.status, key) !== undefined && isChanged(now, before)(key);
  return [
    ...['Failed', 'Complete', 'FailureTarget']
      .filter(lost)
      .map((condition) =>
        unnamedInvalidCause(`${statusField}.conditions`, `cannot disable the terminal ${condition}=True condition`),
      ),
    ...decreased('failed'),
    ...(mayShrink ? [] : decreased('succeeded')),
    ...(isMoved('completionTime') && memberOf(now.status, 'completionTime') !== undefined
      ? [
          invalidCause(
            `${statusField}.completionTime`,
            memberOf(now.status, 'completionTime') ?? null,
            'field is immutable',
          ),
        ]
      : []),
    ...(isMoved('startTime') && memberOf(spec, 'suspend') !== true && !isJobResumed(now, before)
      ? [
          invalidCause(
            `${statusField}.startTime`,
            memberOf(now.status, 'startTime') ?? null,
            'field is immutable for unsuspended job once set',
          ),
        ]
      : []),
    ...(lost('SuccessCriteriaMet')
      ? [unnamedInvalidCause(`${statusField}.conditions`, 'cannot disable the SuccessCriteriaMet=True condition')]
      : []),
    ...(before.isTrue('Complete') && !before.isTrue('SuccessCriteriaMet') && now.isTrue('SuccessCriteriaMet')
      ? [
          unnamedInvalidCause(
            `${statusField}.conditions`,
            'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
          ),
        ]
      : []),
  ];
}

const isJobResumed = (now: Finished, before: Finished): boolean =>
  before.isTrue('Suspended') &&
  jsonObjectsIn(memberOf(now.status, 'conditions')).some(
    (condition) => condition['type'] === 'Suspended' && condition['status'] === 'False',
  );
