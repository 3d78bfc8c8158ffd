import { fromTimestamp } from '@nodewright/apis';
import type { Cloud, LaunchOutcome, LaunchRequest } from '@nodewright/ports';
import { createMetrics, virtualTime } from '@nodewright/runtime';
import { fakeCloud } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { measuredCloud } from './measured-cloud.ts';

const never = new AbortController().signal;
// What is asked for does not matter here: the answers are given.
const request = {} as LaunchRequest;

function aMeasuredCloud(instances: Partial<Cloud['instances']>) {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const plain = fakeCloud({ now: () => time.clock.now(), instanceTypes: [], images: () => [] });
  const metrics = createMetrics();
  const cloud = { ...plain, instances: { ...plain.instances, ...instances } };
  const errors = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('karpenter_cloudprovider_errors_total{'));
  return { cloud: measuredCloud(cloud, 'nodeclaim.lifecycle', { metrics, clock: time.clock }), errors };
}

for (const { outcome, error } of [
  { outcome: { kind: 'insufficientCapacity', message: '' }, error: 'InsufficientCapacityError' },
  { outcome: { kind: 'nodeClassNotReady', message: '' }, error: 'NodeClassNotReadyError' },
  { outcome: { kind: 'refused', reason: 'LaunchFailed', message: '' }, error: '' },
] satisfies readonly { outcome: LaunchOutcome; error: string }[]) {
  test(`a launch that ends with ${outcome.kind} counts as "${error}"`, async () => {
    const { cloud, errors } = aMeasuredCloud({ launch: () => Promise.resolve(outcome) });
    expect(await cloud.instances.launch(request, never)).toBe(outcome);
    expect(await errors()).toEqual([
      `karpenter_cloudprovider_errors_total{controller="nodeclaim.lifecycle",method="Create",provider="aws",error="${error}"} 1`,
    ]);
  });
}

test('an instance that is not there counts, a failed call is passed on', async () => {
  const { cloud, errors } = aMeasuredCloud({
    get: () => Promise.resolve(undefined),
    list: () => Promise.reject(new Error('busy')),
  });
  await cloud.instances.get('aws:///a/i-1', never);
  await expect(cloud.instances.list(never)).rejects.toThrow('busy');
  expect((await errors()).map((line) => /method="(\w+)".*error="(\w*)"/.exec(line)?.slice(1))).toEqual([
    ['Get', 'NodeClaimNotFoundError'],
    ['List', ''],
  ]);
});
