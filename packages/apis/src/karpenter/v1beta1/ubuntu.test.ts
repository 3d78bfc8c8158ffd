import { expect, test } from 'vitest';
import type { EC2NodeClassV1Beta1 } from './carried-over.ts';
import { isUbuntu, ubuntuRelease, ubuntuToV1, ubuntuToV1Beta1 } from './ubuntu.ts';

const mark = 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu';
const ownVolume = [{ deviceName: '/dev/xvda' }];
const ownImages = [{ id: 'ami-1' }];

const aClass = (spec: object): EC2NodeClassV1Beta1 =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { name: 'a' },
    spec: { role: 'r', ...spec },
  }) as unknown as EC2NodeClassV1Beta1;

test.each([
  ['Ubuntu', true],
  ['Ubuntu-v20221208', true],
  ['Ubuntux', false],
  ['MyUbuntu', false],
  ['AL2', false],
])('%s is Ubuntu: %s', (family, is) => {
  expect(isUbuntu(family)).toBe(is);
});

test('the release is the one that a mark names', () => {
  expect(ubuntuRelease(['amiFamily', 'release=v20221208'])).toBe('v20221208');
  expect(ubuntuRelease(['amiFamily'])).toBeUndefined();
});

const madeVolume = [
  { deviceName: '/dev/sda1', rootVolume: true, ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' } },
];

test.each([
  [
    'alone',
    { amiFamily: 'Ubuntu' },
    { amiSelectorTerms: [{ id: 'ami-placeholder' }], blockDeviceMappings: madeVolume },
    'amiFamily,blockDeviceMappings,incompatible',
  ],
  [
    'with a release',
    { amiFamily: 'Ubuntu-v20221208', amiSelectorTerms: [] },
    { amiSelectorTerms: [{ id: 'ami-placeholder' }], blockDeviceMappings: madeVolume },
    'amiFamily,blockDeviceMappings,incompatible,release=v20221208',
  ],
  [
    'with images and volumes',
    { amiFamily: 'Ubuntu', amiSelectorTerms: ownImages, blockDeviceMappings: ownVolume },
    { amiSelectorTerms: ownImages, blockDeviceMappings: ownVolume },
    'amiFamily',
  ],
])('a class of Ubuntu %s, and its way back', (_, spec, inV1, marks) => {
  const old = aClass(spec);
  const converted = ubuntuToV1(old);
  expect(converted).toEqual({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'a', annotations: { [mark]: marks } },
    spec: { role: 'r', amiFamily: 'AL2', ...inV1 },
  });
  const { amiSelectorTerms = [], ...rest } = old.spec;
  const withTerms = amiSelectorTerms.length === 0 ? rest : { ...rest, amiSelectorTerms };
  expect(ubuntuToV1Beta1(converted)).toStrictEqual({ ...old, spec: withTerms });
});

test('volumes that were removed in v1 stay removed', () => {
  const converted = ubuntuToV1(aClass({ amiFamily: 'Ubuntu', blockDeviceMappings: ownVolume }));
  const { blockDeviceMappings: _, ...spec } = converted.spec;
  expect(ubuntuToV1Beta1({ ...converted, spec }).spec).not.toHaveProperty('blockDeviceMappings');
});
