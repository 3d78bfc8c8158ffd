import type { NodePool } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { ignorePoolStatus } from './ignore-pool-status.ts';

const spec: NodePool['spec'] = {
  template: {
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  },
};
const first: NodePool = { metadata: { name: 'default', resourceVersion: '1' }, spec, status: { nodes: 1 } };

test('a pool whose nodes were counted anew is the pool that it was', () => {
  const known = ignorePoolStatus(first);
  const counted = { ...first, metadata: { ...first.metadata, resourceVersion: '2' }, status: { nodes: 2 } };
  expect(ignorePoolStatus(counted)).toBe(known);
});

test('another spec and other metadata make another pool', () => {
  ignorePoolStatus(first);
  const heavier = { ...first, spec: { ...spec, weight: 2 } };
  expect(ignorePoolStatus(heavier)).toBe(heavier);
  const labelled = { ...first, metadata: { ...first.metadata, labels: { team: 'a' } } };
  expect(ignorePoolStatus(labelled)).toBe(labelled);
});
