import type { ControllerSettings } from './setting-table.ts';

/** What the settings of the controller say to its cloud. */
export const cloudSettingsOf = (settings: ControllerSettings) => ({
  vmMemoryOverheadPercent: settings.vmMemoryOverheadPercent,
  reservedEnis: settings.reservedEnis,
  ...(settings.amiRefreshInterval === undefined ? {} : { imagesFreshMs: settings.amiRefreshInterval }),
  subnetsFreshMs: settings.subnetRefreshInterval,
  dryRun: !settings.disableDryRun,
  interruptionQueue: settings.interruptionQueue,
  isolatedVpc: settings.isolatedVpc,
  nodeClassCel: settings.awsFeatureGates.get('NodeClassCEL') ?? false,
  reservedCapacity: settings.featureGates.get('ReservedCapacity') ?? true,
});
