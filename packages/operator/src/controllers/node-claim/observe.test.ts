import {
  conditionTrue,
  conditionUnknown,
  instant,
  nodeClaimConditions,
  withCondition,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { FakeInstances } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { ImageDecisions } from '../../state/image-decisions.ts';
import { OverlaidTypes } from '../../state/overlaid-types.ts';
import { observeClaim } from './observe.ts';

const start = instant(Date.UTC(2024, 0, 28, 16));
const providerId = 'aws:///us-east-1a/i-1';

const aClaim: NodeClaim = {
  metadata: { name: 'a', uid: 'a', resourceVersion: '1' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { providerID: providerId },
};

const launched = [conditionTrue('Launched'), conditionUnknown('Registered', 'NodeNotFound', '')].reduce(
  (claim, condition) => withCondition(nodeClaimConditions, claim, condition, start),
  aClaim,
);

const anInstance: Instance = {
  id: 'i-1',
  providerId,
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  capacityType: 'on-demand',
  imageId: 'ami-1',
  privateDnsName: 'ip-1',
  state: 'running',
  launchedAt: start,
  tags: {},
  securityGroupIds: [],
  tenancy: 'default',
};

const aNode = (name: string): Node => ({
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: { providerID: providerId },
});

type Story = {
  readonly claim?: NodeClaim;
  /** What the watch has told of. */
  readonly heardOf?: readonly Node[];
  /** What the API server has. */
  readonly stored?: readonly Node[];
  readonly instance?: Instance;
  readonly minutes?: number;
};

async function observed({ claim = launched, heardOf = [], stored = [], instance, minutes = 1 }: Story) {
  const get = async (_: unknown, { name }: { readonly name: string }) =>
    stored.find(({ metadata }) => metadata.name === name);
  const objects = createObjects({ get } as unknown as KubernetesClient);
  objects.nodeClaims.cache.seen(claim);
  for (const node of heardOf) objects.nodes.cache.seen(node);
  const instances = new FakeInstances(() => start);
  if (instance !== undefined) instances.put(instance);
  const instanceTypes = { list: async () => [] };
  const sources = {
    objects,
    now: instant(start + minutes * 60_000),
    instances,
    instanceTypes,
    overlays: new OverlaidTypes(false),
    decisions: new ImageDecisions(),
  };
  const seen = await observeClaim(sources, 'a', new AbortController().signal);
  return { node: seen?.node?.metadata.name, strangers: seen?.strangers.map(({ metadata }) => metadata.name) };
}

const registeredAs = (nodeName: string): NodeClaim => ({ ...launched, status: { ...launched.status, nodeName } });

describe('the node of a claim', () => {
  for (const { fact, story, node, strangers = [] } of [
    { fact: 'has the name of its instance', story: { heardOf: [aNode('ip-1')], instance: anInstance }, node: 'ip-1' },
    {
      fact: 'has the name of its instance, whoever came first',
      story: { heardOf: [aNode('forged'), aNode('ip-1')], instance: anInstance },
      node: 'ip-1',
      strangers: ['forged'],
    },
    {
      fact: 'is not known while EC2 does not describe the instance',
      story: { heardOf: [aNode('ip-1')] },
      strangers: ['ip-1'],
    },
    {
      fact: 'is the one that it was registered with, without asking EC2',
      story: { claim: registeredAs('ip-1'), heardOf: [aNode('forged'), aNode('ip-1')] },
      node: 'ip-1',
    },
    {
      fact: 'is the one of its instance when it tells of another that is not there',
      story: { claim: registeredAs('gone'), heardOf: [aNode('ip-1')], instance: anInstance },
      node: 'ip-1',
    },
    { fact: 'is waited for when the watch has none', story: { stored: [aNode('ip-1')], instance: anInstance } },
    {
      fact: 'is looked up in the API server before the claim is given up',
      story: { stored: [aNode('ip-1')], instance: anInstance, minutes: 15 },
      node: 'ip-1',
    },
  ] satisfies readonly { fact: string; story: Story; node?: string; strangers?: string[] }[]) {
    test(fact, async () => {
      expect(await observed(story)).toEqual({ node, strangers });
    });
  }
});
