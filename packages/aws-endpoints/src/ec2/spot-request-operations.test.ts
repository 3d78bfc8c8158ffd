import type { SpotInstanceRequest } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

type Requests = { readonly SpotInstanceRequests: readonly SpotInstanceRequest[] };

async function world() {
  const account = await anEc2();
  const { call } = ec2Caller(account.aws);
  const LaunchSpecification = {
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    SubnetId: account.subnetIn('us-east-1a'),
    Monitoring: { Enabled: true },
  };
  const request = (more: object = {}) => call('RequestSpotInstances', { LaunchSpecification, ...more });
  const describeIds = async (SpotInstanceRequestIds: readonly (string | undefined)[]) =>
    ((await call('DescribeSpotInstanceRequests', { SpotInstanceRequestIds })) as Requests).SpotInstanceRequests;
  return { ...account, call, request, describeIds };
}

test('requests are evaluated, then fulfilled by an instance each', async () => {
  const { aws, request, describeIds, clock } = await world();
  const TagSpecifications = [{ ResourceType: 'spot-instances-request', Tags: [{ Key: 'team', Value: 'red' }] }];
  const { SpotInstanceRequests: asked } = (await request({ InstanceCount: 2, TagSpecifications })) as Requests;
  expect(asked.map(({ State, Status, InstanceId }) => [State, Status?.Code, InstanceId])).toEqual([
    ['open', 'pending-evaluation', undefined],
    ['open', 'pending-evaluation', undefined],
  ]);
  await clock.advance(minutes(1));
  const found = await describeIds(asked.map(({ SpotInstanceRequestId }) => SpotInstanceRequestId));
  for (const each of found) {
    expect(each).toMatchObject({
      State: 'active',
      Status: { Code: 'fulfilled' },
      Tags: [{ Key: 'team', Value: 'red' }],
    });
    expect(aws.ec2.instances.get(each.InstanceId ?? '')).toMatchObject({
      state: 'running',
      settings: { monitoring: true },
    });
  }
});

test('a request that is cancelled leaves its instance running', async () => {
  const { aws, call, request, describeIds } = await world();
  const { SpotInstanceRequests: asked } = (await request()) as Requests;
  const SpotInstanceRequestIds = asked.map(({ SpotInstanceRequestId }) => SpotInstanceRequestId);
  expect(await call('CancelSpotInstanceRequests', { SpotInstanceRequestIds })).toMatchObject({
    CancelledSpotInstanceRequests: [{ SpotInstanceRequestId: SpotInstanceRequestIds[0], State: 'cancelled' }],
  });
  const [found] = await describeIds(SpotInstanceRequestIds);
  expect(found).toMatchObject({ State: 'cancelled', Status: { Code: 'request-canceled-and-instance-running' } });
  expect(aws.ec2.instances.get(found?.InstanceId ?? '')?.state).not.toBe('shutting-down');
  await call('TerminateInstances', { InstanceIds: [found?.InstanceId] });
  const [ended] = await describeIds(SpotInstanceRequestIds);
  expect(ended).toMatchObject({ State: 'cancelled', Status: { Code: 'instance-terminated-by-user' } });
});

test('what cannot be fulfilled is refused', async () => {
  const { call, request } = await world();
  expect(await request({ SpotPrice: '0.000001' })).toBe('SpotMaxPriceTooLow');
  expect(await request({ Type: 'persistent' })).toBe('Unsupported');
  expect(await request({ InstanceCount: 0 })).toBe('InvalidParameterValue');
  expect(await request({ DryRun: true })).toBe('DryRunOperation');
  expect(await call('RequestSpotInstances', {})).toBe('MissingParameter');
  const unknown = { SpotInstanceRequestIds: ['sir-00000000'] };
  expect(await call('CancelSpotInstanceRequests', unknown)).toBe('InvalidSpotInstanceRequestID.NotFound');
});
