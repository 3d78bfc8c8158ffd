import { awsTags, instant, isConditionTrue, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import { isReady } from '../node-claim/initialization.ts';

export type GarbageSnapshot = {
  readonly claims: readonly NodeClaim[];
  readonly nodes: readonly Node[];
  readonly instances: readonly Instance[];
};

export type GarbageAction =
  | { readonly kind: 'deleteClaim'; readonly claim: NodeClaim; readonly because: string }
  | {
      readonly kind: 'terminate';
      readonly instance: Instance;
      readonly nodes: readonly Node[];
      readonly because: string;
    };

/** A launch may be on its way into its claim: younger instances are left alone. */
const instanceGraceMs = 30_000;

/** What one side has lost: claims whose instance is gone, instances that no claim knows. */
export function planGarbage(seen: GarbageSnapshot, now: Instant): readonly GarbageAction[] {
  return [...claimsWithoutInstance(seen), ...instancesWithoutClaim(seen, now)];
}

function claimsWithoutInstance({ claims, nodes, instances }: GarbageSnapshot): readonly GarbageAction[] {
  const running = new Set(instances.filter(isStaying).map(({ providerId }) => providerId));
  const ready = new Set(nodes.filter(isReady).map(({ spec }) => spec?.providerID));
  return claims
    .filter((claim) => claim.metadata.deletionTimestamp === undefined && isConditionTrue(claim, 'Registered'))
    .filter(({ status }) => status?.providerID !== undefined && !running.has(status.providerID))
    .filter(({ status }) => !ready.has(status?.providerID))
    .map((claim) => ({ kind: 'deleteClaim', claim, because: 'its instance is gone' }));
}

function instancesWithoutClaim({ claims, nodes, instances }: GarbageSnapshot, now: Instant): readonly GarbageAction[] {
  const claimed = new Set(claims.map(({ status }) => status?.providerID));
  // After a restart between a launch and its record the tag is all that ties the two together.
  const launching = new Set(claims.filter(({ status }) => !status?.providerID).map(({ metadata }) => metadata.name));
  return instances
    .filter(isStaying)
    .filter(({ launchedAt }) => now > instant(launchedAt + instanceGraceMs))
    .filter(({ providerId, tags }) => !claimed.has(providerId) && !launching.has(tags[awsTags.nodeClaim] ?? ''))
    .map((instance) => ({
      kind: 'terminate',
      instance,
      nodes: nodes.filter(({ spec }) => spec?.providerID === instance.providerId),
      because: 'no claim knows it',
    }));
}

const isStaying = ({ state }: Instance): boolean => state !== 'shutting-down' && state !== 'terminated';
