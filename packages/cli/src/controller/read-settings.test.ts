import { describe, expect, test } from 'vitest';
import { InputError } from '../terminal/exit-status.ts';
import { readSettings } from './read-settings.ts';
import { flagOf, variableOf } from './setting-table.ts';

const named = { CLUSTER_NAME: 'demo' };

describe('the settings of the controller', () => {
  for (const { fact, flags = {}, environment = {}, expected } of [
    { fact: 'have the defaults of Karpenter', expected: { metricsPort: 8080, batchMaxDuration: 10_000 } },
    { fact: 'are read from the environment', environment: { METRICS_PORT: '9090' }, expected: { metricsPort: 9090 } },
    {
      fact: 'are those of the flag where both are given',
      flags: { batchIdleDuration: '2s' },
      environment: { BATCH_IDLE_DURATION: '3s' },
      expected: { batchIdleDuration: 2_000 },
    },
    {
      fact: 'are the default where a number in the environment is none',
      environment: { CPU_REQUESTS: 'many' },
      expected: { cpuRequests: 1_000 },
    },
    {
      fact: 'know Go’s spellings of a boolean in the environment',
      environment: { ISOLATED_VPC: 'T' },
      expected: { isolatedVpc: true },
    },
  ]) {
    test(fact, () => {
      expect(readSettings(flags, { ...named, ...environment }).settings).toMatchObject({
        clusterName: 'demo',
        ...expected,
      });
    });
  }

  for (const { fact, flags = {}, environment = {}, told } of [
    { fact: 'a missing cluster name', environment: { CLUSTER_NAME: '' }, told: '--cluster-name: is required' },
    {
      fact: 'a number that is none',
      flags: { metricsPort: 'x' },
      told: '--metrics-port: must be a port from 0 to 65535 (0: any free one), not "x"',
    },
    {
      fact: 'a port that is none',
      flags: { healthProbePort: '99999' },
      told: '--health-probe-port: must be a port from 0 to 65535',
    },
    {
      fact: 'a flag that is neither true nor false',
      flags: { isolatedVpc: 'T' },
      told: 'must be true or false, not "T"',
    },
    { fact: 'an unknown log level', environment: { LOG_LEVEL: 'loud' }, told: 'LOG_LEVEL: must be one of "", debug' },
    {
      fact: 'a relative endpoint',
      environment: { CLUSTER_ENDPOINT: 'x' },
      told: 'CLUSTER_ENDPOINT: must be an absolute URL',
    },
    { fact: 'too short an interval', environment: { AMI_REFRESH_INTERVAL: '1s' }, told: 'at least 60s, not "1s"' },
    { fact: 'a gate that is no gate', flags: { featureGates: 'NodeRepair' }, told: '"NodeRepair" is no part of one' },
  ]) {
    test(`refuse ${fact}, with the name and the value`, () => {
      const read = (): unknown => readSettings(flags, { ...named, ...environment });
      expect(read).toThrow(InputError);
      expect(read).toThrow(told);
    });
  }

  test('tell all problems at once', () => {
    expect(() => readSettings({ metricsPort: 'x', logLevel: 'loud' }, {})).toThrow(
      /--metrics-port.*--log-level.*--cluster-name/,
    );
  });

  test.each(['Drift=false', 'DriftEnabled=false'])('take %s and name the budget that does the same', (featureGates) => {
    const { warnings } = readSettings({ featureGates }, named);
    expect(warnings).toEqual([expect.stringContaining('budgets: [{nodes: "0", reasons: [Drifted]}]')]);
  });

  test('are named as in Karpenter', () => {
    expect([variableOf('vmMemoryOverheadPercent'), variableOf('clusterCaBundle')]).toEqual([
      'VM_MEMORY_OVERHEAD_PERCENT',
      'CLUSTER_CA_BUNDLE',
    ]);
    expect(flagOf('kubeClientQps')).toBe('--kube-client-qps');
  });
});

describe('a setting without effect says so', () => {
  test.each([
    ['karpenterService', 'karpenter'],
    ['enableZonalShift', 'true'],
    ['awsFeatureGates', 'Teleport=true'],
    ['ignoreDraRequests', 'false'],
    ['disableControllerWarmup', 'false'],
    ['disableClusterStateObservability', 'true'],
    ['enableProfiling', 'true'],
    ['memoryLimit', '1073741824'],
    ['logErrorOutputPaths', 'stdout'],
  ] as const)('%s=%s', (name, value) => {
    const { warnings } = readSettings({ [name]: value }, { CLUSTER_NAME: 'sandbox' });
    expect(warnings).toEqual([expect.stringContaining(variableOf(name))]);
  });

  test('those with one do not', () => {
    const flags = {
      reservedEnis: '1',
      interruptionQueue: 'sandbox',
      featureGates: 'NodeRepair=true',
      awsFeatureGates: 'NodeClassCEL=true',
    };
    expect(readSettings(flags, { CLUSTER_NAME: 'sandbox' }).warnings).toEqual([]);
  });
});
