import type { Node, NodeClaim, ResourceList } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { listShapeProblems } from './node-shape.ts';

const claim: NodeClaim = {
  metadata: { name: 'default-abcde' },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
    resources: { requests: { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': '0' } },
  },
  status: { capacity: { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '1', pods: '110' } },
};
const node = (capacity: ResourceList): Node => ({ metadata: { name: 'a' }, status: { capacity } });

for (const { fact, capacity, complaints } of [
  { fact: 'with what its type promises is fine', capacity: { cpu: '4', memory: '16Gi' }, complaints: [] },
  { fact: 'may lack a tenth', capacity: { cpu: '3600m', memory: '14.4Gi' }, complaints: [] },
  {
    fact: 'with clearly less memory is told of',
    capacity: { cpu: '4', memory: '14Gi' },
    complaints: ['expected 16Gi of resource memory, but found 14Gi (87.5% of expected)'],
  },
  {
    fact: 'without a resource is told of',
    capacity: { memory: '16Gi' },
    complaints: ['expected 4 of resource cpu, but found 0 (0.0% of expected)'],
  },
]) {
  test(`a node ${fact}`, () => expect(listShapeProblems(claim, node(capacity))).toEqual(complaints));
}
