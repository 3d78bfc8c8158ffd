import {
  conditionOf,
  fromTimestamp,
  instant,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  kubernetesLabels,
  minutes,
  type EC2NodeClass,
  latestPerObject,
  type Node,
  type NodeClaim,
  type NodeRollout,
  type Pod,
  type VcpuRoom,
} from '@nodewright/apis';
import { type EvictionRules, governedId, type RolloutNode } from '@nodewright/engine';
import { replacementForAnnotation } from '../../names.ts';
import { variantOfClaim } from '../../state/claim-variant.ts';
import { commandRecordOf } from '../../state/disruption-command.ts';
import type { DriftFindings } from '../../state/drift-findings.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { replacementFailureOn } from '../../state/replacement-failures.ts';
import { imageSourceOf } from '../../state/rollout-governance.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import { vcpusOfClaim } from '../../state/vcpu-room.ts';
import { claimCreatedAt, claimExpiresAt } from '../node-claim/created-at.ts';
import { findDrainBlocker, findProtection } from './drain-blocker.ts';
import { launchFailureOf } from './launch-failure.ts';
import { healthOfRolloutNode, type HealthSources } from './node-health.ts';

export type NodeSources = HealthSources & {
  readonly objects: Objects;
  readonly findings: Pick<DriftFindings, 'findingOf'>;
  readonly rules: EvictionRules;
  readonly rollouts: readonly NodeRollout[];
  /** Names of claims whose nodes were let go, or could not be drained. */
  readonly admitted: ReadonlySet<string>;
  /** Limits on vCPUs that may keep nodes from being replaced. */
  readonly quotas: readonly VcpuRoom[];
};

/** The claims of a pool as nodes of a rollout. Ordinary claims that are not launched yet run no image. */
export function rolloutNodesOfPool(sources: NodeSources, nodePool: string): readonly RolloutNode[] {
  const claims = sources.objects.nodeClaims.by('nodePool', nodePool);
  return claims.flatMap((claim) => rolloutNodeOf(sources, claim) ?? []);
}

function rolloutNodeOf(sources: NodeSources, claim: NodeClaim): RolloutNode | undefined {
  const node = findNodeOfClaim(sources.objects, claim);
  const parts = partsOfSettledNode(sources, claim, node);
  return parts === undefined ? readRolloutNode(sources, claim, node) : settledNodeOf(claim, parts);
}

/** What a node that only stands there is read from, beside its claim. */
type SettledParts = {
  readonly sources: NodeSources;
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly nodeClass: EC2NodeClass | undefined;
  readonly renewedAt: Instant | undefined;
  readonly drift: string | undefined;
  readonly vcpus: RolloutNode['vcpus'];
};

/** Nothing of a settled node moves on with the clock, or follows from other claims. Most nodes of a policy are settled. */
function partsOfSettledNode(sources: NodeSources, claim: NodeClaim, node: Node | undefined): SettledParts | undefined {
  const { metadata, spec, status } = claim;
  const isMoving =
    metadata.deletionTimestamp !== undefined ||
    sources.admitted.has(metadata.name) ||
    findReplacedClaim(sources.objects, claim) !== undefined;
  if (isMoving || status?.imageID === undefined || !isConditionTrue(claim, 'Launched')) return undefined;
  if (node === undefined || conditionOf(node, 'Ready')?.lastTransitionTime === undefined) return undefined;
  if (sources.evidence.stuckOn(metadata.name) !== undefined) return undefined;
  const drift = sources.findings.findingOf(metadata.name)?.reason;
  if (drift !== undefined && conditionOf(claim, 'Drifted') === undefined) return undefined;
  return {
    sources,
    node,
    pods: sources.objects.pods.by('node', node.metadata.name),
    nodeClass: sources.objects.nodeClasses.get(spec.nodeClassRef.name),
    renewedAt: sources.renewals.get(node.metadata.name),
    drift,
    vcpus: vcpusOfClaim(claim, sources.quotas),
  };
}

/** A policy of a thousand nodes is looked at for each of their changes: a node is read anew when it has changed itself. */
const settledNodeOf = latestPerObject(
  (claim: NodeClaim, { sources, node }: SettledParts) => readRolloutNode(sources, claim, node),
  (before, now) =>
    before.node === now.node &&
    before.pods === now.pods &&
    before.nodeClass === now.nodeClass &&
    before.renewedAt === now.renewedAt &&
    before.drift === now.drift &&
    before.vcpus?.quota === now.vcpus?.quota &&
    before.vcpus?.count === now.vcpus?.count,
);

function readRolloutNode(sources: NodeSources, claim: NodeClaim, node: Node | undefined): RolloutNode | undefined {
  const { objects } = sources;
  const ownVariant = variantOfClaim(objects, claim);
  const candidate = findReplacedClaim(objects, claim);
  const isLaunched = isConditionTrue(claim, 'Launched');
  const variant = isLaunched || candidate === undefined ? ownVariant : variantOfClaim(objects, candidate);
  const rollout = rolloutOfClaim(claim);
  const image = claim.status?.imageID ?? targetImage(sources.rollouts, claim, { rollout, variant });
  if (variant === undefined || image === undefined) return undefined;
  const labels = { ...claim.metadata.labels, ...node?.metadata.labels };
  const vcpus = vcpusOfClaim(claim, sources.quotas);
  const launchFailure = isLaunched ? undefined : launchFailureOf(claim);
  return {
    name: claim.metadata.name,
    object: governedId({ kind: 'NodePool', name: claim.metadata.labels?.[karpenterLabels.nodePool] ?? '' }),
    variant,
    image,
    labels,
    zone: labels[kubernetesLabels.zone] ?? '',
    ...(rollout === undefined ? {} : { rollout }),
    ...(candidate === undefined ? {} : { replaces: candidate.metadata.name }),
    createdAt: claimCreatedAt(claim),
    ...expirationOf(claim),
    ...initializationOf(claim),
    ...(launchFailure === undefined ? {} : { launchFailure }),
    ...healthOfRolloutNode(sources, claim.metadata.name, node),
    ...(vcpus === undefined ? {} : { vcpus }),
    leaving: isMemberLeaving(claim, sources.now),
    ...drainBlockerOf(sources, claim, node),
    ...otherDriftOf(sources, claim),
    ...backOffOfNode(claim),
  };
}

/** The candidate of the command that the claim is a replacement of, as long as it is there. */
function findReplacedClaim({ nodeClaims }: Objects, { metadata }: NodeClaim): NodeClaim | undefined {
  const command = metadata.annotations?.[replacementForAnnotation];
  if (command === undefined) return undefined;
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  return nodeClaims
    .by('disruption', 'candidate')
    .find(
      (claim) => commandRecordOf(claim)?.id === command && claim.metadata.labels?.[karpenterLabels.nodePool] === pool,
    );
}

/** The image that a claim without an instance is to run. */
function targetImage(
  rollouts: readonly NodeRollout[],
  { spec }: NodeClaim,
  { rollout, variant }: { readonly rollout: string | undefined; readonly variant: string | undefined },
): string | undefined {
  const source = imageSourceOf(spec.nodeClassRef.name);
  const own = rollouts.find(({ metadata }) => metadata.name === rollout);
  return own?.spec.to.find((image) => image.source === source && image.variant === variant)?.image;
}

function expirationOf(claim: NodeClaim): Pick<RolloutNode, 'expiresAt'> {
  const at = claimExpiresAt(claim);
  return at === undefined ? {} : { expiresAt: at };
}

function initializationOf(claim: NodeClaim): Pick<RolloutNode, 'initializedAt'> {
  const at = conditionOf(claim, 'Initialized')?.lastTransitionTime;
  return isConditionTrue(claim, 'Initialized') && at !== undefined ? { initializedAt: fromTimestamp(at) } : {};
}

const memberRegistrationMs = minutes(15);

/** A member that was given up because it never joined counts as a failed one until it is gone. */
function isMemberLeaving(claim: NodeClaim, now: Instant): boolean {
  if (claim.metadata.deletionTimestamp === undefined) return false;
  const isOverdue = now - claimCreatedAt(claim) >= memberRegistrationMs;
  return rolloutOfClaim(claim) === undefined || isConditionTrue(claim, 'Initialized') || !isOverdue;
}

/** What keeps a node that was let go, or that drains, from being emptied. */
const drainBlockerOf = (
  sources: NodeSources,
  { metadata }: NodeClaim,
  node: Node | undefined,
): Pick<RolloutNode, 'blockedBy'> =>
  metadata.deletionTimestamp === undefined && !sources.admitted.has(metadata.name)
    ? {}
    : { ...findDrainBlocker(sources, node), ...findProtection(sources, node) };

/** The pods of the node had no other place. */
function backOffOfNode(claim: NodeClaim): Pick<RolloutNode, 'backOff'> {
  const failure = replacementFailureOn(claim);
  return failure === undefined ? {} : { backOff: { until: failure.until, because: failure.because } };
}

function otherDriftOf({ findings, now }: NodeSources, claim: NodeClaim): Pick<RolloutNode, 'otherDrift'> {
  const reason = findings.findingOf(claim.metadata.name)?.reason;
  if (reason === undefined) return {};
  const since = conditionOf(claim, 'Drifted')?.lastTransitionTime;
  return { otherDrift: { reason, since: since === undefined ? instant(now) : fromTimestamp(since) } };
}
