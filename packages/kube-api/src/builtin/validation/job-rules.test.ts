import { expect, test } from 'vitest';
import { printCause } from '../../schema/cause.ts';
import type { JsonObject } from '../../schema/json.ts';
import { failurePolicyCauses, successPolicyCauses } from './job-policies.ts';
import { jobStatusCauses } from './job-status.ts';

const podOfJob = { spec: { containers: [{ name: 'c' }] } };
const causesOfFailureRules = (...rules: JsonObject[]) =>
  failurePolicyCauses({ podOfJob, podFailurePolicy: { rules } }, 'spec').map(printCause);
const exitCodes = { onExitCodes: { operator: 'In', values: [1] } };

test.each([
  { rule: { action: 'FailJob', ...exitCodes }, causes: [] },
  {
    rule: { action: '', ...exitCodes },
    causes: ['action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'],
  },
  {
    rule: { action: 'FailIndex', ...exitCodes },
    causes: ['action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'],
  },
  {
    rule: { action: 'Stop', ...exitCodes },
    causes: ['action: Unsupported value: "Stop": supported values: "Count", "FailIndex", "FailJob", "Ignore"'],
  },
  {
    rule: { action: 'Count', onExitCodes: { operator: 'In', values: [2, 0, 2], containerName: 'x' } },
    causes: [
      'onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
      'onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
      'onExitCodes.values[2]: Duplicate value: 2',
      'onExitCodes.values: Invalid value: [2,0,2]: must be ordered',
    ],
  },
  {
    rule: { action: 'Count', onPodConditions: [{ type: 'a b', status: 'Perhaps' }] },
    causes: [
      'onPodConditions[0].type: Invalid value: "a b"',
      'onPodConditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
    ],
  },
])('a rule of a failure policy: $rule', ({ rule, causes }) => {
  expect(causesOfFailureRules(rule as JsonObject).map((text) => text.replace(/(a b"): .*/, '$1'))).toEqual(
    causes.map((cause) => `spec.podFailurePolicy.rules[0].${cause}`),
  );
});

test('a rule of a failure policy looks either at exitCodes or at conditions', () => {
  expect(causesOfFailureRules({ action: 'Count' })).toEqual([
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
  ]);
});

const succeeding = (rules: JsonObject[], completionMode = 'Indexed') =>
  successPolicyCauses({ completionMode, completions: 4, successPolicy: { rules } }, 'spec').map(printCause);

test.each([
  { rules: [{ succeededIndexes: '0,2-3', succeededCount: 3 }], causes: [] },
  {
    rules: [],
    causes: [': Required value: at least one rules must be specified when the successPolicy is specified'],
  },
  {
    rules: [{}],
    causes: ['[0]: Required value: at least one of succeededCount or succeededIndexes must be specified'],
  },
  {
    rules: [{ succeededIndexes: '1-4' }],
    causes: ['[0].succeededIndexes: Invalid value: "1-4": error parsing succeededIndexes: too large index: "4"'],
  },
  {
    rules: [{ succeededIndexes: '0', succeededCount: 5 }],
    causes: [
      '[0].succeededCount: Invalid value: 5: must be less than or equal to 4 (the number of specified completions)',
      '[0].succeededCount: Invalid value: 5: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)',
    ],
  },
])('rules of a success policy: $rules', ({ rules, causes }) => {
  expect(succeeding(rules as JsonObject[])).toEqual(causes.map((cause) => `spec.successPolicy.rules${cause}`));
});

test('a success policy is for indexed jobs', () => {
  expect(succeeding([], 'NonIndexed')).toEqual([
    'spec.successPolicy: Invalid value: {"rules":[]}: requires indexed completion mode',
  ]);
});

const metConditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
const changed = (spec: JsonObject, before: JsonObject, after: JsonObject) =>
  jobStatusCauses({ spec, status: after }, { spec, status: before }).map(printCause);
const jobStart = '2026-01-02T00:00:00Z';

test.each([
  { spec: {}, before: {}, after: { active: 1, ready: 1, startTime: jobStart }, causes: [] },
  {
    spec: {},
    before: {},
    after: { conditions: metConditions('Complete') },
    causes: [
      'conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'completionTime: Required value: completionTime is required for Complete jobs',
      'startTime: Required value: startTime is required for finished job',
    ],
  },
  {
    spec: {},
    before: { failed: 2, startTime: jobStart },
    after: { failed: 1, startTime: '2026-01-03T00:00:00Z' },
    causes: [
      'failed: Invalid value: 1: cannot decrease the failed counter',
      'startTime: Invalid value: "2026-01-03T00:00:00Z": field is immutable for unsuspended job once set',
    ],
  },
  {
    spec: { completions: 3 },
    before: {},
    after: {
      completedIndexes: '0-1',
      failedIndexes: '1',
      uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] },
    },
    causes: [
      'uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      'completedIndexes: Invalid value: "0-1": cannot set non-empty completedIndexes when non-indexed completion mode',
      'failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      'failedIndexes: Invalid value: "1": failedIndexes and completedIndexes overlap at index: 1',
    ],
  },
  {
    spec: {},
    before: { conditions: metConditions('Failed', 'FailureTarget'), startTime: jobStart },
    after: { startTime: jobStart },
    causes: [
      'conditions: Invalid value: cannot disable the terminal Failed=True condition',
      'conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
    ],
  },
])('the status of a job from $before to $after', ({ spec, before, after, causes }) => {
  expect(changed(spec as JsonObject, before as JsonObject, after as JsonObject)).toEqual(
    causes.map((cause) => `status.${cause}`),
  );
});
