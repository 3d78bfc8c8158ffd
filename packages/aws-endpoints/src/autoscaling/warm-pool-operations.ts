import type {
  DeleteWarmPoolType,
  DescribeWarmPoolAnswer,
  DescribeWarmPoolType,
  PutWarmPoolType,
} from '@aws-sdk/client-auto-scaling';
import { pageOf } from '../paging.ts';
import { badNextToken, validation } from './errors.ts';
import type { WarmPool } from './group.ts';
import { instanceOnTheWire } from './group-on-the-wire.ts';
import { warmPoolOnTheWire } from './warm-pool-on-the-wire.ts';
import type { AutoScalingService } from './model.ts';

const states = ['Stopped', 'Running', 'Hibernated'] as const;

/** What is not given is what it was, or its default. */
export function putWarmPool({ autoScaling }: AutoScalingService, request: PutWarmPoolType): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const { min, prepared, state, reuse } = group.warmPool ?? { min: 0, state: 'Stopped', reuse: false };
  const wanted = request.PoolState ?? state;
  const known = states.find((each) => each === wanted);
  if (known === undefined) throw validation(`PoolState is ${wanted}, must be one of ${states.join(', ')}`);
  const most = request.MaxGroupPreparedCapacity ?? prepared;
  if (most !== undefined && most < -1) throw validation(`MaxGroupPreparedCapacity is ${most}, must be -1 or more`);
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
  const page = { size: request.MaxRecords ?? 50, token: request.NextToken, refuse: badNextToken };
  const { items, next } = pageOf(group.warm ?? [], page);
  return {
    ...(group.warmPool && { WarmPoolConfiguration: warmPoolOnTheWire(group.warmPool) }),
    Instances: items.map(instanceOnTheWire),
    ...(next && { NextToken: next }),
  };
}

export function deleteWarmPool({ autoScaling }: AutoScalingService, request: DeleteWarmPoolType): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (group.warmPool === undefined) throw validation(`No warm pool found for Auto Scaling group ${group.name}`);
  autoScaling.change(group.name, { warmPool: undefined });
  return {};
}
