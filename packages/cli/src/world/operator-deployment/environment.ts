import { readOwn } from '@nodewright/apis';
import { settingTable, variableOf } from '../../controller/setting-table.ts';
import type { EnvironmentVariable } from './manifests.ts';

/** The settings that flags or the environment of the sandbox may give to the operator inside. */
const givenNames = ['preferencePolicy', 'minValuesPolicy', 'schedulerConfig', 'featureGates'] as const;

type GivenTexts = Readonly<Record<string, string | undefined>>;

/** What the operator's Deployment says when it is new, as the chart would. */
export const initialEnvironment = (clusterName: string): readonly EnvironmentVariable[] => [
  { name: 'LOG_LEVEL', value: settingTable.logLevel.value },
  { name: 'METRICS_PORT', value: String(settingTable.metricsPort.value) },
  { name: 'HEALTH_PROBE_PORT', value: String(settingTable.healthProbePort.value) },
  { name: 'SYSTEM_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  { name: 'LEADER_ELECTION_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  { name: 'BATCH_MAX_DURATION', value: '10s' },
  { name: 'BATCH_IDLE_DURATION', value: '1s' },
  { name: 'PREFERENCE_POLICY', value: settingTable.preferencePolicy.value },
  { name: 'MIN_VALUES_POLICY', value: settingTable.minValuesPolicy.value },
  { name: 'CLUSTER_NAME', value: clusterName },
  { name: 'INTERRUPTION_QUEUE', value: clusterName },
  { name: 'VM_MEMORY_OVERHEAD_PERCENT', value: String(settingTable.vmMemoryOverheadPercent.value) },
  { name: 'RESERVED_ENIS', value: String(settingTable.reservedEnis.value) },
];

/** What was given at this start: a flag, or else a variable of the environment. */
export const givenEnvironment = (flags: GivenTexts, environment: GivenTexts): readonly EnvironmentVariable[] =>
  givenNames.flatMap((name) => {
    const value = flags[name] ?? readOwn(environment, variableOf(name));
    return value === undefined ? [] : [{ name: variableOf(name), value }];
  });
