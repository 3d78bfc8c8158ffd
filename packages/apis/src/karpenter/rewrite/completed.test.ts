import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { completeManifest, stillMissing } from './completed.ts';

const aClass = (spec: object): KubernetesObject =>
  ({ apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'a' }, spec }) as KubernetesObject;
const pool: KubernetesObject = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' } };

const discovered = [{ tags: { 'karpenter.sh/discovery': 'demo' } }];
const own = [{ id: 'x-1' }];

test.each([
  [
    'that leaves everything out gets all of it',
    {},
    { role: 'KarpenterNodeRole-demo', subnetSelectorTerms: discovered, securityGroupSelectorTerms: discovered },
  ],
  [
    'keeps its role and its terms',
    { role: 'mine', subnetSelectorTerms: own, securityGroupSelectorTerms: own },
    { role: 'mine', subnetSelectorTerms: own, securityGroupSelectorTerms: own },
  ],
  [
    'with an instance profile needs no role',
    { instanceProfile: 'mine' },
    { instanceProfile: 'mine', subnetSelectorTerms: discovered, securityGroupSelectorTerms: discovered },
  ],
])('a node class %s', (_, spec, expected) => {
  expect(completeManifest(aClass(spec), 'demo')).toEqual(aClass(expected));
});

test('nothing is filled in without the name of the cluster, nor into other kinds', () => {
  const bare = aClass({});
  expect(completeManifest(bare, undefined)).toBe(bare);
  expect(completeManifest(pool, 'demo')).toBe(pool);
});

const hint = ', or let --cluster-name fill it in';
const isMissing = 'is missing: v1 requires it; add it before you apply this';

test.each([
  [
    'a class without a role',
    aClass({}),
    ['spec.subnetSelectorTerms'],
    [`spec.subnetSelectorTerms ${isMissing}${hint}`, `spec.role or spec.instanceProfile ${isMissing}${hint}`],
  ],
  [
    'a class with a role',
    aClass({ role: 'r' }),
    ['spec.subnetSelectorTerms'],
    [`spec.subnetSelectorTerms ${isMissing}${hint}`],
  ],
  ['a class with a profile', aClass({ instanceProfile: 'p' }), [], []],
  ['a pool', pool, ['spec.template'], [`spec.template ${isMissing}`]],
  ['a pool with everything', pool, [], []],
])('what %s lacks is said with the reason', (_, object, fields, remarks) => {
  expect(stillMissing(object, fields)).toEqual(remarks);
});
