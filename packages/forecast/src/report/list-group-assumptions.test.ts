import type { KubernetesObject, Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { listGroupAssumptions } from './list-group-assumptions.ts';

const mark = { key: 'eks.amazonaws.com/nodegroup', value: 'workers', effect: 'NoSchedule' };
const nodeOf = (id: string, spec: object): KubernetesObject =>
  Object.assign({ metadata: { name: `node-${id}` } }, { spec: { providerID: `aws:///a/${id}`, ...spec } });
const podOn = (id: string, metadata: object = {}) =>
  ({ metadata: { name: `pod-${id}`, namespace: 'default', ...metadata }, spec: { nodeName: `node-${id}` } }) as Pod;

const leaving = podOn('i-2', { deletionTimestamp: '2025-03-03T06:00:00Z' });
const others = [podOn('i-1'), podOn('i-3'), podOn('i-9')];

const snapshot = {
  kubernetes: {
    nodes: [
      nodeOf('i-1', { taints: [mark] }),
      nodeOf('i-2', { taints: [mark] }),
      nodeOf('i-3', { taints: [mark], unschedulable: true }),
      nodeOf('i-4', {}),
      nodeOf('i-9', {}),
    ],
    pods: [leaving, ...others],
  },
  aws: {
    nodeGroups: ['workers'],
    managedGroups: [{ name: 'workers', scalingGroup: 'eks-workers', update: { id: 'u', params: {} } }],
    scalingGroups: [{ name: 'eks-workers', instances: ['i-1', 'i-2', 'i-3', 'i-4'].map((id) => ({ id })) }],
  },
} as unknown as Snapshot;

test('an update that is under way is named, with its nodes and pods', () => {
  const [, underWay] = listGroupAssumptions(snapshot, others);
  expect(underWay).toEqual({
    says:
      'the update of node group workers that is under way goes on from what is seen of it: 3 nodes are set apart, 2 of them ' +
      'drain; since when is not known, so the minute and the 15 minutes that EKS gives a drain begin anew',
    pods: 2,
  });
});

test('a managed group without a NodeGroup stays as it is', () => {
  const [kept] = listGroupAssumptions(snapshot, others);
  expect(kept).toEqual({
    says: 'managed node groups without a NodeGroup (workers) stay on their release unless --update-group names them',
    pods: 2,
  });
});
