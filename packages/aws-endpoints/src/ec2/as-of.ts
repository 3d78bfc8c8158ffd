import type { Instant } from '@nodewright/apis';
import type { Ec2Instance } from './instance.ts';

/** The instance as it was; `undefined` before its launch. */
export function instanceAsOf(instance: Ec2Instance, at: Instant): Ec2Instance | undefined {
  if (at < instance.launchedAt) return undefined;
  const state = instance.changes?.findLast((change) => change.at <= at)?.state ?? 'pending';
  if (state === instance.state) return instance;
  const { stateReason: _, ...before } = instance;
  return { ...before, state };
}
