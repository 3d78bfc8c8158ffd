import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { rewriteToV1, type RewriteOptions } from './rewrite-to-v1.ts';

type Spec = Readonly<Record<string, unknown>>;
type Written = KubernetesObject & { readonly spec: Spec };

const manifest = (apiVersion: string, kind: string, spec: Spec): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name: 'default' }, spec }) as KubernetesObject;
const template = (spec: Spec): KubernetesObject => manifest('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', spec);
const provisioner = (spec: Spec): KubernetesObject =>
  manifest('karpenter.sh/v1alpha5', 'Provisioner', { providerRef: { name: 'default' }, ...spec });
const nodeClass = (spec: Spec): KubernetesObject => manifest('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', spec);

function outcomeOf(object: KubernetesObject, options?: RewriteOptions) {
  const [outcome] = rewriteToV1([object], options);
  if (outcome === undefined) throw new Error('one outcome per manifest');
  return outcome;
}

function specOf(object: KubernetesObject, options?: RewriteOptions): Spec {
  const outcome = outcomeOf(object, options);
  if ('complaints' in outcome) throw new Error(JSON.stringify(outcome.complaints));
  return (outcome.object as Written).spec;
}

function complaintsOf(object: KubernetesObject): readonly string[] {
  const outcome = outcomeOf(object);
  return 'complaints' in outcome ? outcome.complaints.map(({ field, remedy }) => `${field} ${remedy}`) : [];
}

describe('the images of an AWSNodeTemplate', () => {
  const oneOfTwo = { tags: { env: 'a' } };
  for (const { fact, spec, terms, family } of [
    { fact: 'are the latest of AL2 unless it says otherwise', spec: {}, terms: [{ alias: 'al2@latest' }] },
    {
      fact: 'are the release its family names',
      spec: { amiFamily: 'AL2-v20220824' },
      terms: [{ alias: 'al2@v20220824' }],
    },
    {
      fact: 'bake as long as the selector says',
      spec: { amiFamily: 'Bottlerocket', amiSelector: { minimumAgeDuration: '10d' } },
      terms: [{ alias: 'bottlerocket@latest', minimumAgeDuration: '10d' }],
    },
    {
      fact: 'are those of a list of ids, whatever their age',
      spec: { amiSelector: { 'aws-ids': 'ami-123,ami-456', minimumAgeDuration: '10d' } },
      terms: [{ id: 'ami-123' }, { id: 'ami-456' }],
      family: 'AL2',
    },
    {
      fact: 'have a term for each value of a comma list',
      spec: { amiSelector: { env: 'a,b', minimumAgeDuration: '2w' } },
      terms: [
        { ...oneOfTwo, minimumAgeDuration: '2w' },
        { tags: { env: 'b' }, minimumAgeDuration: '2w' },
      ],
      family: 'AL2',
    },
    {
      fact: 'have a term for each owner and name, all with the tags',
      spec: { amiSelector: { 'aws::owners': 'self,amazon', 'aws::name': 'x*, y', env: 'a' } },
      terms: [
        { owner: 'self', name: 'x*', ...oneOfTwo },
        { owner: 'self', name: 'y', ...oneOfTwo },
        { owner: 'amazon', name: 'x*', ...oneOfTwo },
        { owner: 'amazon', name: 'y', ...oneOfTwo },
      ],
      family: 'AL2',
    },
  ]) {
    test(fact, () => {
      const written = specOf(template(spec));
      expect([written['amiSelectorTerms'], written['amiFamily']]).toEqual([terms, family]);
    });
  }

  test('by id ignore what stands beside the ids, with a remark', () => {
    const amiSelector = { 'aws-ids': 'ami-1, ami-2', env: 'a', minimumAgeDuration: '10d' };
    const [outcome] = rewriteToV1([template({ amiSelector })], { clusterName: 'demo' });
    expect(outcome).toMatchObject({
      object: { spec: { amiSelectorTerms: [{ id: 'ami-1' }, { id: 'ami-2' }] } },
      remarks: ['spec.amiSelector names images by id: env, minimumAgeDuration beside it are not respected'],
    });
  });

  for (const { fact, spec, complaint } of [
    {
      fact: 'an age without a unit that exists',
      spec: { amiSelector: { minimumAgeDuration: '10x' } },
      complaint: 'spec.amiSelector.minimumAgeDuration must be an age such as 10d, 2w or 36h',
    },
    {
      fact: 'a negative age',
      spec: { amiSelector: { minimumAgeDuration: '-10d' } },
      complaint: 'spec.amiSelector.minimumAgeDuration must be an age such as 10d, 2w or 36h',
    },
    {
      fact: 'amiVersion, which never came to be',
      spec: { amiFamily: 'Bottlerocket', amiVersion: 'v1.9.1' },
      complaint:
        'spec.amiVersion is not supported: the release is a suffix of the family; write amiFamily: Bottlerocket-v1.9.1',
    },
    {
      fact: 'a release beside a selector',
      spec: { amiFamily: 'AL2-v20220824', amiSelector: { env: 'a' } },
      complaint:
        'spec.amiFamily pins a release, and spec.amiSelector selects other images: write AL2, or leave the selector out',
    },
    {
      fact: 'owners alone',
      spec: { amiSelector: { 'aws::owners': 'self' } },
      complaint: 'spec.amiSelector names owners only: add aws::name or tags',
    },
    {
      fact: 'Custom without a selector',
      spec: { amiFamily: 'Custom' },
      complaint: 'spec.amiFamily has no images of its own: select some by id, name or tags',
    },
    {
      fact: 'Ubuntu without a Kubernetes version',
      spec: { amiFamily: 'Ubuntu' },
      complaint:
        'spec.amiFamily has no alias in v1; its images are found per Kubernetes version: say yours, --kubernetes-version 1.29',
    },
  ]) {
    test(`do not follow from ${fact}`, () => {
      expect(complaintsOf(template(spec))).toEqual([complaint]);
    });
  }

  test('follow from no release that a family cannot have', () => {
    for (const amiFamily of ['AL2-', 'AL2-latest', 'Custom-v1', 'Windows2022-v20240101', 'al2', 'AL3-v20240101']) {
      expect(complaintsOf(template({ amiFamily })), amiFamily).not.toEqual([]);
    }
  });

  test('are those of Ubuntu for the version of the cluster, current or pinned', () => {
    const path = (release: string, arch: string): object => ({
      ssmParameter: `/aws/service/canonical/ubuntu/eks/20.04/1.25/stable/${release}/${arch}/hvm/ebs-gp2/ami-id`,
    });
    for (const [amiFamily, release] of [
      ['Ubuntu', 'current'],
      ['Ubuntu-v20221208', '20221208'],
    ] as const) {
      const spec = specOf(template({ amiFamily }), { kubernetesVersion: '1.25' });
      expect(spec).toMatchObject({
        amiFamily: 'AL2',
        amiSelectorTerms: [path(release, 'amd64'), path(release, 'arm64')],
      });
    }
  });
});

describe('an AWSNodeTemplate', () => {
  test('keeps two hops to the metadata service, which v1 would make one', () => {
    expect(specOf(template({}))).toMatchObject({ metadataOptions: { httpPutResponseHopLimit: 2 } });
    const metadataOptions = { httpPutResponseHopLimit: 3 };
    expect(specOf(template({ metadataOptions }))).toMatchObject({ metadataOptions });
  });

  test('turns its selector maps into terms', () => {
    const spec = template({ subnetSelector: { a: '*', b: 'x,y' }, securityGroupSelector: { 'aws-ids': 'sg-1, sg-2' } });
    expect(specOf(spec)).toMatchObject({
      subnetSelectorTerms: [{ tags: { a: '*', b: 'x' } }, { tags: { a: '*', b: 'y' } }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }, { id: 'sg-2' }],
    });
  });

  test('says what v1 needs that it does not have, or takes it from the name of the cluster', () => {
    const bare = outcomeOf(template({ launchTemplate: 'mine' }));
    const missing = 'is missing: v1 requires it; add it before you apply this, or let --cluster-name fill it in';
    expect('remarks' in bare && bare.remarks).toEqual([
      'spec.launchTemplate "mine" is dropped: v1 makes its own launch templates, from userData, blockDeviceMappings and the rest of the spec',
      `spec.securityGroupSelectorTerms ${missing}`,
      `spec.subnetSelectorTerms ${missing}`,
      `spec.role or spec.instanceProfile ${missing}`,
    ]);
    const discovered = [{ tags: { 'karpenter.sh/discovery': 'demo' } }];
    expect(specOf(template({}), { clusterName: 'demo' })).toMatchObject({
      role: 'KarpenterNodeRole-demo',
      subnetSelectorTerms: discovered,
      securityGroupSelectorTerms: discovered,
    });
  });
});

describe('a Provisioner', () => {
  test('spells out what went without saying', () => {
    const requirements = (spec: Spec): unknown =>
      (specOf(provisioner(spec)) as { template: { spec: { requirements: unknown } } }).template.spec.requirements;
    const usual = [
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ];
    expect(requirements({})).toEqual([
      ...usual,
      { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
      { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
    ]);
    const asked = { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] };
    expect(requirements({ requirements: [asked] })).toEqual([asked, ...usual]);
  });

  for (const [written, meant] of [
    [{}, { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }],
    [{ ttlSecondsAfterEmpty: 30 }, { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' }],
    [{ consolidation: { enabled: true } }, { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' }],
  ] as const) {
    test(`with ${JSON.stringify(written)} means ${JSON.stringify(meant)}`, () => {
      expect(specOf(provisioner(written))).toMatchObject({ disruption: meant });
    });
  }

  test('takes labels, limits, weight and expiry along', () => {
    const spec = specOf(
      provisioner({
        labels: { team: 'a' },
        limits: { resources: { cpu: 1000 } },
        weight: 10,
        ttlSecondsUntilExpired: 2_592_000,
      }),
    );
    expect(spec).toMatchObject({
      limits: { cpu: 1000 },
      weight: 10,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          expireAfter: '720h',
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        },
      },
    });
  });

  test('is refused for a drift TTL, which never came to be, and told what paces drift', () => {
    expect(complaintsOf(provisioner({ driftTTL: '10d' }))).toEqual([
      expect.stringMatching(/minimumAgeDuration.*budgets/),
    ]);
  });

  test('gives its kubelet settings to its node class, or says that they are left out', () => {
    const pool = provisioner({ kubeletConfiguration: { maxPods: 20 } });
    const [, made] = rewriteToV1([pool, template({})]);
    expect(made).toMatchObject({ object: { kind: 'EC2NodeClass', spec: { kubelet: { maxPods: 20 } } } });
    expect(outcomeOf(pool)).toMatchObject({ remarks: [expect.stringContaining('{"maxPods":20}')] });
  });
});

describe('a manifest of v1beta1', () => {
  const complete = {
    role: 'r',
    subnetSelectorTerms: [{ id: 'subnet-1' }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
    amiFamily: 'AL2',
  };

  test('leaves no annotations for the way back', () => {
    const claim = manifest('karpenter.sh/v1beta1', 'NodeClaim', {
      nodeClassRef: { name: 'default' },
      requirements: [],
    });
    for (const object of [
      nodeClass({ ...complete, amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-1' }] }),
      claim,
    ]) {
      expect(outcomeOf(object)).toMatchObject({
        object: { metadata: { name: 'default' } },
        remarks: expect.anything(),
      });
      expect(JSON.stringify(outcomeOf(object))).not.toContain('compatibility.');
    }
  });

  test('is refused for an owner without quotes, by name, value and remedy', () => {
    const object = nodeClass({ ...complete, amiSelectorTerms: [{ name: 'mine', owner: 123_456_789 }] });
    expect(outcomeOf(object)).toEqual({
      complaints: [
        { field: 'spec.amiSelectorTerms[0].owner', value: 123_456_789, remedy: 'must be a text: put it in quotes' },
      ],
    });
  });

  test('is refused for a field that nobody knows', () => {
    expect(complaintsOf(nodeClass({ ...complete, amiSelector: { a: 'b' } }))).toEqual([
      expect.stringMatching(/^spec\.amiSelector is not known here; spec has amiFamily, amiSelectorTerms/),
    ]);
  });
});

test('a manifest of v1 is the very same object', () => {
  const pool = manifest('apps/v1', 'Deployment', { template: {} });
  expect(rewriteToV1([pool])).toEqual([{ object: pool, remarks: [] }]);
  expect('object' in outcomeOf(pool) && (outcomeOf(pool) as { object: unknown }).object).toBe(pool);
});

test('labels and annotations get their present names, in manifests of others as well', () => {
  const old = manifest('apps/v1', 'Deployment', {
    template: {
      metadata: { annotations: { 'karpenter.sh/do-not-evict': 'true' } },
      spec: {
        nodeSelector: { 'karpenter.sh/provisioner-name': 'a' },
        topologySpreadConstraints: [{ topologyKey: 'karpenter.sh/provisioner-name' }],
      },
    },
  });
  expect(specOf(old)).toEqual({
    template: {
      metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
      spec: {
        nodeSelector: { 'karpenter.sh/nodepool': 'a' },
        topologySpreadConstraints: [{ topologyKey: 'karpenter.sh/nodepool' }],
      },
    },
  });
});

test('a class of v1 is not filled in', () => {
  const object = manifest('karpenter.k8s.aws/v1', 'EC2NodeClass', {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: [{ id: 'subnet-1' }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
  });
  const outcome = outcomeOf(object, { clusterName: 'demo' });
  expect(outcome).toEqual({ object, remarks: [] });
  expect('object' in outcome && outcome.object).toBe(object);
});

test('what v1 does not admit is refused, whatever else is missing', () => {
  const env = Array.from({ length: 31 }, (_, index) => `v${index}`).join(',');
  expect(complaintsOf(template({ amiSelector: { env } }))).toEqual([
    'spec.amiSelectorTerms has 31 items, at most 30 may be',
  ]);
});

test('a manifest that lacks something is said to be incomplete', () => {
  expect(outcomeOf(template({ subnetSelector: { a: 'b' }, securityGroupSelector: { a: 'b' } }))).toMatchObject({
    isIncomplete: true,
    remarks: [expect.stringContaining('spec.role or spec.instanceProfile is missing') as string],
  });
  expect(outcomeOf(template({}), { clusterName: 'demo' })).not.toHaveProperty('isIncomplete');
});
