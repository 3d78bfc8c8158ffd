import { expect, test } from 'vitest';
import { chooseZones } from './choose-zones.ts';

const poolIn = (...values: readonly string[]): object => ({
  kind: 'NodePool',
  spec: { template: { spec: { requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values }] } } },
});

test.each([
  { fact: 'zones of one region', manifests: [poolIn('eu-west-1b')], region: 'eu-west-1', letters: 'abc' },
  { fact: 'a zone beyond the third', manifests: [poolIn('us-gov-west-1d')], region: 'us-gov-west-1', letters: 'abcd' },
  { fact: 'no zones', manifests: [{ kind: 'Deployment' }], region: 'us-east-1', letters: 'abc' },
  {
    fact: 'zones of two regions',
    manifests: [poolIn('eu-west-1a', 'us-west-2a')],
    region: 'us-east-1',
    letters: 'abc',
  },
  {
    fact: 'ids of zones and local zones',
    manifests: [poolIn('euw1-az1', 'us-west-2-lax-1a')],
    region: 'us-east-1',
    letters: 'abc',
  },
])('manifests that name $fact', ({ manifests, region, letters }) => {
  expect(chooseZones(manifests)).toEqual({ region, zones: letters.split('').map((letter) => `${region}${letter}`) });
});
