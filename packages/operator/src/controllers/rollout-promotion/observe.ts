import {
  conditionOf,
  fromTimestamp,
  type Instant,
  isConditionTrue,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import {
  isDaemonPod,
  isMirrorPod,
  isTerminal,
  placesToRead,
  type ProvingNode,
  type UpstreamReading,
} from '@nodewright/engine';
import { variantOfClaim } from '../../state/claim-variant.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { findActingPolicy, rolloutsOfPolicy } from '../../state/rollout-governance.ts';
import type { UpstreamRecords } from '../../state/upstream-records.ts';
import { type PlaceDeps, readRecordPlace } from './places.ts';
import { type PlacedText, printPlace, type RecordPlace } from './record-place.ts';
import { readRecordText } from './record-text.ts';

export type EvidenceSources = PlaceDeps & {
  readonly objects: Objects;
  readonly upstream: UpstreamRecords;
  readonly clusterName: string;
  readonly now: Instant;
};

/** A policy with a place to publish to, and all that its next record is made of. */
export type PublicationSnapshot = {
  readonly policy: NodeRolloutPolicy;
  readonly clusterName: string;
  readonly place: RecordPlace;
  /** What is stored at the place; absent where the cluster has no name, and nothing is read. */
  readonly stored?: PlacedText;
  readonly rollouts: readonly NodeRollout[];
  readonly nodes: readonly ProvingNode[];
  /** What was read of other clusters just now. */
  readonly upstream: readonly UpstreamReading[];
};

/** Absent for a policy that publishes nothing. */
export async function observePublication(
  sources: EvidenceSources,
  { policy, upstream }: Pick<PublicationSnapshot, 'policy' | 'upstream'>,
  signal: AbortSignal,
): Promise<PublicationSnapshot | undefined> {
  const { objects, clusterName } = sources;
  const place = policy.spec.promotion?.publish;
  if (place === undefined || policy.spec.mode === 'Report') return undefined;
  const { name } = policy.metadata;
  return {
    policy,
    clusterName,
    place,
    ...(clusterName === '' ? {} : { stored: await readRecordPlace(sources, place, signal) }),
    rollouts: rolloutsOfPolicy(objects, name),
    nodes: provingNodes(objects, name),
    upstream,
  };
}

/** What every place that the policy requires says now. A place that cannot be read keeps what was read of it last. */
export async function observeUpstream(
  deps: EvidenceSources,
  { metadata, spec }: NodeRolloutPolicy,
  signal: AbortSignal,
): Promise<readonly UpstreamReading[]> {
  const readings: UpstreamReading[] = [];
  for (const [requirement, from] of placesToRead(spec.promotion ?? {}).entries()) {
    const base = { requirement, readAt: deps.now };
    const placed = await readRecordPlace(deps, from, signal);
    const read = placed.kind === 'found' ? readRecordText(placed.text) : undefined;
    if (read?.kind === 'read') {
      readings.push({ ...base, kind: 'read', record: read.record });
      continue;
    }
    const why = placed.kind === 'failed' ? placed.message : (read?.message ?? 'nothing is stored there');
    const last = placed.kind === 'failed' ? deps.upstream.lastRecord(metadata.name, requirement) : undefined;
    const message = `${printPlace(from)}: ${why}`;
    readings.push({ ...base, kind: 'unreadable', message, ...(last === undefined ? {} : { last }) });
  }
  return readings;
}

/** The nodes that a policy governs, with the images that they run. */
const provingNodes = (objects: Objects, policy: string): readonly ProvingNode[] =>
  objects.nodePools
    .list()
    .filter(({ metadata }) => findActingPolicy(objects, metadata.name)?.metadata.name === policy)
    .flatMap(({ metadata }) => objects.nodeClaims.by('nodePool', metadata.name))
    .flatMap((claim) => provingNode(objects, claim) ?? []);

function provingNode(objects: Objects, claim: NodeClaim): ProvingNode | undefined {
  const variant = variantOfClaim(objects, claim);
  const image = claim.status?.imageID;
  const initializedAt = conditionOf(claim, 'Initialized')?.lastTransitionTime;
  if (variant === undefined || image === undefined || initializedAt === undefined) return undefined;
  if (!isConditionTrue(claim, 'Initialized')) return undefined;
  const node = findNodeOfClaim(objects, claim);
  const pods = node === undefined ? [] : objects.pods.by('node', node.metadata.name);
  const workload = pods.filter((pod) => !isDaemonPod(pod) && !isMirrorPod(pod) && !isTerminal(pod));
  return { variant, image, initializedAt: fromTimestamp(initializedAt), pods: workload.length };
}
