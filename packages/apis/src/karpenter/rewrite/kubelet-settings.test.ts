import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { withKubeletSettings } from './kubelet-settings.ts';
import type { Rewritten } from './rewritten.ts';

const anObject = (kind: string, name: string): KubernetesObject =>
  ({ apiVersion: 'x/v1', kind, metadata: { name }, spec: { role: 'r' } }) as KubernetesObject;

const aClass = (name: string): Rewritten => ({ object: anObject('EC2NodeClass', name), remarks: ['before'] });

const aPool = (nodeClass: string, settings?: object): Rewritten => ({
  object: anObject('NodePool', 'pool'),
  remarks: ['before'],
  ...(settings === undefined ? {} : { kubelet: { nodeClass, settings: { ...settings } } }),
});

const refused = { complaints: [{ field: 'kind', remedy: 'is wrong' }] };

const moved = 'spec.kubelet comes from the pool, where v1 has no place for it';
const leftOut = (nodeClass: string, why: string): string =>
  `kubelet settings are left out: in v1 they belong to spec.kubelet of EC2NodeClass ${nodeClass}, ${why}; they were {"maxPods":20}`;

test('settings of a pool go to the class that it names, and to no other', () => {
  const [pool, named, other] = [aPool('a', { maxPods: 20 }), aClass('a'), aClass('b')];
  const [poolAfter, namedAfter, otherAfter] = withKubeletSettings([pool, named, other]);
  expect(poolAfter).toBe(pool);
  expect(namedAfter).toEqual({
    object: { ...anObject('EC2NodeClass', 'a'), spec: { role: 'r', kubelet: { maxPods: 20 } } },
    remarks: ['before', moved],
  });
  expect(otherAfter).toBe(other);
});

test('pools that agree set the class once', () => {
  const outcomes = withKubeletSettings([aPool('a', { maxPods: 20 }), aPool('a', { maxPods: 20 }), aClass('a')]);
  expect(outcomes.map((outcome) => ('remarks' in outcome ? outcome.remarks : []))).toEqual([
    ['before'],
    ['before'],
    ['before', moved],
  ]);
});

test('pools that disagree are told that their settings are left out', () => {
  const outcomes = withKubeletSettings([aPool('a', { maxPods: 20 }), aPool('a', { maxPods: 30 }), aClass('a')]);
  expect(outcomes[0]).toMatchObject({
    remarks: ['before', leftOut('a', 'whose other pools have other kubelet settings')],
  });
  expect(outcomes[2]).toEqual(aClass('a'));
});

test('a pool whose class is not among the manifests is told so', () => {
  expect(withKubeletSettings([aPool('a', { maxPods: 20 }), aClass('b')])).toEqual([
    { ...aPool('a', { maxPods: 20 }), remarks: ['before', leftOut('a', 'which is not among the manifests')] },
    aClass('b'),
  ]);
});

test('a pool without settings, and a manifest that was refused, stay as they are', () => {
  const outcomes = [aPool('a'), refused, aClass('a')];
  expect(withKubeletSettings(outcomes)).toEqual(outcomes);
});
