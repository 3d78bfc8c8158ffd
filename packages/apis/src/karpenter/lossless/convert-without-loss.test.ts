import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { convertWithoutLoss } from './convert-without-loss.ts';

type Members = Readonly<Record<string, unknown>>;
type VersionedObject = KubernetesObject & { readonly spec: Members };

const inV1 = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const anObject = (apiVersion: string, kind: string, spec: Members, annotations?: Members): VersionedObject =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'default', labels: { team: 'a' }, ...(annotations === undefined ? {} : { annotations }) },
    spec,
  }) as VersionedObject;

const aPool = (disruption: Members, template: Members = {}, spec: Members = {}): VersionedObject => {
  const templateSpec = { nodeClassRef: inV1, requirements: [], expireAfter: '720h', ...template };
  return anObject('karpenter.sh/v1', 'NodePool', { disruption, template: { spec: templateSpec }, ...spec });
};

const anOldPool = (disruption: Members, template: Members = {}): VersionedObject =>
  anObject('karpenter.sh/v1beta1', 'NodePool', {
    disruption,
    template: { spec: { nodeClassRef: { name: 'default' }, requirements: [], ...template } },
  });

const groupOf = ({ apiVersion }: KubernetesObject): string => apiVersion?.split('/')[0] ?? '';
const toOld = (object: KubernetesObject): VersionedObject =>
  convertWithoutLoss(object, `${groupOf(object)}/v1beta1`) as VersionedObject;
const toNew = (object: KubernetesObject): VersionedObject =>
  convertWithoutLoss(object, `${groupOf(object)}/v1`) as VersionedObject;

/** What conversions write down for themselves. */
const noteForm = /^(compatibility\.karpenter\.|nodewright\.dev\/v1(beta1)?-fields$)/;

function withoutNotes(object: VersionedObject): Members {
  const annotations = Object.entries(object.metadata.annotations ?? {}).filter(([name]) => !noteForm.test(name));
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(annotations) } };
}

const everyReason = [
  { nodes: '10%' },
  { nodes: '10%', reasons: ['Drifted'] },
  { nodes: '0', reasons: ['Underutilized'], schedule: '0 9 * * *', duration: '8h' },
];

const newObjects: readonly (readonly [string, VersionedObject])[] = [
  ['a pool of defaults', aPool({ consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' })],
  [
    'a pool with every field that is new',
    aPool(
      { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s', budgets: everyReason },
      { terminationGracePeriod: '1h', expireAfter: 'Never' },
      { replicas: 3, weight: 7, limits: { nodes: '5' } },
    ),
  ],
  ['a pool that only removes empty nodes', aPool({ consolidationPolicy: 'WhenEmpty', consolidateAfter: '5m' })],
  [
    'a pool without disruption',
    anObject('karpenter.sh/v1', 'NodePool', { template: { spec: { nodeClassRef: inV1 } } }),
  ],
  [
    'a pool whose stored version was migrated',
    {
      ...aPool({}),
      metadata: { name: 'a', annotations: { 'karpenter.sh/stored-version-migrated': 'true', mine: 'yes' } },
    },
  ],
  [
    'a claim',
    anObject('karpenter.sh/v1', 'NodeClaim', {
      nodeClassRef: inV1,
      requirements: [],
      expireAfter: '10h',
      terminationGracePeriod: '1h',
    }),
  ],
  [
    'a class with an alias and an age',
    anObject('karpenter.k8s.aws/v1', 'EC2NodeClass', {
      role: 'r',
      amiFamily: 'AL2023',
      amiSelectorTerms: [{ alias: 'al2023@latest', minimumAgeDuration: '10d' }],
      kubelet: { maxPods: 20, unknown: { a: 1 } },
      ipPrefixCount: 4,
      capacityReservationSelectorTerms: [{ id: 'cr-1' }],
    }),
  ],
  [
    'a class with a pinned alias',
    anObject('karpenter.k8s.aws/v1', 'EC2NodeClass', { role: 'r', amiSelectorTerms: [{ alias: 'al2@v20240807' }] }),
  ],
  [
    'a class with images of both kinds',
    anObject('karpenter.k8s.aws/v1', 'EC2NodeClass', {
      role: 'r',
      amiFamily: 'Custom',
      amiSelectorTerms: [{ id: 'ami-1' }, { ssmParameter: '/a' }, { name: 'x', minimumAgeDuration: '2w' }],
    }),
  ],
];

const oldObjects: readonly (readonly [string, VersionedObject])[] = [
  ['a pool of defaults', anOldPool({ consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' })],
  [
    'a pool that never consolidates',
    anOldPool({ consolidationPolicy: 'WhenUnderutilized', consolidateAfter: 'Never' }),
  ],
  [
    'a pool without disruption',
    anObject('karpenter.sh/v1beta1', 'NodePool', { template: { spec: { nodeClassRef: { name: 'a' } } } }),
  ],
  [
    'a pool with resources and a kubelet',
    anOldPool({}, { resources: { requests: { cpu: '1' } }, kubelet: { maxPods: 10 } }),
  ],
  [
    'a class of Ubuntu',
    anObject('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', { role: 'r', amiFamily: 'Ubuntu-v20221208' }),
  ],
  [
    'a class with a pinned family',
    anObject('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', { role: 'r', amiFamily: 'Bottlerocket-v1.9.1' }),
  ],
  [
    'a class with no terms',
    anObject('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', { role: 'r', amiFamily: 'AL2', amiSelectorTerms: [] }),
  ],
];

describe('an object comes back as it was', () => {
  test.each(newObjects)('from v1beta1: %s', (_name, object) => {
    const old = toOld(object);
    expect(withoutNotes(toNew(old))).toEqual(withoutNotes(object));
    // A third conversion says the same as the first one.
    expect(withoutNotes(toOld(toNew(old)))).toEqual(withoutNotes(old));
  });

  test.each(oldObjects)('from v1: %s', (_name, object) => {
    expect(withoutNotes(toOld(toNew(object)))).toEqual(withoutNotes(object));
  });
});

describe('a change that is made in v1beta1', () => {
  const pool = aPool(
    { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s', budgets: everyReason },
    { terminationGracePeriod: '1h' },
  );
  const edited = (change: (spec: Members) => Members): Members => {
    const old = toOld(pool);
    return toNew({ ...old, spec: change(old.spec) } as VersionedObject).spec;
  };

  test('stays, and fields beside it keep what v1 said', () => {
    const spec = edited((before) => ({ ...before, weight: 9 }));
    expect(spec).toEqual({ ...pool.spec, weight: 9 });
  });

  test('wins over what v1 said in the same place', () => {
    const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '2m', expireAfter: '10h' };
    expect(edited((before) => ({ ...before, disruption }))).toMatchObject({
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '2m' },
      template: { spec: { terminationGracePeriod: '1h', expireAfter: '10h' } },
    });
  });

  test('leaves reasons at the budgets that stay', () => {
    const budgets = [{ nodes: '5' }, { nodes: '0', schedule: '0 9 * * *', duration: '8h' }];
    const spec = edited((before) => ({ ...before, disruption: { ...(before['disruption'] as Members), budgets } }));
    expect(spec).toMatchObject({
      disruption: { budgets: [{ nodes: '5' }, { reasons: ['Underutilized'], duration: '8h' }] },
    });
  });
});

describe('an annotation whose text cannot be read', () => {
  const old = toOld(aPool({ consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' }));
  const readWith = (text: string) =>
    toNew({ ...old, metadata: { ...old.metadata, annotations: { 'nodewright.dev/v1-fields': text } } });

  test.each([
    'no JSON',
    '{}',
    '[1]',
    '[{"at":["spec"],"is":5}]',
    '[{"at":["annotations","a"],"is":5}]',
    '[{"at":["metadata","name"],"is":"b"}]',
    '[{"at":["spec","disruption","budgets"],"items":[1]}]',
    '[{"at":["annotations","a"],"items":[]}]',
    '[{"at":["annotations","a","b"],"is":"c"}]',
    '[{"at":["annotations"],"is":"c"}]',
    '[{"at":["spec"],"items":[]}]',
  ])('counts as none: %s', (text) => {
    const { metadata: plain } = readWith('[]');
    const { spec, metadata } = readWith(text);
    expect(spec).toMatchObject({ disruption: { consolidateAfter: '0s' } });
    expect(metadata).toEqual(plain);
  });

  test('changes no spec as a whole, even one that it knows', () => {
    const { spec } = readWith('[]');
    expect(readWith(JSON.stringify([{ at: ['spec'], was: spec, is: {} }])).spec).toEqual(spec);
  });

  test('brings annotations back that are texts, or takes them away', () => {
    const { metadata } = toNew({
      ...old,
      metadata: {
        ...old.metadata,
        annotations: {
          gone: 'x',
          'nodewright.dev/v1-fields': '[{"at":["annotations","new"],"is":"y"},{"at":["annotations","gone"],"was":"x"}]',
        },
      },
    });
    expect(withoutNotes({ ...old, metadata })).toMatchObject({ metadata: { annotations: { new: 'y' } } });
    expect(metadata.annotations).not.toHaveProperty('gone');
  });

  test('brings no member into the prototype of an object', () => {
    const { spec } = readWith(
      '[{"at":["spec","__proto__","polluted"],"is":true},{"at":["spec","__proto__"],"is":{"a":1}}]',
    );
    expect(({} as Members)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(spec)).toBe(Object.prototype);
  });
});

test('an object of which nothing is lost has no annotation for it', () => {
  const pool = anOldPool({ consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' });
  expect(Object.keys(toNew(pool).metadata.annotations ?? {})).toEqual([
    'compatibility.karpenter.sh/v1beta1-nodeclass-reference',
  ]);
});

test('what a version has no field for is in the annotation of the version that it comes from', () => {
  const old = toOld(aPool({ consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' }));
  expect(Object.keys(old.metadata.annotations ?? {})).toContain('nodewright.dev/v1-fields');
  const renewed = toNew(anOldPool({ consolidationPolicy: 'WhenUnderutilized', consolidateAfter: 'Never' }));
  const names = Object.keys(renewed.metadata.annotations ?? {});
  expect(names).not.toContain('nodewright.dev/v1-fields');
  expect(Object.keys(toOld(renewed).metadata.annotations ?? {})).not.toContain('nodewright.dev/v1beta1-fields');
});

test('an object of the version that is asked for is the very same', () => {
  const pool = aPool({});
  expect(toNew(pool)).toBe(pool);
});

test('the annotations that conversions write are no loss when they are written otherwise', () => {
  const pool = aPool({ consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' });
  const annotations = { 'compatibility.karpenter.sh/v1beta1-kubelet-conversion': '{ "maxPods": 20 }' };
  const old = toOld({ ...pool, metadata: { ...pool.metadata, annotations } });
  expect(old.spec).toMatchObject({ template: { spec: { kubelet: { maxPods: 20 } } } });
  expect(old.metadata.annotations ?? {}).not.toHaveProperty('nodewright.dev/v1-fields');
});

test('an object without a spec has none afterwards', () => {
  const { spec: _, ...bare } = anObject(
    'karpenter.k8s.aws/v1beta1',
    'EC2NodeClass',
    {},
    {
      'nodewright.dev/v1-fields': '[{"at":["annotations","a"],"is":"b"}]',
    },
  );
  const renewed = convertWithoutLoss(bare, 'karpenter.k8s.aws/v1');
  expect(renewed).toMatchObject({ apiVersion: 'karpenter.k8s.aws/v1', metadata: { annotations: { a: 'b' } } });
  expect(renewed).not.toHaveProperty('spec');
});

test('an annotation changes no annotations as a whole', () => {
  const carried = { 'nodewright.dev/v1-fields': '[{"at":["annotations"],"was":{},"is":"c"}]' };
  const old = anObject('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', { role: 'r', amiFamily: 'AL2' }, carried);
  expect(toNew(old).metadata).toEqual({ name: 'default', labels: { team: 'a' } });
});
