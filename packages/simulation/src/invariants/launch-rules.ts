import { fromTimestamp, type ImageRule, millisOf, type NodeClaim } from '@nodewright/apis';
import type { Invariant } from './invariant.ts';
import { hasDeletionTime, leavesVoluntarily, poolNameOf, readingLagMs, rolloutOfSeat } from './observed-objects.ts';
import { type ObservedWorld, observedKeyOf } from './observed-world.ts';

export const oneLaunch: Invariant = {
  id: 'one-launch-per-claim',
  sentence: 'EC2 launches at most one instance for a NodeClaim, however often the controller dies or answers are lost.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'launched') return [];
    const launches = world.launchesFor(happening.claim);
    return launches.length <= 1 ? [] : [`${happening.claim} has the instances ${launches.join(' and ')}`];
  },
};

export const allowedImages: Invariant = {
  id: 'blocked-images',
  sentence: 'No instance is launched from an image that an ImageRule blocks.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'launched') return [];
    const { instanceId, imageId } = happening;
    return world
      .list('imagerules.nodewright.dev')
      .filter((rule) => blockedAllTheTime(world, rule, imageId))
      .map(({ metadata }) => `${instanceId} is launched from ${imageId}, which ${metadata.name} blocks`);
  },
};

export const knownImages: Invariant = {
  id: 'images-of-the-class',
  sentence:
    'An instance is launched from an image that the status of its EC2NodeClass names, or the target of the NodeRollout in which its claim has a seat.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'launched') return [];
    const claim = world.find('nodeclaims.karpenter.sh', happening.claim);
    if (claim === undefined) return [];
    const versions = world.lately('ec2nodeclasses.karpenter.k8s.aws', claim.spec.nodeClassRef.name, readingLagMs);
    if (versions.some((each) => each?.status?.amis?.some(({ id }) => id === happening.imageId) === true)) return [];
    const rollout = world.find('noderollouts.nodewright.dev', rolloutOfSeat(claim) ?? '');
    return rollout?.spec.to.some(({ image }) => image === happening.imageId) === true
      ? []
      : [`${happening.instanceId} is launched from ${happening.imageId}, which its EC2NodeClass does not name`];
  },
};

export const poolLimits: Invariant = {
  id: 'pool-limits',
  sentence: 'A launch for pods does not bring a NodePool beyond its limits.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.collection !== 'nodeclaims.karpenter.sh') return [];
    const { before, after } = happening;
    const claim = after as NodeClaim | undefined;
    if (claim === undefined || isReplacement(claim) || cpuOf(claim) === 0) return [];
    if (before !== undefined && cpuOf(before as NodeClaim) > 0) return [];
    return beyondLimits(world, claim);
  },
};

/** Whether the rule blocked the image when the launch was decided, and still does. */
function blockedAllTheTime(world: ObservedWorld, rule: ImageRule, imageId: string): boolean {
  const versions = world.lately('imagerules.nodewright.dev', observedKeyOf(rule), readingLagMs);
  return versions.every((each) => each !== undefined && blocksObservedImage(world, each, imageId));
}

/** Whether a rule blocks the image; a rule that a sound answer needs more for than is observed does not. */
export function blocksObservedImage(world: ObservedWorld, { spec }: ImageRule, imageId: string): boolean {
  if (spec.verdict !== 'Blocked') return false;
  if (spec.until !== undefined && fromTimestamp(spec.until) <= world.now) return false;
  const { family, versions, ids, names, variants } = spec.match;
  if (names !== undefined || variants !== undefined) return false; // a sound answer needs more than is observed
  if (ids !== undefined && !ids.includes(imageId)) return false;
  const image = world.image(imageId);
  if (family !== undefined && image?.family !== family) return false;
  return versions === undefined || versions.includes(image?.version ?? '');
}

const isReplacement = ({ metadata }: NodeClaim): boolean =>
  metadata.annotations?.['nodewright.dev/replacement-for'] !== undefined;

const cpuOf = ({ status }: NodeClaim): number => {
  const cpu = status?.capacity?.['cpu'];
  return cpu === undefined ? 0 : millisOf(cpu);
};

/** A limit may have been lowered after the decision. */
const longestLaunchMs = 1_200_000;

function beyondLimits(world: ObservedWorld, claim: NodeClaim): readonly string[] {
  const name = poolNameOf(claim);
  const limits = world
    .lately('nodepools.karpenter.sh', name, longestLaunchMs)
    .map((pool) => pool?.spec.limits?.['cpu'])
    .map((cpu) => (cpu === undefined ? Infinity : millisOf(cpu)));
  const used = world
    .list('nodeclaims.karpenter.sh')
    .filter((each) => poolNameOf(each) === name && !hasDeletionTime(each) && !leavesVoluntarily(each))
    .reduce((sum, each) => sum + cpuOf(each), 0);
  const limit = Math.max(...limits);
  return used <= limit ? [] : [`${claim.metadata.name} brings NodePool ${name} to ${used}m of ${limit}m cpu`];
}
