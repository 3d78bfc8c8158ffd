import { awsLabels, conditionOf, nodeClaims, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

const byHand: NodeClaim = {
  metadata: { name: 'by-hand' },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
    resources: { requests: { cpu: '1' } },
  },
};

test('a claim made by hand, and its node, get the label of their class', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  await world.apply(world.client.create(nodeClaims, byHand));
  await world.advance(120_000);
  const claim = (await world.claims()).find(({ metadata }) => metadata.name === 'by-hand');
  const node = (await world.nodes()).find(({ metadata }) => metadata.name === claim?.status?.nodeName);
  expect(claim?.metadata.labels?.[awsLabels.ec2NodeClass]).toBe('default');
  expect(node?.metadata.labels?.[awsLabels.ec2NodeClass]).toBe('default');
  await world.stop();
});

test('an initialized claim tells whether its node is what was launched', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  expect(claim === undefined ? undefined : conditionOf(claim, 'ConsistentStateFound')?.status).toBe('True');
  expect(await world.events('FailedConsistencyCheck')).toEqual([]);
  await world.stop();
});
