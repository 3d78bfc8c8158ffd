import { describe, expect, test } from 'vitest';
import { Faults } from '../faults/faults.ts';
import { vcpuQuotas } from '../catalogue/vcpu-quotas.ts';
import { isLimited, quotaOf, vcpusGranted, vcpusOf } from './vcpu-limits.ts';

describe('the quota of an instance', () => {
  test.each<[type: string, capacityType: 'spot' | 'on-demand', code: string | undefined]>([
    ['m5.large', 'on-demand', 'L-1216C47A'],
    ['m5.large', 'spot', 'L-34B43A08'],
    ['t3.micro', 'on-demand', 'L-1216C47A'],
    ['g5.xlarge', 'on-demand', 'L-DB2E81BA'],
    ['g5.xlarge', 'spot', 'L-3819A6DF'],
    ['p4d.24xlarge', 'on-demand', 'L-417A185B'],
    ['inf2.xlarge', 'spot', 'L-B5D1601B'],
    ['trn1.2xlarge', 'on-demand', 'L-2C3B7624'],
    ['hpc6a.48xlarge', 'on-demand', 'L-F7808C92'],
    ['hpc6a.48xlarge', 'spot', undefined],
    ['mac1.metal', 'on-demand', undefined],
  ])('%s bought %s is %s', (instanceType, capacityType, code) => {
    expect(quotaOf({ instanceType, capacityType })?.code).toBe(code);
  });
});

describe('faults lower quotas', () => {
  const quotaNamed = (code: string) => {
    const quota = vcpuQuotas.find((each) => each.code === code);
    if (quota === undefined) throw new Error(`no quota ${code}`);
    return quota;
  };
  const [standard, p] = [quotaNamed('L-1216C47A'), quotaNamed('L-417A185B')];

  test.each<
    [fact: string, faults: readonly { vcpus: number; quotaCode?: string }[], granted: readonly [number, number]]
  >([
    ['none without a fault', [], [1_000_000, 1_000_000]],
    ['all without a code', [{ vcpus: 8 }], [8, 8]],
    ['the one with the code', [{ vcpus: 8, quotaCode: 'L-417A185B' }], [1_000_000, 8]],
    ['to the least of several', [{ vcpus: 8 }, { vcpus: 4, quotaCode: 'L-1216C47A' }], [4, 8]],
  ])('%s', (_, wanted, granted) => {
    const faults = new Faults();
    for (const fault of wanted) faults.add({ kind: 'vcpu-quota', ...fault });
    expect([vcpusGranted(standard, faults), vcpusGranted(p, faults)]).toEqual(granted);
    expect([isLimited(standard, faults), isLimited(p, faults)]).toEqual(granted.map((each) => each < 1_000_000));
  });
});

test.each([
  ['m5.large', 2],
  ['m5.xlarge', 4],
  ['none', 0],
])('%s has %i vCPUs', (instanceType, vcpus) => {
  expect(vcpusOf(instanceType)).toBe(vcpus);
});
