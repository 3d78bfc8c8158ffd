import { expect, test } from 'vitest';
import { instant } from '@nodewright/apis';
import { allTypes, typeNamed } from './catalogue.ts';
import { chooseCatalogue } from './choose-catalogue.ts';
import { findCurrentType, listCurrentTypes } from './current-types.ts';
import { maxPodsOf } from './instance-type.ts';
import { createMarket } from './market.ts';

test('the catalogue has all types of today', () => {
  expect(listCurrentTypes()).toHaveLength(1363);
  expect(typeNamed('m99.large')).toBeUndefined();
});

/** Pods as amazon-vpc-cni publishes them, GPUs and Neuron devices as EC2 does. */
test.each([
  ['m7a.large', { vcpus: 2, memoryMib: 8192, arch: 'amd64', manufacturer: 'AMD' }, 29],
  ['m8g.xlarge', { vcpus: 4, memoryMib: 16_384, arch: 'arm64', manufacturer: 'AWS' }, 58],
  ['t3.micro', { vcpus: 2, memoryMib: 1024, branchInterfaces: 0 }, 4],
  ['c5d.metal', { isBareMetal: true, localNvmeGb: 3600 }, 737],
  ['g6.12xlarge', { gpu: { manufacturer: 'NVIDIA', name: 'L4', count: 4, memoryMibEach: 22_888 } }, 234],
  ['g4ad.xlarge', { gpu: { manufacturer: 'AMD', name: 'RADEON-PRO-V520', count: 1, memoryMibEach: 8192 } }, 8],
  ['p5.48xlarge', { fabric: { cards: 32, adapters: 32 }, networkMbps: 3_200_000 }, 100],
  ['trn1.32xlarge', { neuron: { name: 'Trainium', count: 16, coresEach: 2, memoryMibEach: 32_768 } }, 247],
  ['inf2.48xlarge', { neuron: { name: 'Inferentia2', count: 12, coresEach: 2, memoryMibEach: 32_768 } }, 737],
])('%s is as published', (name, facts, pods) => {
  const type = findCurrentType(name);
  expect(type).toMatchObject(facts);
  expect(type && maxPodsOf(type)).toBe(pods);
});

test('both catalogues say the same of a type, apart from its share of spot', () => {
  for (const { name, spotPercent: _, ...small } of allTypes()) {
    const { spotPercent: _percent, ...current } = findCurrentType(name) ?? { spotPercent: 0 };
    expect({ ...current, gpu: undefined, neuron: undefined }, name).toMatchObject({
      ...small,
      gpu: undefined,
      neuron: undefined,
    });
  }
});

const day = 24 * 3600 * 1000;
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

test('rare types are in some zones, and every type is in one', () => {
  const { types, isOffered } = createMarket('current');
  const zonesOf = (name: string) =>
    zones.filter((zone) => types().some((type) => type.name === name && isOffered(type, zone)));
  expect([zonesOf('m5.large').length, zonesOf('p5.48xlarge').length]).toEqual([3, 2]);
  expect(types().filter((type) => !zones.some((zone) => isOffered(type, zone)))).toEqual([]);
});

test('spot prices move from day to day, and a history tells how', () => {
  const { spotQuotes } = createMarket('current');
  const type = findCurrentType('c7a.large');
  const to = instant(Date.parse('2026-08-20T12:00:00Z'));
  const quotes = type === undefined ? [] : spotQuotes(type, 'us-east-1a', { from: instant(to - 10 * day), to });
  expect(quotes).toHaveLength(11);
  expect(new Set(quotes.map(({ microUsdPerHour }) => microUsdPerHour)).size).toBeGreaterThan(3);
  expect(Math.max(...quotes.map(({ microUsdPerHour }) => microUsdPerHour))).toBeLessThan(
    type?.priceMicroUsdPerHour ?? 0,
  );
});

const poolWith = (key: string, ...values: readonly string[]) => ({
  kind: 'NodePool',
  spec: { template: { spec: { requirements: [{ key, operator: 'In', values }] } } },
});

test.each([
  ['nothing', {}, 'small'],
  ['known families', poolWith('karpenter.k8s.aws/instance-family', 'm5', 'c6g'), 'small'],
  ['another family', poolWith('karpenter.k8s.aws/instance-family', 'm5', 'm7a'), 'current'],
  ['another type', poolWith('node.kubernetes.io/instance-type', 'p5.48xlarge'), 'current'],
  ['a pod on another type', { spec: { nodeSelector: { 'node.kubernetes.io/instance-type': 'm8g.large' } } }, 'current'],
  ['categories', poolWith('karpenter.k8s.aws/instance-category', 'c', 'm'), 'small'],
] as const)('manifests that name %s', (_fact, manifest, catalogue) => {
  expect(chooseCatalogue([manifest])).toBe(catalogue);
});
