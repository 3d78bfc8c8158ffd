import { seconds } from '@nodewright/apis';
import type { DefaultSpreadConstraint } from '@nodewright/engine';

/** What may be set about the operator, under Karpenter's names; defaults are Karpenter's. */
export type OperatorSettings = {
  /** `CLUSTER_NAME` [none]: who speaks in messages and records for other clusters. */
  readonly clusterName: string;
  /** `BATCH_IDLE_DURATION` [1 s]: a window closes when no new pod has come for so long. */
  readonly batchIdleMs: number;
  /** `BATCH_MAX_DURATION` [10 s]: a window closes at the latest after so long. */
  readonly batchMaxMs: number;
  /** `PREFERENCE_POLICY` [Respect]. */
  readonly preferencePolicy: 'Respect' | 'Ignore';
  /** `MIN_VALUES_POLICY` [Strict]. */
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  /** `SCHEDULER_CONFIG` [none]: how pods that state no spread of their own are spread. */
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** The gate `ReservedCapacity` [true]: whether nodes in capacity reservations are watched over. */
  readonly reservedCapacity: boolean;
  /** The gate `NodeOverlay` [false]: whether overlays change what instance types cost and have. */
  readonly nodeOverlay: boolean;
  /** The gate `CapacityBuffer` [false]: whether room is kept for pods to come. */
  readonly capacityBuffer: boolean;
  /** The gate `NodeRepair` [false]: whether nodes that are unhealthy for long are replaced. */
  readonly nodeRepair: boolean;
  /** The gate `SpotToSpotConsolidation` [false]: whether spot nodes are replaced by cheaper spot nodes. */
  readonly spotToSpotConsolidation: boolean;
  /** The gate `StaticCapacity` [false]: whether pools with `replicas` get as many nodes. */
  readonly staticCapacity: boolean;
  /** The gate `ManifestWarnings` [true for `nodewright controller` and `nodewright sandbox`]: whether events tell what lint finds. */
  readonly manifestWarnings: boolean;
  /** `CPU_REQUESTS` [1000]: how many workers controllers get. */
  readonly cpuRequestsMillis: number;
};

export const defaultOperatorSettings: OperatorSettings = {
  clusterName: '',
  batchIdleMs: seconds(1),
  batchMaxMs: seconds(10),
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  defaultSpread: [],
  reservedCapacity: true,
  nodeOverlay: false,
  capacityBuffer: false,
  nodeRepair: false,
  spotToSpotConsolidation: false,
  staticCapacity: false,
  manifestWarnings: false,
  cpuRequestsMillis: 1_000,
};

/** Workers of a controller: `min` at one CPU, `max` at sixty, a straight line between. */
export function workersFor({ cpuRequestsMillis }: OperatorSettings, [min, max]: readonly [number, number]): number {
  const cpus = Math.ceil(cpuRequestsMillis / 1_000);
  const workers = Math.trunc(min + ((max - min) / 59) * (cpus - 1));
  return Math.min(max, Math.max(min, workers));
}
