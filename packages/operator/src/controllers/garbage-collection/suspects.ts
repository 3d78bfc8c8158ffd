import { awsTags, instant, isConditionTrue, seconds, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import { isManagedNodeClass } from '../../state/managed.ts';
import { hasReadyCondition } from '../node-claim/initialization.ts';

/** A launch may be on its way into its claim: younger instances are left alone. */
const instanceGraceMs = seconds(30);

type ListedForSuspects = { readonly claims: readonly NodeClaim[]; readonly instances: readonly Instance[] };

/** Registered claims of ours whose instance is not in the listing. A Node that is ready outweighs the listing. */
export function claimsWithoutInstance(
  { claims, instances }: ListedForSuspects,
  nodeOf: (claim: NodeClaim) => Node | undefined,
): readonly NodeClaim[] {
  const running = new Set(instances.filter(isInstanceStaying).map(({ providerId }) => providerId));
  return claims
    .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && isManagedNodeClass(spec.nodeClassRef))
    .filter((claim) => isConditionTrue(claim, 'Registered'))
    .filter(({ status }) => status?.providerID !== undefined && !running.has(status.providerID))
    .filter((claim) => !isReadyNode(nodeOf(claim)));
}

/** Instances of the cluster that no claim has. */
export function instancesWithoutClaim({ claims, instances }: ListedForSuspects, now: Instant): readonly Instance[] {
  const claimed = new Set(claims.flatMap(({ status }) => instanceIdOfClaimStatus(status?.providerID)));
  // After a restart between a launch and its record the tag is all that ties the two together.
  const launching = new Set(claims.filter(({ status }) => !status?.providerID).map(({ metadata }) => metadata.name));
  return instances
    .filter(isInstanceStaying)
    .filter(({ launchedAt }) => now > instant(launchedAt + instanceGraceMs))
    .filter(({ id, tags }) => !claimed.has(id) && !launching.has(tags[awsTags.nodeClaim] ?? ''));
}

const isInstanceStaying = ({ state }: Instance): boolean => state !== 'shutting-down' && state !== 'terminated';

const isReadyNode = (node: Node | undefined): boolean => node !== undefined && hasReadyCondition(node);

const instanceIdOfClaimStatus = (providerId: string | undefined): readonly string[] =>
  providerId?.split('/').slice(-1) ?? [];
