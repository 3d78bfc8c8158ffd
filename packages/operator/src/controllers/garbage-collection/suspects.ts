import { awsTags, instant, isConditionTrue, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import { isManaged } from '../../state/managed.ts';
import { isReady } from '../node-claim/initialization.ts';

/** A launch may be on its way into its claim: younger instances are left alone. */
const instanceGraceMs = 30_000;

type Listed = { readonly claims: readonly NodeClaim[]; readonly instances: readonly Instance[] };

/** Registered claims of ours whose instance is not in the listing. A Node that is ready outweighs the listing. */
export function claimsWithoutInstance(
  { claims, instances }: Listed,
  nodeOf: (claim: NodeClaim) => Node | undefined,
): readonly NodeClaim[] {
  const running = new Set(instances.filter(isStaying).map(({ providerId }) => providerId));
  return claims
    .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && isManaged(spec.nodeClassRef))
    .filter((claim) => isConditionTrue(claim, 'Registered'))
    .filter(({ status }) => status?.providerID !== undefined && !running.has(status.providerID))
    .filter((claim) => !isReadyNode(nodeOf(claim)));
}

/** Instances of the cluster that no claim has. */
export function instancesWithoutClaim({ claims, instances }: Listed, now: Instant): readonly Instance[] {
  const claimed = new Set(claims.flatMap(({ status }) => instanceIdIn(status?.providerID)));
  // After a restart between a launch and its record the tag is all that ties the two together.
  const launching = new Set(claims.filter(({ status }) => !status?.providerID).map(({ metadata }) => metadata.name));
  return instances
    .filter(isStaying)
    .filter(({ launchedAt }) => now > instant(launchedAt + instanceGraceMs))
    .filter(({ id, tags }) => !claimed.has(id) && !launching.has(tags[awsTags.nodeClaim] ?? ''));
}

const isStaying = ({ state }: Instance): boolean => state !== 'shutting-down' && state !== 'terminated';

const isReadyNode = (node: Node | undefined): boolean => node !== undefined && isReady(node);

const instanceIdIn = (providerId: string | undefined): readonly string[] => providerId?.split('/').slice(-1) ?? [];
