import { conditionOf, fromTimestamp, type Instant, isConditionTrue, type NodeRolloutPolicy } from '@nodewright/apis';
import {
  isDaemonPod,
  isMirrorPod,
  isTerminal,
  placesToRead,
  type ProvingNode,
  type UpstreamReading,
} from '@nodewright/engine';
import type { NodeClaim } from '@nodewright/apis';
import { variantOfClaim } from '../../state/claim-variant.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { findActingPolicy } from '../../state/rollout-governance.ts';
import type { UpstreamRecords } from '../../state/upstream-records.ts';
import { type PlaceDeps, printPlace, readRecordPlace } from './places.ts';
import { readRecordText } from './record-text.ts';

/** What every place that the policy requires says now. A place that cannot be read keeps what was read of it last. */
export async function readUpstream(
  deps: PlaceDeps & { readonly upstream: UpstreamRecords; readonly now: Instant },
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
export const provingNodes = (objects: Objects, policy: string): readonly ProvingNode[] =>
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
