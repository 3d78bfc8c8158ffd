import { expect, test } from 'vitest';
import { provisionerToNodePool } from './convert-provisioner.ts';
import type { ProvisionerSpec } from './provisioner.ts';
import { amiSelectorTerms } from './selector-map.ts';

const poolOf = (spec: ProvisionerSpec) =>
  provisionerToNodePool({ apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner', metadata: { name: 'a' }, spec })
    .spec;

for (const [seconds, written] of [
  [undefined, 'Never'],
  [0, '0s'],
  [45, '45s'],
  [60, '1m'],
  [90, '90s'],
  [120, '2m'],
  [3600, '1h'],
  [5400, '90m'],
  [2_592_000, '720h'],
] as const) {
  test(`a lifetime of ${seconds} seconds is written ${written}`, () => {
    const spec = seconds === undefined ? {} : { ttlSecondsUntilExpired: seconds };
    expect(poolOf(spec).template.spec.expireAfter).toBe(written);
  });
}

test('a Provisioner with nothing in it has a template with what it means alone', () => {
  const { template, ...rest } = poolOf({});
  expect(Object.keys(template)).toEqual(['spec']);
  expect(Object.keys(template.spec)).toEqual(['nodeClassRef', 'requirements', 'expireAfter']);
  expect(template.spec.nodeClassRef.name).toBe('');
  expect(rest).toStrictEqual({ disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' } });
});

test('labels, annotations and taints are those of the template', () => {
  const taints = [{ key: 'a', effect: 'NoSchedule' as const }];
  const startupTaints = [{ key: 'b', effect: 'NoExecute' as const }];
  const { template } = poolOf({ labels: { a: '1' }, annotations: { b: '2' }, taints, startupTaints });
  expect(template.metadata).toStrictEqual({ labels: { a: '1' }, annotations: { b: '2' } });
  expect(template.spec).toMatchObject({ taints, startupTaints });
});

test('an empty place in a list of names selects nothing', () => {
  expect(amiSelectorTerms({ 'aws::name': 'a,,b, ' })).toStrictEqual([{ name: 'a' }, { name: 'b' }]);
});

test('limits, weight and the name of the class are taken along', () => {
  const spec = poolOf({ limits: { resources: { cpu: '10' } }, weight: 7, providerRef: { name: 'b' } });
  expect(spec).toMatchObject({ limits: { cpu: '10' }, weight: 7 });
  expect(spec.template.spec.nodeClassRef.name).toBe('b');
  expect(poolOf({ limits: {} })).not.toHaveProperty('limits');
});

test.each([
  [{}, { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }],
  [{ consolidation: {} }, { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }],
  [
    { consolidation: { enabled: false }, ttlSecondsAfterEmpty: 30 },
    { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
  ],
  [
    { consolidation: { enabled: true }, ttlSecondsAfterEmpty: 30 },
    { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
  ],
])('%j removes nodes as %j', (spec, disruption) => {
  expect(poolOf(spec).disruption).toEqual(disruption);
});

const keysOf = (spec: ProvisionerSpec): readonly string[] =>
  poolOf(spec).template.spec.requirements.map(({ key }) => key);
const asked = (key: string) => ({ key, operator: 'Exists' as const });

test('what is asked for is not added', () => {
  const [os, arch, capacity] = ['kubernetes.io/os', 'kubernetes.io/arch', 'karpenter.sh/capacity-type'] as const;
  const types = ['karpenter.k8s.aws/instance-category', 'karpenter.k8s.aws/instance-generation'] as const;
  expect(keysOf({})).toEqual([os, arch, capacity, ...types]);
  expect(keysOf({ requirements: [asked('team')] })).toEqual(['team', os, arch, capacity, ...types]);
  expect(keysOf({ requirements: [asked('team'), asked(arch)] })).toEqual(['team', arch, os, capacity, ...types]);
  for (const key of ['node.kubernetes.io/instance-type', 'karpenter.k8s.aws/instance-family', ...types])
    expect(keysOf({ requirements: [asked(key)] })).toEqual([key, os, arch, capacity]);
});
