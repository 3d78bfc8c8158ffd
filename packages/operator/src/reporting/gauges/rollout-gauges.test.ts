import {
  fromTimestamp,
  karpenterLabels,
  type KubernetesObject,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicy,
  type NodeRolloutStatus,
  type VariantImage,
} from '@nodewright/apis';
import { createMetrics, virtualTime, type KubernetesClient } from '@nodewright/runtime';
import { aNodePool } from '@nodewright/testkit';
import { aClaim, printSeries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { GroupReadings } from '../../state/group-readings.ts';
import { createObjects } from '../../state/objects.ts';
import { rolloutGauges } from './rollout-gauges.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const anImage = (image: string, release?: string): VariantImage => ({
  variant: 'default',
  source: 'EC2NodeClass/default',
  image,
  ...(release === undefined ? {} : { release }),
});
const [proven, wanted] = [anImage('ami-old', 'v20240110'), anImage('ami-new', 'v20240220')];

const aPolicy = (status: NodeRolloutPolicy['status'] = { baseline: [proven] }): NodeRolloutPolicy => ({
  metadata: { name: 'web', creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: {},
  ...(status === undefined ? {} : { status }),
});

const aRollout = (status: NodeRolloutStatus, to: readonly VariantImage[] = [wanted]): NodeRollout => ({
  metadata: { name: 'web-1', creationTimestamp: '2024-02-25T12:00:00Z' },
  spec: { policy: 'web', number: 1, cause: 'NewRelease', from: [proven], to, kubernetesVersion: '1.28', members: 4 },
  status,
});

const onImage = (name: string, imageID: string, pool = 'default'): NodeClaim => {
  const claim = aClaim(name);
  return {
    ...claim,
    metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, [karpenterLabels.nodePool]: pool } },
    status: { imageID },
  };
};

type Seen = {
  readonly policy?: NodeRolloutPolicy;
  readonly rollouts?: readonly NodeRollout[];
  readonly claims?: readonly NodeClaim[];
};

const seenBy = <T extends KubernetesObject>(
  { cache }: { readonly cache: { seen(object: T): void } },
  all: readonly T[],
) => all.forEach((object) => cache.seen(object));

async function readRolloutGauges({ policy = aPolicy(), rollouts = [], claims = [] }: Seen) {
  const [metrics, objects] = [createMetrics(), createObjects({} as KubernetesClient)];
  seenBy(objects.nodePools, [aNodePool()]);
  seenBy(objects.rolloutPolicies, [policy]);
  seenBy(objects.rollouts, rollouts);
  seenBy(objects.nodeClaims, claims);
  const gauges = rolloutGauges({ metrics, objects, clock: virtualTime(now).clock, readings: new GroupReadings() });
  gauges.refresh();
  return (await printSeries(metrics, 'nodewright_rollout_')).map((line) => line.replace('nodewright_rollout_', ''));
}

test('a policy at rest shows that nothing is exposed, and the age of its oldest image', async () => {
  const claims = [onImage('a', 'ami-old'), onImage('b', 'ami-new')];
  const policy = aPolicy({ baseline: [proven], history: [{ images: [wanted], at: '2024-02-21T00:00:00Z' }] as never });
  expect(await readRolloutGauges({ policy, claims })).toEqual([
    'oldest_image_days{policy="web"} 51',
    'exposure_days{policy="web"} 0',
  ]);
});

test('a rollout under way shows its nodes, its wave and its failures', async () => {
  const of = 'policy="web",rollout="web-1"';
  const wave = { name: 'first', seats: 3, taken: 2, healthy: 1, failed: 1, soakedUntil: '2024-03-01T12:10:00Z' };
  const other = { name: 'rest', seats: 9, taken: 0, healthy: 0, failed: 0 };
  const failure = { variant: 'default', evidence: '', at: '2024-03-01T11:00:00Z' };
  const lines = await readRolloutGauges({
    rollouts: [
      aRollout({
        state: 'Soaking',
        wave: 'first',
        waves: [wave, other],
        updated: 2,
        ready: 1,
        failed: 1,
        remaining: 3,
        failures: [
          { ...failure, node: 'a', signal: 'NotReady' },
          { ...failure, node: 'b', signal: 'NotReady' },
          { ...failure, node: 'c', signal: 'PodsFail' },
        ],
      }),
    ],
  });
  expect(lines).toEqual([
    `state{${of},state="Soaking"} 1`,
    `nodes{${of},state="updated"} 2`,
    `nodes{${of},state="ready"} 1`,
    `nodes{${of},state="failed"} 1`,
    `nodes{${of},state="remaining"} 3`,
    `nodes{${of},state="parked"} 0`,
    `members{${of},state="taken"} 2`,
    `members{${of},state="healthy"} 1`,
    `members{${of},state="failed"} 1`,
    `failures{${of},signal="NotReady"} 2`,
    `failures{${of},signal="PodsFail"} 1`,
    `soak_remaining_seconds{${of}} 600`,
    'exposure_days{policy="web"} 10',
  ]);
});

test('a soak that should be over has nothing left', async () => {
  const wave = { name: 'first', seats: 1, taken: 1, healthy: 0, failed: 0, soakedUntil: '2024-03-01T11:00:00Z' };
  const lines = await readRolloutGauges({ rollouts: [aRollout({ wave: 'first', waves: [wave] })] });
  expect(lines).toContain('soak_remaining_seconds{policy="web",rollout="web-1"} 0');
});

test('a rollout that has ended shows nothing', async () => {
  const lines = await readRolloutGauges({
    rollouts: [aRollout({ state: 'Complete', endedAt: '2024-02-28T00:00:00Z', remaining: 0 })],
  });
  expect(lines).toEqual(['exposure_days{policy="web"} 0']);
});

test.each<readonly [string, number, NodeRollout]>([
  ['since the release that nodes are behind', 10, aRollout({ remaining: 1 })],
  ['since the newest of several', 4, aRollout({ remaining: 1 }, [wanted, anImage('ami-2', 'v20240226')])],
  ['not at all once every node has moved', 0, aRollout({ remaining: 0 })],
  [
    'since the rollout was made where the name of the image tells no day',
    5,
    aRollout({ remaining: 1 }, [anImage('x')]),
  ],
  ['since the rollout where the release is no date', 5, aRollout({ remaining: 1 }, [anImage('x', 'v20241399')])],
  ['not by an image that is proven already', 5, aRollout({ remaining: 1 }, [proven])],
])('a policy is exposed %s: %d days', async (_, days, rollout) => {
  expect(await readRolloutGauges({ rollouts: [rollout] })).toContain(`exposure_days{policy="web"} ${days}`);
});

test('only nodes of the policy count, and only images with a known release', async () => {
  const claims = [onImage('a', 'ami-new'), onImage('b', 'ami-old', 'ungoverned'), onImage('c', 'ami-unknown')];
  const lines = await readRolloutGauges({ claims, rollouts: [aRollout({ remaining: 1 })] });
  expect(lines).toContain('oldest_image_days{policy="web"} 10');
});

test('a policy without a baseline governs no node yet', async () => {
  const lines = await readRolloutGauges({ policy: aPolicy({}), claims: [onImage('a', 'ami-old')] });
  expect(lines).toEqual(['exposure_days{policy="web"} 0']);
});
