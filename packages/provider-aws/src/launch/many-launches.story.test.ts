import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import type { ThrottleOption } from '@nodewright/aws-endpoints';
import { anAwsAccount, clusterName, never, resolvedIn } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const tags = { 'alpha.eksctl.io/cluster-name': clusterName };

const nodeClass: EC2NodeClass = {
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags }],
    securityGroupSelectorTerms: [{ tags }],
  },
};

const aClaim = (at: number): NodeClaim => ({
  metadata: {
    name: `default-${at}`,
    uid: `claim-${at}`,
    labels: { 'karpenter.sh/nodepool': 'default', 'node.kubernetes.io/instance-type': 'm5.large' },
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] }],
  },
});

/** Launches so many claims at once, tags and ends their instances: how long the launches took, and what EC2 throttled. */
async function launchMany(count: number, throttle: ThrottleOption) {
  const { time, aws, machines, cloudWith } = anAwsAccount({ throttle });
  await aws.load();
  const cloud = cloudWith();
  const resolved = await resolvedIn({ time, cloud }, nodeClass);
  const instanceTypes = (await time.finish(cloud.instanceTypes.list(resolved, never))).filter(
    ({ name }) => name === 'm5.large',
  );
  const images = resolved.status?.amis ?? [];
  const startedAt = time.clock.now();
  const launch = async (claim: NodeClaim): Promise<string> => {
    for (;;) {
      const request = { claim, attempt: 1, nodeClass: resolved, instanceTypes, images };
      try {
        const outcome = await cloud.instances.launch(request, never);
        return outcome.kind === 'launched' ? outcome.instance.providerId : outcome.kind;
      } catch {
        await time.clock.sleep(1_000); // throttled four times: the operator comes back, too
      }
    }
  };
  const claims = Array.from({ length: count }, (_, at) => aClaim(at));
  const ids = await time.finish(Promise.all(claims.map(launch)));
  const launchSeconds = (time.clock.now() - startedAt) / 1_000;
  await time.finish(Promise.all(ids.map((id) => cloud.instances.tag(id, { Name: id }, never))));
  await time.finish(Promise.all(ids.map((id) => cloud.instances.terminate(id, never))));
  const throttled = aws
    .calls()
    .filter(({ outcome }) => outcome.kind === 'refused' && outcome.code === 'RequestLimitExceeded')
    .map(({ operation }) => operation);
  return { launched: machines.length, launchSeconds, throttled };
}

test('a thousand nodes are launched, tagged and ended at once without one throttled call', async () => {
  const { launched, launchSeconds, throttled } = await launchMany(1_000, 'real');
  expect(launched).toBe(1_000);
  expect(throttled).toEqual([]);
  // 50 calls at once, then 5 a second.
  expect(Math.round(launchSeconds)).toBe(190);
});

test('in an account with a tenth of the tokens few launches are throttled, and they take little longer than they must', async () => {
  const { launched, launchSeconds, throttled } = await launchMany(100, { share: 0.1 });
  expect(launched).toBe(100);
  expect(throttled.filter((operation) => operation === 'CreateFleet').length).toBeLessThanOrEqual(20);
  // 5 calls at once, then one every two seconds: 190 seconds.
  expect(launchSeconds).toBeLessThanOrEqual(2 * 190);
});
