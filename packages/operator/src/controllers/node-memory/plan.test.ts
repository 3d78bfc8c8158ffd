import { kubernetesLabels, type Node, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { memorySeenOn } from './plan.ts';

const aNodeWith = (memory?: string): Node => ({
  metadata: { name: 'ip-a', labels: { [kubernetesLabels.instanceType]: 'forged.large' } },
  status: { capacity: memory === undefined ? { cpu: '2' } : { cpu: '2', memory } },
});

const aClaimOf = (instanceType?: string, imageID?: string): NodeClaim => ({
  metadata: {
    name: 'default-a',
    labels: instanceType === undefined ? {} : { [kubernetesLabels.instanceType]: instanceType },
  },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: imageID === undefined ? {} : { imageID },
});

test('the memory is that of the node, type and image are those of the claim', () => {
  expect(memorySeenOn(aNodeWith('8Gi'), aClaimOf('m5.large', 'ami-1'))).toEqual({
    instanceType: 'm5.large',
    imageId: 'ami-1',
    bytes: 8 * 2 ** 30,
  });
});

test.each([
  ['a node without memory', aNodeWith(), aClaimOf('m5.large', 'ami-1')],
  ['a node with none', aNodeWith('0'), aClaimOf('m5.large', 'ami-1')],
  ['a claim without a type', aNodeWith('8Gi'), aClaimOf(undefined, 'ami-1')],
  ['a claim without an image', aNodeWith('8Gi'), aClaimOf('m5.large')],
])('%s tells nothing', (_, node, claim) => {
  expect(memorySeenOn(node, claim)).toBeUndefined();
});
