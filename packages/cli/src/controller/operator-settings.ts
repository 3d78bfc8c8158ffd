import type { OperatorSettings } from '@nodewright/operator';
import type { ControllerSettings } from './setting-table.ts';

/** What the settings of the controller say to the operator. */
export const operatorSettingsOf = (settings: ControllerSettings): OperatorSettings => ({
  clusterName: settings.clusterName,
  batchIdleMs: settings.batchIdleDuration,
  batchMaxMs: settings.batchMaxDuration,
  preferencePolicy: settings.preferencePolicy,
  minValuesPolicy: settings.minValuesPolicy,
  defaultSpread: settings.schedulerConfig,
  reservedCapacity: settings.featureGates.get('ReservedCapacity') ?? true,
  nodeOverlay: settings.featureGates.get('NodeOverlay') ?? false,
  capacityBuffer: settings.featureGates.get('CapacityBuffer') ?? false,
  spotToSpotConsolidation: settings.featureGates.get('SpotToSpotConsolidation') ?? false,
  staticCapacity: settings.featureGates.get('StaticCapacity') ?? false,
  nodeRepair: settings.featureGates.get('NodeRepair') ?? false,
  manifestWarnings: settings.featureGates.get('ManifestWarnings') ?? true,
  cpuRequestsMillis: settings.cpuRequests > 0 ? settings.cpuRequests : 1_000,
});
