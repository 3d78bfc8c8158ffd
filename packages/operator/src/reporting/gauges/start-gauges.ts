import type { Conditioned } from '@nodewright/apis';
import type { CachedCollection } from '../../objects/collection.ts';
import type { GaugeSet } from './gauge-set.ts';
import { instanceTypeGauges } from './instance-type-gauges.ts';
import { nodeGauges } from './node-gauges.ts';
import { podGauges } from './pod-gauges.ts';
import { poolGauges } from './pool-gauges.ts';
import { rolloutGauges } from './rollout-gauges.ts';
import { statusGauges } from './status-gauges.ts';
import type { Cloud } from '@nodewright/ports';
import type { Clock, Logger, Metrics } from '@nodewright/runtime';
import type { OperatorSettings } from '../../settings.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import type { GroupReadings } from '../../state/group-readings.ts';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import type { PriceBook } from '../../state/price-book.ts';
import type { UnsyncedTime } from '../../state/unsynced-time.ts';

type GaugeSources = {
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly cloud: Pick<Cloud, 'instanceTypes'>;
  readonly clock: Clock;
  readonly objects: Objects;
  readonly readings: GroupReadings;
  readonly state: ClusterState;
  readonly unsynced: UnsyncedTime;
  readonly podTimes: PodTimes;
  readonly prices: PriceBook;
  readonly settings: Pick<OperatorSettings, 'nodeOverlay' | 'capacityBuffer'>;
};

/** `metrics.node`, `metrics.nodepool`, `metrics.pod`: computed when they are read. A standby that took over once shows nothing of its past. */
export function startGauges(deps: GaugeSources): { stop(): Promise<void> } {
  const { objects } = deps;
  const statusOf = <T extends Conditioned>(kind: CachedCollection<T>): GaugeSet =>
    statusGauges({ type: kind.type, list: () => kind.list() }, deps);
  const sets = [
    nodeGauges(deps),
    poolGauges(deps),
    podGauges(deps),
    rolloutGauges(deps),
    instanceTypeGauges(deps),
    statusOf(objects.nodeClaims),
    statusOf(objects.nodePools),
    statusOf(objects.nodeClasses),
    statusOf(objects.nodes),
    ...(deps.settings.nodeOverlay ? [statusOf(objects.nodeOverlays)] : []),
    ...(deps.settings.capacityBuffer ? [statusOf(objects.capacityBuffers)] : []),
  ];
  const takeOut = sets.map(({ refresh }) => deps.metrics.beforeText(refresh));
  return {
    stop: async () => {
      for (const out of takeOut) out();
      for (const { clear } of sets) clear();
    },
  };
}
