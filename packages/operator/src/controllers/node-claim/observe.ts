import {
  type EC2NodeClass,
  instant,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  type Node,
  type NodeClaim,
  seconds,
  byNumberOf,
  byTextOf,
  inOrder,
} from '@nodewright/apis';
import { type ClaimImages, type InstanceType, selectClaimImages } from '@nodewright/engine';
import type { Instance, InstancePort, InstanceTypePort } from '@nodewright/ports';
import { type ClosedImage, listClosedImages, listImagesToTry } from '../../state/closed-images.ts';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import { isLookedAtForLaunch } from '../../state/launch-look.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findNodeOfClaim, findNodeOfInstance } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { readGateOfClass } from '../../state/rollout-governance.ts';
import { judgedByAt, rolloutOfClaim } from '../../state/rollout-seats.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { claimCreatedAt } from './created-at.ts';
import { timeoutAt } from './timeouts.ts';

/** One claim, and what its next step depends on. */
export type ClaimSnapshot = {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass | undefined;
  /** The claim's own Node: registered with it, or of the name that EC2 gives to its instance. */
  readonly node: Node | undefined;
  /** Nodes with the claim's provider id that nothing proves to be its own. */
  readonly strangers: readonly Node[];
  /** Another claim that is to stay has the same instance. */
  readonly isShared: boolean;
  /**
   * What the NodeClass offers, as overlays leave it; looked up for claims that are to be launched. `undefined` while no
   * overlay was held against the claim's NodePool.
   */
  readonly instanceTypes: readonly InstanceType[] | undefined;
  /** What the claim may be launched from. */
  readonly images: ClaimImages;
  /** Images whose machines do not join the claim's pool: it is not launched with one of them now. */
  readonly closedImages: readonly ClosedImage[];
  /** One claim is to try such an image: which one is known by then. */
  readonly trialAt?: Instant;
  /** A rollout has still to write down that its machine did not join: until then it is kept. */
  readonly keptUntil?: Instant;
  /** The images of the NodeClass were looked for lately enough for a launch. */
  readonly isLookedAt: boolean;
};

export type ClaimSources = {
  readonly objects: Objects;
  readonly now: Instant;
  readonly instances: InstancePort;
  readonly instanceTypes: Pick<InstanceTypePort, 'list'>;
  readonly overlays: OverlaidTypes;
  readonly decisions: ImageDecisions;
};

export async function observeClaim(
  sources: ClaimSources,
  name: string,
  signal: AbortSignal,
): Promise<ClaimSnapshot | undefined> {
  const { objects } = sources;
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isManagedNodeClass(claim.spec.nodeClassRef)) return undefined;
  const nodeClass = objects.nodeClasses.get(claim.spec.nodeClassRef.name);
  const isToBeLaunched = nodeClass !== undefined && !isConditionTrue(claim, 'Launched');
  return {
    claim,
    nodeClass,
    ...(await nodesFor(sources, claim, signal)),
    isShared: hasOtherClaim(objects, claim),
    images: imagesForClaim(sources, claim, nodeClass),
    ...verdictOn(sources, claim),
    ...(isToBeLaunched ? closedImagesFor(sources, claim) : { closedImages: [] }),
    isLookedAt: isLookedAtForLaunch(sources.decisions, claim, sources.now),
    instanceTypes: isToBeLaunched ? await typesForClaim(sources, claim, nodeClass, signal) : [],
  };
}

/** A claim that a rollout has made for its target gets that; every other claim what the NodeClass selects. */
function imagesForClaim(
  { objects, decisions, now }: ClaimSources,
  claim: NodeClaim,
  nodeClass: EC2NodeClass | undefined,
): ClaimImages {
  const selected = nodeClass?.status?.amis ?? [];
  const rollout = rolloutOfClaim(claim);
  const record = decisions.recordOf(claim.spec.nodeClassRef.name);
  if (rollout === undefined) return { kind: 'selected', images: selected };
  // Before the first decision of this process nothing is known of the rollout's images.
  if (record === undefined) return { kind: 'noSeat', rollout };
  const gate = readGateOfClass(objects, claim.spec.nodeClassRef.name, { ...record, now });
  return selectClaimImages(rollout, { selected, gate });
}

function verdictOn({ objects }: ClaimSources, claim: NodeClaim): Pick<ClaimSnapshot, 'keptUntil'> {
  if (isConditionTrue(claim, 'Registered')) return {};
  const times = { createdAt: claimCreatedAt(claim), giveUpAt: timeoutAt(claim, 'Registered') };
  const keptUntil = judgedByAt(objects, claim, times);
  return keptUntil === undefined ? {} : { keptUntil };
}

/** Claims that were created together know of each other by then. */
const trialSettlesMs = seconds(2);

/** After a pause the oldest claim of the pool without an instance tries the image. A seat of a rollout is its own trial. */
function closedImagesFor(
  { objects, now }: ClaimSources,
  claim: NodeClaim,
): Pick<ClaimSnapshot, 'closedImages' | 'trialAt'> {
  const pool = objects.nodePools.get(claim.metadata.labels?.[karpenterLabels.nodePool] ?? '');
  if (pool === undefined || rolloutOfClaim(claim) !== undefined) return { closedImages: [] };
  const closed = listClosedImages(objects, pool, now);
  const toTry = listImagesToTry(objects, pool, now);
  if (toTry.length === 0) return { closedImages: closed };
  const trialAt = instant(claimCreatedAt(claim) + trialSettlesMs);
  const [first] = objects.nodeClaims
    .by('nodePool', pool.metadata.name)
    .filter((other) => isWithoutInstance(other) && rolloutOfClaim(other) === undefined)
    .toSorted(
      inOrder(
        byNumberOf(claimCreatedAt),
        byTextOf(({ metadata }) => metadata.name),
      ),
    );
  const isFirst = first?.metadata.name === claim.metadata.name;
  return { closedImages: isFirst ? closed : [...closed, ...toTry], trialAt };
}

const isWithoutInstance = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp === undefined && !isConditionTrue(claim, 'Launched');

async function typesForClaim(
  { objects, instanceTypes, overlays }: ClaimSources,
  { metadata }: NodeClaim,
  nodeClass: EC2NodeClass,
  signal: AbortSignal,
): Promise<readonly InstanceType[] | undefined> {
  const types = await instanceTypes.list(nodeClass, signal);
  const nodePool = objects.nodePools.get(metadata.labels?.[karpenterLabels.nodePool] ?? '');
  return nodePool === undefined ? types : overlays.of(nodePool, types);
}

/** EC2 is asked only about a Node that is not registered yet. */
async function nodesFor(
  sources: NodeSources,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<Pick<ClaimSnapshot, 'node' | 'strangers'>> {
  const { objects, instances } = sources;
  const registered = findNodeOfClaim(objects, claim);
  if (registered !== undefined) return { node: registered, strangers: [] };
  const providerId = claim.status?.providerID ?? '';
  const isMissed = providerId !== '' && objects.nodes.by('providerId', providerId).length === 0;
  if (isMissed && isOverdue(sources, claim)) await readNodeOfInstance(sources, providerId, signal);
  const candidates = providerId === '' ? [] : objects.nodes.by('providerId', providerId);
  const instance = candidates.length === 0 ? undefined : await namedInstance(instances, providerId, signal);
  const node = instance && findNodeOfInstance(candidates, instance);
  return { node, strangers: candidates.filter((each) => each !== node) };
}

type NodeSources = Pick<ClaimSources, 'objects' | 'instances' | 'now'>;

const isOverdue = ({ now }: NodeSources, claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  !isConditionTrue(claim, 'Registered') &&
  now >= timeoutAt(claim, 'Registered');

/** A claim is not given up because the watch of Nodes lags. */
async function readNodeOfInstance(
  { objects, instances }: NodeSources,
  providerId: string,
  signal: AbortSignal,
): Promise<void> {
  const instance = await namedInstance(instances, providerId, signal);
  for (const name of [instance?.privateDnsName, instance?.id])
    if (name !== undefined && name !== '') await objects.nodes.read({ name });
}

/** EC2 names an instance once it runs: an answer from before that does not count. */
async function namedInstance(
  instances: InstancePort,
  providerId: string,
  signal: AbortSignal,
): Promise<Instance | undefined> {
  const known = await instances.lastSeen(providerId, signal);
  return known !== undefined && known.privateDnsName !== '' ? known : instances.get(providerId, signal);
}

const hasOtherClaim = ({ nodeClaims }: Objects, { metadata, status }: NodeClaim): boolean =>
  nodeClaims
    .by('instanceId', status?.providerID?.split('/').at(-1) ?? '')
    .some((other) => other.metadata.name !== metadata.name && other.metadata.deletionTimestamp === undefined);
