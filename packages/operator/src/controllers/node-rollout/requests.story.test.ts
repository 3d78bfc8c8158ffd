import { fromTimestamp, type NodeRollout } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { readRequests } from './requests.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const spec = {
  policy: 'p',
  number: 1,
  cause: 'NewRelease',
  from: [],
  to: [],
  kubernetesVersion: '1.29',
  members: 0,
} as const;

const annotated = (annotations: Readonly<Record<string, string>>, managedFields?: readonly object[]): NodeRollout => ({
  metadata: { name: 'p-1', annotations, ...(managedFields && { managedFields }) },
  spec,
});

const entry = (manager: string, time: string, annotation: string) => ({
  manager,
  operation: 'Update',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${annotation}`]: {} } } },
});

test('a request is its kind, its text, and who wrote it when; older ones come first', () => {
  const fields = [
    entry('kubectl-annotate', '2024-03-01T11:00:00Z', 'nodewright.dev/halt'),
    entry('ui', '2024-03-01T10:00:00Z', 'nodewright.dev/skip-soak'),
  ];
  const rollout = annotated(
    { 'nodewright.dev/halt': 'odd', 'nodewright.dev/skip-soak': 'canary=ok', other: 'x' },
    fields,
  );
  expect(readRequests(rollout, now)).toEqual([
    { rollout: 'p-1', kind: 'skip-soak', value: 'canary=ok', by: 'ui', at: fromTimestamp('2024-03-01T10:00:00Z') },
    { rollout: 'p-1', kind: 'halt', value: 'odd', by: 'kubectl-annotate', at: fromTimestamp('2024-03-01T11:00:00Z') },
  ]);
});

test('without managers a request counts as written when it is read', () => {
  expect(readRequests(annotated({ 'nodewright.dev/approve': 'all' }), now)).toEqual([
    { rollout: 'p-1', kind: 'approve', value: 'all', by: 'unknown', at: now },
  ]);
});
