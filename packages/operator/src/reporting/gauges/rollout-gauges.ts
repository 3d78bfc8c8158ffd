import {
  days,
  fromTimestamp,
  type Instant,
  karpenterLabels,
  type NodeRollout,
  type NodeRolloutPolicy,
  type VariantImage,
} from '@nodewright/apis';
import { currentRollout, parseReleaseDay } from '@nodewright/engine';
import type { Clock, Metrics } from '@nodewright/runtime';
import type { GroupReadings } from '../../state/group-readings.ts';
import type { Objects } from '../../state/objects.ts';
import { findActingPolicy, findPolicyOfGroup, rolloutsOfPolicy } from '../../state/rollout-governance.ts';
import { gaugeSet, type GaugeSet } from './gauge-set.ts';

type RolloutGaugeSources = {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly objects: Objects;
  readonly readings: GroupReadings;
};

/** Where the rollouts of policies stand, and how far behind their nodes are. */
export function rolloutGauges({ metrics, clock, objects, readings }: RolloutGaugeSources): GaugeSet {
  const perRollout = (name: string, help: string, ...labels: readonly string[]) =>
    metrics.gauge({ name: `nodewright_rollout_${name}`, help, labels: ['policy', 'rollout', ...labels] });
  const perPolicy = (name: string, help: string) =>
    metrics.gauge({ name: `nodewright_rollout_${name}`, help, labels: ['policy'] });
  const gauges = {
    state: perRollout('state', 'The state that the rollout under way is in: 1', 'state'),
    nodes: perRollout('nodes', 'Nodes of the rollout under way, by what has become of them', 'state'),
    members: perRollout('members', 'New nodes of the wave under way, by how they are', 'state'),
    failures: perRollout('failures', 'New nodes that failed, by the signal that told', 'signal'),
    soak: perRollout('soak_remaining_seconds', 'How long the wave under way has still to soak if all goes well'),
    oldest: perPolicy('oldest_image_days', 'Age of the oldest image that a node of the policy runs, by its release'),
    exposure: perPolicy('exposure_days', 'Days since the newest release came out that nodes of the policy are behind'),
  };
  const writeRollout = (rollout: NodeRollout): void => {
    const about = { policy: rollout.spec.policy, rollout: rollout.metadata.name };
    const { status = {} } = rollout;
    gauges.state.set({ ...about, state: status.state ?? 'Progressing' }, 1);
    const parked = status.parked?.length ?? 0;
    const { updated = 0, ready = 0, failed = 0, remaining = 0 } = status;
    for (const [state, count] of Object.entries({ updated, ready, failed, remaining, parked }))
      gauges.nodes.set({ ...about, state }, count);
    const wave = status.waves?.find(({ name }) => name === status.wave);
    for (const state of ['taken', 'healthy', 'failed'] as const)
      gauges.members.set({ ...about, state }, wave?.[state] ?? 0);
    for (const [signal, count] of countSignals(rollout)) gauges.failures.set({ ...about, signal }, count);
    if (wave?.soakedUntil !== undefined) {
      const leftMs = fromTimestamp(wave.soakedUntil) - clock.now();
      gauges.soak.set(about, Math.max(0, Math.round(leftMs / 1000)));
    }
  };
  return gaugeSet(gauges, () => {
    const now = clock.now();
    for (const policy of objects.rolloutPolicies.list()) {
      const { name } = policy.metadata;
      const rollouts = rolloutsOfPolicy(objects, name);
      const current = currentRollout({ rollouts });
      if (current !== undefined) writeRollout(current);
      const dates = releaseDates(policy, rollouts);
      const ages = imagesOfPolicy({ objects, readings }, name).flatMap((image) => dates.get(image) ?? []);
      if (ages.length > 0) gauges.oldest.set({ policy: name }, wholeDays(now - Math.min(...ages)));
      gauges.exposure.set({ policy: name }, current === undefined ? 0 : exposureOf(current, dates, now));
    }
  });
}

function countSignals({ status }: NodeRollout): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { signal } of status?.failures ?? []) counts.set(signal, (counts.get(signal) ?? 0) + 1);
  return counts;
}

/** When the releases of known images came out: their names say the day. Images without a day in their name have none. */
function releaseDates(
  { status = {} }: NodeRolloutPolicy,
  rollouts: readonly NodeRollout[],
): ReadonlyMap<string, number> {
  const images: readonly VariantImage[] = [
    ...(status.baseline ?? []),
    ...(status.history ?? []).flatMap((each) => each.images),
    ...rollouts.flatMap(({ spec }) => [...spec.from, ...spec.to]),
  ];
  return new Map(
    images.flatMap(({ image, release }): [string, number][] => {
      const day = parseReleaseDay(release);
      return day === undefined ? [] : [[image, day]];
    }),
  );
}

/** The image of each node. */
function imagesOfPolicy(
  { objects, readings }: Pick<RolloutGaugeSources, 'objects' | 'readings'>,
  policy: string,
): readonly string[] {
  const claims = objects.nodeClaims.list().filter(({ metadata }) => {
    const pool = metadata.labels?.[karpenterLabels.nodePool] ?? '';
    return findActingPolicy(objects, pool)?.metadata.name === policy;
  });
  const groups = objects.nodeGroups
    .list()
    .filter(({ metadata }) => findPolicyOfGroup(objects, metadata.name)?.metadata.name === policy);
  return [
    ...claims.flatMap(({ status }) => status?.imageID ?? []),
    ...groups.flatMap(({ metadata }) => (readings.of(metadata.name)?.instances ?? []).map(({ image }) => image)),
  ];
}

/** A release that nodes are behind is a way in for as long as it is out. */
function exposureOf({ spec, status, metadata }: NodeRollout, dates: ReadonlyMap<string, number>, now: Instant): number {
  if ((status?.remaining ?? 0) === 0) return 0;
  const known = spec.to
    .filter(({ image }) => !spec.from.some((proven) => proven.image === image))
    .flatMap(({ image }) => dates.get(image) ?? []);
  const since = known.length === 0 ? Date.parse(metadata.creationTimestamp ?? '') : Math.max(...known);
  return Number.isNaN(since) ? 0 : wholeDays(now - since);
}

const wholeDays = (ms: number): number => Math.max(0, Math.floor(ms / days(1)));
