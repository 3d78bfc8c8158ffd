import type {
  DeleteWarmPoolType,
  DescribeWarmPoolAnswer,
  DescribeWarmPoolType,
  PutWarmPoolType,
} from '@aws-sdk/client-auto-scaling';
import { takePage } from '../../paging.ts';
import { autoScalingBadToken, autoScalingValidationError } from '../errors.ts';
import type { WarmPool } from '../group/group.ts';
import { writeGroupInstance } from '../wire/group.ts';
import { warmPoolOnTheWire } from '../wire/warm-pool.ts';
import type { AutoScalingService } from '../model.ts';

const warmPoolStates = ['Stopped', 'Running', 'Hibernated'] as const;

/** What is not given is what it was, or its default. */
export function putWarmPool({ autoScaling }: AutoScalingService, request: PutWarmPoolType): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const { min, prepared, state, reuse } = group.warmPool ?? { min: 0, state: 'Stopped', reuse: false };
  const wanted = request.PoolState ?? state;
  const known = warmPoolStates.find((each) => each === wanted);
  if (known === undefined)
    throw autoScalingValidationError(`PoolState is ${wanted}, must be one of ${warmPoolStates.join(', ')}`);
  const most = request.MaxGroupPreparedCapacity ?? prepared;
  if (most !== undefined && most < -1)
    throw autoScalingValidationError(`MaxGroupPreparedCapacity is ${most}, must be -1 or more`);
  const pool: WarmPool = {
    min: request.MinSize ?? min,
    state: known,
    reuse: request.InstanceReusePolicy?.ReuseOnScaleIn ?? reuse,
    ...(most !== undefined && most !== -1 && { prepared: most }),
  };
  autoScaling.change(group.name, { warmPool: pool });
  return {};
}

export function describeWarmPool(
  { autoScaling }: AutoScalingService,
  request: DescribeWarmPoolType,
): DescribeWarmPoolAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const page = { size: request.MaxRecords ?? 50, token: request.NextToken, refuse: autoScalingBadToken };
  const { items, next } = takePage(group.warm ?? [], page);
  return {
    ...(group.warmPool && { WarmPoolConfiguration: warmPoolOnTheWire(group.warmPool) }),
    Instances: items.map(writeGroupInstance),
    ...(next && { NextToken: next }),
  };
}

export function deleteWarmPool({ autoScaling }: AutoScalingService, request: DeleteWarmPoolType): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (group.warmPool === undefined)
    throw autoScalingValidationError(`No warm pool found for Auto Scaling group ${group.name}`);
  autoScaling.change(group.name, { warmPool: undefined });
  return {};
}
