import { fromTimestamp, type NodeRolloutPolicy } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { reportPolicy } from './policy-report.ts';

const at = '2026-06-01T00:00:00Z';
const condition = (type: string) =>
  ({ type, status: 'True', reason: 'Because', message: '', lastTransitionTime: at }) as const;

test('what a policy said of its nodes stays until they are looked at again', () => {
  const types = ['BackingOff', 'EvidencePublished', 'MaxAgeTooTight', 'WaitingUpstream'];
  const policy: NodeRolloutPolicy = {
    metadata: { name: 'production' },
    spec: { maxAge: { soft: '21d' } },
    status: { conditions: types.map(condition) },
  };
  const { conditions = [] } = reportPolicy({ policy, policies: [policy], objects: [], now: fromTimestamp(at) });
  expect(conditions.filter(({ reason }) => reason === 'Because')).toEqual(types.map(condition));
  expect(conditions.map(({ type }) => type)).toEqual(conditions.map(({ type }) => type).toSorted());
  expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True', reason: 'Governing' });
});
