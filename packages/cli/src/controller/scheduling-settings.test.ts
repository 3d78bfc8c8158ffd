import { expect, test } from 'vitest';
import { readSchedulingSettings } from './scheduling-settings.ts';

const spread =
  'podTopologySpread: {defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}';

test('nothing said means what Karpenter does by default', () => {
  expect(readSchedulingSettings({}, {})).toEqual({
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    defaultSpread: [],
    reservedCapacity: true,
    nodeRepair: false,
    spotToSpotConsolidation: false,
    staticCapacity: false,
    nodeOverlay: undefined,
    capacityBuffer: undefined,
    manifestWarnings: undefined,
    warnings: [],
  });
});

test('a flag wins over the environment', () => {
  const environment = { PREFERENCE_POLICY: 'Ignore', MIN_VALUES_POLICY: 'BestEffort', SCHEDULER_CONFIG: spread };
  const { options, defaultSpread } = readSchedulingSettings({ preferencePolicy: 'Respect' }, environment);
  expect(options).toEqual({ preferencePolicy: 'Respect', minValuesPolicy: 'BestEffort' });
  expect(defaultSpread).toEqual([{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }]);
});

test('gates turn overlays and buffers on', () => {
  const { nodeOverlay, capacityBuffer } = readSchedulingSettings(
    { featureGates: 'NodeOverlay=true,CapacityBuffer=true' },
    {},
  );
  expect([nodeOverlay, capacityBuffer]).toEqual([true, true]);
});

test('the gate turns reserved capacity off', () => {
  expect(readSchedulingSettings({ featureGates: 'ReservedCapacity=false' }, {}).reservedCapacity).toBe(false);
});

test('every setting that is not understood is told at once', () => {
  const flags = { preferencePolicy: 'Maybe', minValuesPolicy: 'Lax', featureGates: 'Reserved' };
  expect(() => readSchedulingSettings(flags, { SCHEDULER_CONFIG: 'a: b' })).toThrow(
    /--preference-policy: must be one of Respect, Ignore, not "Maybe".*--min-values-policy.*SCHEDULER_CONFIG.*--feature-gates/,
  );
});
