import { validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, notSupportedCause, requiredCause, tooLongCause } from '../../schema/cause.ts';
import {
  isEqualJson,
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  memberOf,
  valueAtPath,
} from '../../schema/json.ts';
import { validateChoice, validateCounts, validateImmutable, validateNotNegative } from './checks.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { failurePolicyCauses, successPolicyCauses } from './job-policies.ts';
import { hasNoTerms, labelSelectorCauses, selectsLabels } from './label-selector.ts';
import { podTemplateCauses } from './pod-template.ts';
import type { ValidatedWorkload } from './workloads.ts';

/** The problems of a Job. Its pods must terminate, and its template is immutable. */
export function jobCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...generatedSelectorCauses(object, old),
    ...jobSpecCauses(spec, 'spec'),
    ...jobSelectorCauses(spec),
    ...(old === undefined ? [] : jobUpdateCauses(memberOf(old, 'spec'), spec)),
  ];
}

const jobCounts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

function jobSpecCauses(spec: JsonValue | undefined, field: string): Cause[] {
  return [
    ...validateCounts(spec, field, jobCounts),
    ...validateChoice(`${field}.completionMode`, memberOf(spec, 'completionMode'), ['NonIndexed', 'Indexed']),
    ...(memberOf(spec, 'completionMode') === 'Indexed' && memberOf(spec, 'completions') === undefined
      ? [requiredCause(`${field}.completions`, 'when completion mode is Indexed')]
      : []),
    ...indexedJobCauses(spec, field),
    ...failurePolicyCauses(spec, field),
    ...successPolicyCauses(spec, field),
    ...validateChoice(
      `${field}.podReplacementPolicy`,
      memberOf(spec, 'podReplacementPolicy'),
      memberOf(spec, 'podFailurePolicy') === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
    ),
    ...podTemplateCauses(memberOf(spec, 'template'), `${field}.template`),
    ...jobManagerCauses(memberOf(spec, 'managedBy'), `${field}.managedBy`),
    ...(memberOf(spec, 'maxFailedIndexes') !== undefined && memberOf(spec, 'backoffLimitPerIndex') === undefined
      ? [requiredCause(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(memberOf(spec, 'podFailurePolicy') !== undefined &&
    jsonTextAt(spec, 'template', 'spec', 'restartPolicy') === 'OnFailure'
      ? [
          invalidCause(
            `${field}.template.spec.restartPolicy`,
            jsonTextAt(spec, 'template', 'spec', 'restartPolicy'),
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
    ...restartCauses(jsonTextAt(spec, 'template', 'spec', 'restartPolicy'), `${field}.template.spec.restartPolicy`),
  ];
}

const mostParallelPods = 100_000;
const manyCompletions = 100_000;
const mostOfMany = 10_000;

/** What an indexed job alone may have, and how much of it. */
function indexedJobCauses(spec: JsonValue | undefined, field: string): Cause[] {
  const given = (key: string): number | undefined => {
    const value = memberOf(spec, key);
    return typeof value === 'number' ? value : undefined;
  };
  const refuse = (key: string, isRefused: boolean | undefined, problem: string): Cause[] =>
    isRefused === true ? [invalidCause(`${field}.${key}`, given(key) ?? null, problem)] : [];
  const isGiven = (key: string): boolean => given(key) !== undefined;
  if (memberOf(spec, 'completionMode') !== 'Indexed')
    return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((key) =>
      refuse(
        key,
        isGiven(key) && ['NonIndexed', undefined].includes(memberOf(spec, 'completionMode') as string | undefined),
        'requires indexed completion mode',
      ),
    );
  const [parallelism = 0, completions = Infinity, failed = 0] = [
    given('parallelism'),
    given('completions'),
    given('maxFailedIndexes'),
  ];
  const isMany = isGiven('completions') && completions > manyCompletions && isGiven('backoffLimitPerIndex');
  const ofMany = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  return [
    ...refuse(
      'parallelism',
      parallelism > mostParallelPods,
      `must be less than or equal to ${mostParallelPods} when completion mode is Indexed`,
    ),
    ...refuse('maxFailedIndexes', failed > completions, 'must be less than or equal to completions'),
    ...refuse('maxFailedIndexes', failed > mostParallelPods, `must be less than or equal to ${mostParallelPods}`),
    ...(isMany && !isGiven('maxFailedIndexes')
      ? [requiredCause(`${field}.maxFailedIndexes`, `must be specified when completions is above ${manyCompletions}`)]
      : []),
    ...refuse(
      'parallelism',
      isMany && parallelism > mostOfMany,
      `must be less than or equal to ${mostOfMany} ${ofMany}`,
    ),
    ...refuse(
      'maxFailedIndexes',
      isMany && failed > mostOfMany,
      `must be less than or equal to ${mostOfMany} ${ofMany}`,
    ),
  ];
}

const longestManagerName = 63;

function jobManagerCauses(manager: JsonValue | undefined, field: string): Cause[] {
  if (typeof manager !== 'string') return [];
  const tooLong = manager.length > longestManagerName ? [tooLongCause(field, longestManagerName)] : [];
  return [...managerNameCauses(manager, field), ...tooLong];
}

function managerNameCauses(manager: string, field: string): Cause[] {
  if (manager === '') return [requiredCause(field)];
  const [domain = '', ...path] = manager.split('/');
  return domain === '' || path.join('/') === ''
    ? [invalidCause(field, manager, 'must be a domain-prefixed path (such as "acme.io/foo")')]
    : validateSubdomain(domain).map((problem) => invalidCause(field, domain, problem));
}

function restartCauses(policy: string, field: string): Cause[] {
  if (policy === 'OnFailure' || policy === 'Never') return [];
  return policy === '' || policy === 'Always'
    ? [requiredCause(field, 'valid values: "OnFailure", "Never"')]
    : [notSupportedCause(field, policy, ['OnFailure', 'Never'])];
}

/** The labels that the server gives to the pods of a job, and what they say. */
const generatedLabels = (object: JsonObject): readonly (readonly [key: string, value: string])[] => {
  const [uid, name] = [jsonTextAt(object, 'metadata', 'uid'), jsonTextAt(object, 'metadata', 'name')];
  return [
    ['controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/controller-uid', uid],
    ['batch.kubernetes.io/job-name', name],
  ];
};

/** What the server generated stays: its labels, and a selector that selects them. */
function generatedSelectorCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const { spec } = object;
  const selector = memberOf(spec, 'selector');
  if (memberOf(spec, 'manualSelector') === true || !isObject(selector)) return [];
  const before = valueAtPath(old ?? object, 'spec', 'template', 'metadata', 'labels');
  const labels = valueAtPath(spec, 'template', 'metadata', 'labels');
  const expected = generatedLabels(object).filter(([key]) => !key.includes('/') || memberOf(before, key) !== undefined);
  const field = 'spec.template.metadata.labels';
  return [
    ...expected.flatMap(([key, value]) => {
      const found = memberOf(labels, key);
      if (found === value) return [];
      const must = `must be '${value}'`;
      return [
        found === undefined
          ? requiredCause(`${field}[${key}]`, must)
          : invalidCause(`${field}[${key}]`, labels ?? null, must),
      ];
    }),
    ...(hasNoTerms(selector) ||
    labelSelectorCauses(selector, 'spec.selector').length > 0 ||
    selectsLabels(selector, Object.fromEntries(expected))
      ? []
      : [invalidCause('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

/** The server generates the selector of a job, unless its user takes care of it. */
function jobSelectorCauses(spec: JsonValue | undefined): Cause[] {
  const selector = memberOf(spec, 'selector');
  const labels = valueAtPath(spec, 'template', 'metadata', 'labels');
  const isMatch = isObject(selector) && (hasNoTerms(selector) || selectsLabels(selector, labels ?? {}));
  const problems = labelSelectorCauses(selector, 'spec.selector');
  return [
    ...(isObject(selector) ? problems : [requiredCause('spec.selector')]),
    ...(isMatch || problems.length > 0
      ? []
      : [invalidCause('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`')]),
  ];
}

function jobUpdateCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  const fixed = [
    'selector',
    'template',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ];
  return [
    ...completionCauses(before, after),
    ...fixed
      .filter((key) => key !== 'template' || memberOf(after, 'suspend') !== true || !isSuspended(before))
      .flatMap((key) => validateImmutable(`spec.${key}`, memberOf(before, key), memberOf(after, key))),
  ];
}

/** Scheduling directives of a suspended job may change, and with them its template. */
const isSuspended = (spec: JsonValue | undefined): boolean => memberOf(spec, 'suspend') === true;

/** An indexed job may grow or shrink: its completions change together with its parallelism. */
function completionCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  const [was, is] = [memberOf(before, 'completions'), memberOf(after, 'completions')];
  if (isEqualJson(was, is)) return [];
  if (memberOf(after, 'completionMode') !== 'Indexed' || was === undefined || is === undefined)
    return validateImmutable('spec.completions', was, is);
  return memberOf(after, 'parallelism') === is
    ? []
    : [invalidCause('spec.completions', is, 'can only be modified in tandem with spec.parallelism')];
}

const longestCronJobName = 52;

/** The problems of a CronJob. */
export function cronJobCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const name = jsonTextAt(object, 'metadata', 'name');
  return [
    ...scheduleCauses(spec, memberOf(memberOf(old, 'spec'), 'schedule')),
    ...validateNotNegative('spec.startingDeadlineSeconds', memberOf(spec, 'startingDeadlineSeconds')),
    ...zoneCauses(memberOf(spec, 'timeZone')),
    ...validateChoice('spec.concurrencyPolicy', memberOf(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']),
    ...jobTemplateCauses(valueAtPath(spec, 'jobTemplate', 'spec')),
    ...validateCounts(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
    ...(old === undefined && name.length > longestCronJobName
      ? [invalidCause('metadata.name', name, `must be no more than ${longestCronJobName} characters`)]
      : []),
  ];
}

function scheduleCauses(spec: JsonValue | undefined, before: JsonValue | undefined): Cause[] {
  const schedule = jsonTextAt(spec, 'schedule');
  if (schedule === '') return [requiredCause('spec.schedule')];
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) return [invalidCause('spec.schedule', schedule, problem)];
  return schedule.includes('TZ') && schedule !== before
    ? [invalidCause('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
    : [];
}

function zoneCauses(zone: JsonValue | undefined): Cause[] {
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalidCause('spec.timeZone', '', 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    return [
      invalidCause(
        'spec.timeZone',
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ];
  return isTimeZone(zone) ? [] : [invalidCause('spec.timeZone', zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const jobTemplateCauses = (spec: JsonValue | undefined): Cause[] => [
  ...jobSpecCauses(spec, 'spec.jobTemplate.spec'),
  ...(memberOf(spec, 'selector') === undefined
    ? []
    : [
        invalidCause(
          'spec.jobTemplate.spec.selector',
          memberOf(spec, 'selector') ?? null,
          '`selector` will be auto-generated',
        ),
      ]),
  ...(memberOf(spec, 'manualSelector') === true
    ? [notSupportedCause('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'])]
    : []),
];
