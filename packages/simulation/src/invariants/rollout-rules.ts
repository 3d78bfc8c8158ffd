import {
  fromTimestamp,
  hours,
  type ImageRule,
  instant,
  isConditionTrue,
  minutes,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicy,
  type VariantImage,
} from '@nodewright/apis';
import { readCalendar, resolveRolloutSettings, type RolloutSettings } from '@nodewright/engine';
import { upstreamRecord } from '../histories/manifests.ts';
import type { Invariant, WorldStep } from './invariant.ts';
import { blocksObservedImage } from './launch-rules.ts';
import { hasDeletionTime, readingLagMs, rolloutOfSeat } from './observed-objects.ts';
import { type ObservedWorld, observedKeyOf } from './observed-world.ts';

export const seatsOfWaves: Invariant = {
  id: 'seats-of-waves',
  sentence: 'No NodeClaim is created for the target of a rollout beyond the seats of its wave.',
  check: ({ world, happening }) => {
    const claim = createdSeat({ world, happening });
    const rollout = claim && world.find('noderollouts.nodewright.dev', rolloutOfSeat(claim) ?? '');
    const policy = rollout && policyOfRollout(world, rollout);
    if (claim === undefined || rollout === undefined || policy === undefined) return [];
    if (rollout.spec.cause === 'Rollback') return [];
    const seats = Math.max(...lateWaves(world, rollout).map((wave) => mostSeats(world, rollout, { policy, wave })));
    const members = observedMembers(world, rollout).length;
    return members <= seats
      ? []
      : [`${claim.metadata.name} is member ${members} of ${rollout.metadata.name}, whose wave has ${seats} seats`];
  },
};

export const haltedTargets: Invariant = {
  id: 'halted-targets',
  sentence: 'No NodeClaim is created for the target of a rollout that has halted.',
  check: (step) => {
    const claim = createdSeat(step);
    const name = claim && rolloutOfSeat(claim);
    if (claim === undefined || name === undefined) return [];
    const versions = step.world.lately('noderollouts.nodewright.dev', name, readingLagMs);
    const isHalted = versions.every((rollout) => rollout?.status?.halted !== undefined && isWholeHalt(rollout));
    return isHalted ? [`${claim.metadata.name} is created for ${name}, which has halted`] : [];
  },
};

export const targetsInSeats: Invariant = {
  id: 'targets-in-seats',
  sentence:
    'No instance is launched from the target of a rollout without a seat before its last wave, unless nothing proven can be launched.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'launched') return [];
    const claim = world.find('nodeclaims.karpenter.sh', happening.claim);
    if (claim === undefined || rolloutOfSeat(claim) !== undefined) return [];
    return rolloutsUnderWay(world)
      .filter(
        (rollout) => isEarly(world, rollout) && isUnprovenTarget(world, rollout, { claim, image: happening.imageId }),
      )
      .map(({ metadata }) => `${happening.instanceId} runs the target of ${metadata.name} and has no seat`);
  },
};

export const paceOfPolicies: Invariant = {
  id: 'pace-of-policies',
  sentence: 'A policy begins no more replacements in any hour than its pace allows, and none outside its calendar.',
  check: (step) =>
    newBeginnings(step).flatMap(({ policy, settings, begun, isRollback }) => {
      const at = fromTimestamp(begun.at);
      const inHour = (policy.status?.begun ?? []).filter((each) => {
        const other = fromTimestamp(each.at);
        return other > at - hours(1) && other <= at;
      }).length;
      const { maxPerHour } = settings.pace;
      const isClosed = !isRollback && readCalendar(settings, at).kind !== 'open';
      return [
        ...(inHour > maxPerHour ? [`${begun.node} is replacement ${inHour} of an hour, pace is ${maxPerHour}`] : []),
        ...(isClosed ? [`${begun.node} is begun outside the calendar of ${policy.metadata.name}`] : []),
      ];
    }),
};

export const surgeOfPolicies: Invariant = {
  id: 'surge-of-policies',
  sentence: 'A policy has no more additional nodes on their way than its `maxSurge`.',
  check: (step) =>
    newBeginnings(step).flatMap(({ policy, settings }) => {
      const { maxSurge, order } = settings.pace;
      const surge = (policy.status?.admitted ?? []).reduce((sum, { claims }) => sum + claims, 0);
      return order === 'TerminateFirst' || surge <= maxSurge
        ? []
        : [`${policy.metadata.name} has ${surge} additional nodes, maxSurge is ${maxSurge}`];
    }),
};

export const pausesHold: Invariant = {
  id: 'pauses',
  sentence: 'No node begins to leave voluntarily while a DisruptionPause holds for everything.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.collection !== 'nodeclaims.karpenter.sh') return [];
    const { before, after } = happening;
    const begins = after !== undefined && isConditionTrue(after, 'DisruptionReason');
    if (!begins || (before !== undefined && isConditionTrue(before, 'DisruptionReason'))) return [];
    return world
      .list('disruptionpauses.nodewright.dev')
      .filter((pause) => holdsAllTheTime(world, observedKeyOf(pause)))
      .map(({ metadata }) => `${after.metadata.name} leaves while ${metadata.name} holds`);
  },
};

export const provenUpstream: Invariant = {
  id: 'proven-upstream',
  sentence:
    'No rollout begins toward a release that its policy requires another cluster to prove, and that is not proven there.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.collection !== 'noderollouts.nodewright.dev') return [];
    const rollout = happening.before === undefined ? (happening.after as NodeRollout | undefined) : undefined;
    if (rollout === undefined || rollout.spec.cause === 'Rollback') return [];
    const policies = world.lately('noderolloutpolicies.nodewright.dev', rollout.spec.policy, readingLagMs);
    if (!policies.every((policy) => policy?.spec.promotion?.require !== undefined)) return [];
    const records = world
      .lately('configmaps', `${upstreamRecord.namespace}/${upstreamRecord.name}`, recordLagMs)
      .map((stored) => stored?.data?.['record'] ?? '');
    return rollout.spec.to
      .filter((image) => !rollout.spec.from.some((before) => before.image === image.image))
      .filter(({ variant, release = '' }) => !records.some((record) => tellsProven(record, { variant, release })))
      .map(
        ({ variant, release }) => `${rollout.metadata.name} leads to ${release} for ${variant}, which is not proven`,
      );
  },
};

/** Records are read every minute, and a rollout may wait for others that are wanted with it. */
const recordLagMs = minutes(5);

const tellsProven = (record: string, { variant, release }: { readonly variant: string; readonly release: string }) =>
  new RegExp(`"variant":"${variant}","release":"${release}"[^}]*"verdict":"Proven"`).test(record);

/** The claim for a target that is created in this step. */
function createdSeat({ happening }: WorldStep): NodeClaim | undefined {
  if (happening.kind !== 'written' || happening.collection !== 'nodeclaims.karpenter.sh') return undefined;
  const claim = happening.after as NodeClaim | undefined;
  return happening.before === undefined && claim !== undefined && rolloutOfSeat(claim) !== undefined
    ? claim
    : undefined;
}

const observedMembers = (world: ObservedWorld, { metadata }: NodeRollout): readonly NodeClaim[] =>
  world
    .list('nodeclaims.karpenter.sh')
    .filter((claim) => rolloutOfSeat(claim) === metadata.name && !hasDeletionTime(claim));

const policyOfRollout = (world: ObservedWorld, { spec }: NodeRollout): NodeRolloutPolicy | undefined =>
  world.find('noderolloutpolicies.nodewright.dev', spec.policy);

const lateWaves = (world: ObservedWorld, { metadata }: NodeRollout): readonly (string | undefined)[] =>
  world.lately('noderollouts.nodewright.dev', metadata.name, readingLagMs).map((rollout) => rollout?.status?.wave);

/** What the policy as it is written gives a wave, however the controller counted. */
function mostSeats(
  world: ObservedWorld,
  { spec }: NodeRollout,
  { policy, wave }: { readonly policy: NodeRolloutPolicy; readonly wave: string | undefined },
): number {
  const { waves } = resolveRolloutSettings(policy.spec);
  const index = Math.max(
    0,
    waves.findIndex(({ name }) => name === wave),
  );
  if (index === waves.length - 1) return Infinity;
  const nodes = Math.max(spec.members, world.list('nodeclaims.karpenter.sh').length);
  const counts = waves
    .slice(0, index + 1)
    .map((each) => (each.nodes.kind === 'percent' ? Math.ceil((each.nodes.amount * nodes) / 100) : each.nodes.amount));
  return Math.max(1, variantsInUse(world), ...counts);
}

/** Each variant with a node has a seat: family, architecture, and whether it has GPUs. */
const variantsInUse = (world: ObservedWorld): number =>
  new Set(
    world.list('nodeclaims.karpenter.sh').flatMap(({ metadata: { labels = {} }, status }) => {
      const family = world.image(status?.imageID ?? '')?.family;
      const hasGpus = labels['karpenter.k8s.aws/instance-gpu-count'] !== undefined;
      return family === undefined ? [] : [`${family} ${labels['kubernetes.io/arch']} ${hasGpus}`];
    }),
  ).size;

/** Rollouts of policies that act, as long as they have not ended. */
const rolloutsUnderWay = (world: ObservedWorld): readonly NodeRollout[] =>
  world.list('noderollouts.nodewright.dev').filter((rollout) => {
    const policy = policyOfRollout(world, rollout);
    const isActing = policy !== undefined && !hasDeletionTime(policy) && policy.spec.mode !== 'Report';
    return isActing && rollout.status?.endedAt === undefined && rollout.spec.cause !== 'Rollback';
  });

/** Whether the rollout was before its last wave all the time. */
function isEarly(world: ObservedWorld, rollout: NodeRollout): boolean {
  const last = resolveRolloutSettings(policyOfRollout(world, rollout)?.spec ?? {}).waves.at(-1)?.name;
  const versions = world.lately('noderollouts.nodewright.dev', rollout.metadata.name, minutes(5));
  return versions.every((each) => each?.status?.wave !== undefined && each.status.wave !== last);
}

/** Whether the image is new, and what was proven for its variant can still be launched. */
function isUnprovenTarget(
  world: ObservedWorld,
  { spec }: NodeRollout,
  launched: { readonly claim: NodeClaim; readonly image: string },
): boolean {
  const own = `EC2NodeClass/${launched.claim.spec.nodeClassRef.name}`;
  const target = spec.to.find(({ image, source }) => image === launched.image && source === own);
  const proven = spec.from.find(({ variant, source }) => variant === target?.variant && source === target.source);
  if (target === undefined || proven === undefined || proven.image === launched.image) return false;
  if (spec.kubernetesVersion !== world.kubernetesVersion) return false; // the proven one may be outside the skew
  return isLaunchable(world, proven);
}

const isLaunchable = (world: ObservedWorld, { image }: VariantImage): boolean =>
  world.image(image)?.isGone === false &&
  !world.list('imagerules.nodewright.dev').some((rule: ImageRule) => blocksObservedImage(world, rule, image));

/** With independent variants one of them may have halted. */
const isWholeHalt = ({ spec, status }: NodeRollout): boolean =>
  spec.to.every(({ variant }) => status?.halted?.variants.includes(variant));

type BegunMove = {
  readonly policy: NodeRolloutPolicy;
  readonly settings: RolloutSettings;
  readonly begun: NonNullable<NonNullable<NodeRolloutPolicy['status']>['begun']>[number];
  readonly isRollback: boolean;
};

/** Replacements that a policy begins in this step. A policy that changed a moment ago is passed over. */
function newBeginnings({ world, happening }: WorldStep): readonly BegunMove[] {
  if (happening.kind !== 'written' || happening.collection !== 'noderolloutpolicies.nodewright.dev') return [];
  const policy = happening.after as NodeRolloutPolicy | undefined;
  if (policy === undefined || policy.spec.mode === 'Report') return [];
  const versions = world.lately('noderolloutpolicies.nodewright.dev', policy.metadata.name, readingLagMs);
  if (versions.some((each) => each?.metadata.generation !== policy.metadata.generation)) return [];
  const earlier = new Set(((happening.before as NodeRolloutPolicy | undefined)?.status?.begun ?? []).map(keyOfBegun));
  const rollbacks = new Set(
    (policy.status?.admitted ?? []).filter(({ reason }) => reason === 'Rollback').map(({ node }) => node),
  );
  const settings = resolveRolloutSettings(policy.spec);
  return (policy.status?.begun ?? [])
    .filter((begun) => !earlier.has(keyOfBegun(begun)))
    .map((begun) => ({ policy, settings, begun, isRollback: rollbacks.has(begun.node) }));
}

const keyOfBegun = ({ node, at }: BegunMove['begun']): string => `${node} ${at}`;

/** Whether the pause has held for a minute, for every pool and reason. */
function holdsAllTheTime(world: ObservedWorld, key: string): boolean {
  const since = instant(world.now - readingLagMs);
  return world
    .lately('disruptionpauses.nodewright.dev', key, readingLagMs)
    .every(
      (pause) =>
        pause !== undefined &&
        pause.spec.scope === undefined &&
        (pause.spec.until === undefined || fromTimestamp(pause.spec.until) > world.now) &&
        fromTimestamp(pause.metadata.creationTimestamp ?? '') <= since,
    );
}
