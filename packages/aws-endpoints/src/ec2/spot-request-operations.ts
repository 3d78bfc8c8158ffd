import type {
  CancelSpotInstanceRequestsRequest,
  CancelSpotInstanceRequestsResult,
  RequestSpotInstancesRequest,
  RequestSpotInstancesResult,
  RunInstancesRequest,
  SpotInstanceRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { noSuchSpotRequest, writeSpotRequest } from './describe-spot-requests.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { runInstances } from './launch-operations.ts';
import type { Ec2 } from './model.ts';
import { checkTagSpecifications } from './tag-rules.ts';

/**
 * Launches spot instances, one for each request. A request that cannot be fulfilled at once is refused, because the sandbox
 * keeps none that waits.
 */
export function requestSpotInstances(ec2: Ec2, request: RequestSpotInstancesRequest): RequestSpotInstancesResult {
  const { InstanceCount: count = 1, LaunchSpecification: asked, Type = 'one-time' } = request;
  if (asked === undefined) throw missingParameter('LaunchSpecification');
  if (Type !== 'one-time')
    throw new AwsError('Unsupported', `Spot requests of the type ${Type} are not supported; use one-time.`);
  if (count < 1)
    throw invalidValue(`Value (${count}) for parameter instanceCount is invalid. It must be greater than 0.`);
  checkTagSpecifications(request.TagSpecifications, ['spot-instances-request']);
  const { Instances = [] } = runInstances(ec2, toRunRequest(request, asked, count));
  return {
    SpotInstanceRequests: Instances.flatMap(({ InstanceId = '' }) => {
      const instance = ec2.instances.get(InstanceId);
      return (instance && writeSpotRequest(ec2, instance)) ?? [];
    }).map(beforeEvaluation),
  };
}

function toRunRequest(
  { SpotPrice, ClientToken, DryRun, TagSpecifications }: RequestSpotInstancesRequest,
  { Monitoring, ...asked }: NonNullable<RequestSpotInstancesRequest['LaunchSpecification']>,
  count: number,
): RunInstancesRequest {
  const { AddressingType: _classic, ...launch } = asked;
  return {
    ...launch,
    ...(Monitoring?.Enabled !== undefined && { Monitoring: { Enabled: Monitoring.Enabled } }),
    MinCount: count,
    MaxCount: count,
    ClientToken,
    DryRun,
    TagSpecifications,
    InstanceMarketOptions: {
      MarketType: 'spot',
      ...(SpotPrice !== undefined && { SpotOptions: { MaxPrice: SpotPrice } }),
    },
  };
}

/** The first answer comes before a request is fulfilled. */
function beforeEvaluation({
  InstanceId: _id,
  LaunchedAvailabilityZone: _zone,
  LaunchedAvailabilityZoneId: _zoneId,
  ...rest
}: SpotInstanceRequest): SpotInstanceRequest {
  const Message = 'Your Spot request has been submitted for review, and is pending evaluation.';
  return { ...rest, State: 'open', Status: { ...rest.Status, Code: 'pending-evaluation', Message } };
}

/** A request that is cancelled leaves its instance running. */
export function cancelSpotRequests(
  ec2: Ec2,
  request: CancelSpotInstanceRequestsRequest,
): CancelSpotInstanceRequestsResult {
  const { SpotInstanceRequestIds: ids = [] } = request;
  if (ids.length === 0) throw missingParameter('SpotInstanceRequestId');
  const found = ids.map((id) => {
    const instance = ec2.instances.all().find(({ spotRequestId }) => spotRequestId === id);
    if (instance === undefined) throw noSuchSpotRequest(id);
    return instance;
  });
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const at = ec2.clock.now();
  for (const { id, state } of found)
    if (state !== 'terminated') ec2.instances.change(id, { spotRequestCancelledAt: at });
  return {
    CancelledSpotInstanceRequests: ids.map((SpotInstanceRequestId) => ({ SpotInstanceRequestId, State: 'cancelled' })),
  };
}
