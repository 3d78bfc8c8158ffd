import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../kubernetes/meta.ts';
import { amiSelectorTermsOf } from './ami-selector-terms.ts';
import { convertToVersion } from './convert.ts';
import type { EC2NodeClass } from './types.ts';
import { karpenterCustomResources } from '../custom-resources/karpenter.ts';

const examples = join(import.meta.dirname, '../../../../examples/upgrade-nodes-with-drift');
const printed = (file: string): readonly KubernetesObject[] =>
  parseAllDocuments(readFileSync(join(examples, file), 'utf8'), {
    version: '1.1',
  }).map((document) => document.toJS() as KubernetesObject);

/** What the schema of the object's version has to say, after its defaults are in. */
function complaints(object: KubernetesObject): readonly string[] {
  const { crd } = karpenterCustomResources.find(({ crd }) => crd.spec.names.kind === object.kind) ?? {};
  const version = crd?.spec.versions.find(({ name }) => `${crd.spec.group}/${name}` === object.apiVersion);
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true });
  ajv.validate({ ...version?.schema.openAPIV3Schema, additionalProperties: false }, object);
  return (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const [pool, defaultClass] = printed('basic.yaml');
const [bottlerocket] = printed('bottlerocket.yaml');
if (pool === undefined || defaultClass === undefined || bottlerocket === undefined) throw new Error('examples changed');

const aNodeClass = (spec: object, annotations?: Record<string, string>): KubernetesObject =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default', ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      role: 'r',
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      ...spec,
    },
  }) as KubernetesObject;

describe('the manifests of the drift walkthrough', () => {
  test('are valid v1beta1 and become valid v1', () => {
    const originals = [pool, defaultClass, bottlerocket];
    expect(originals.flatMap(complaints)).toEqual([]);
    const converted = originals.map((object) => convertToVersion(object, `${object.apiVersion?.split('/')[0]}/v1`));
    expect(converted.flatMap(complaints)).toEqual([]);
  });

  test('keep their meaning: the pool', () => {
    expect(convertToVersion(pool, 'karpenter.sh/v1')).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: {
        name: 'default',
        annotations: { 'compatibility.karpenter.sh/v1beta1-nodeclass-reference': '{"name":"default"}' },
      },
      spec: {
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
        limits: { cpu: '1000' },
        template: {
          metadata: { labels: { team: 'my-team' } },
          spec: {
            expireAfter: '720h',
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
            requirements: [
              { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
              { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
            ],
          },
        },
      },
    });
  });

  test('keep their meaning: the node classes', () => {
    const images = [defaultClass, bottlerocket].map(
      (object) =>
        (convertToVersion(object, 'karpenter.k8s.aws/v1') as unknown as { spec: { amiSelectorTerms: unknown } }).spec
          .amiSelectorTerms,
    );
    expect(images).toEqual([[{ alias: 'al2@latest' }], [{ alias: 'bottlerocket@latest' }]]);
    expect(JSON.stringify(convertToVersion(defaultClass, 'karpenter.k8s.aws/v1'))).not.toContain('amiFamily');
  });

  test('come back as they were', () => {
    for (const object of [pool, defaultClass, bottlerocket]) {
      const group = object.apiVersion?.split('/')[0];
      const back = convertToVersion(convertToVersion(object, `${group}/v1`), `${group}/v1beta1`);
      expect(back).toStrictEqual(object);
    }
  });

  test('follow a node class that was changed in v1 in between', () => {
    const stored = convertToVersion(pool, 'karpenter.sh/v1') as unknown as {
      spec: { template: { spec: { nodeClassRef: { name: string } } } };
    };
    const edited = structuredClone(stored);
    edited.spec.template.spec.nodeClassRef.name = 'bottlerocket';
    const back = convertToVersion(edited as unknown as KubernetesObject, 'karpenter.sh/v1beta1');
    expect(back).toMatchObject({ spec: { template: { spec: { nodeClassRef: { name: 'bottlerocket' } } } } });
  });
});

describe('an EC2NodeClass of v1beta1', () => {
  for (const [amiFamily, alias] of [
    ['AL2', 'al2@latest'],
    ['AL2023', 'al2023@latest'],
    ['Windows2022', 'windows2022@latest'],
    ['AL2-v20220824', 'al2@v20220824'],
    ['Bottlerocket-v1.9.1', 'bottlerocket@v1.9.1'],
  ] as const) {
    test(`of family ${amiFamily} without terms takes ${alias}`, () => {
      expect(complaints(aNodeClass({ amiFamily }))).toEqual([]);
      const converted = convertToVersion(aNodeClass({ amiFamily }), 'karpenter.k8s.aws/v1');
      expect(converted).toMatchObject({ spec: { amiSelectorTerms: [{ alias }] } });
    });
  }

  test('refuses releases that no family has', () => {
    for (const amiFamily of ['AL2-', 'AL2-latest', 'Custom-v1', 'Windows2022-v20240101', 'al2', 'AL3-v20240101']) {
      expect(complaints(aNodeClass({ amiFamily }))).not.toEqual([]);
    }
  });

  test('of a release of Ubuntu comes back as it was', () => {
    const pinned = aNodeClass({ amiFamily: 'Ubuntu-v20221208' });
    const v1 = convertToVersion(pinned, 'karpenter.k8s.aws/v1') as EC2NodeClass;
    expect(amiSelectorTermsOf(v1)).toEqual([{ alias: 'ubuntu@v20221208' }]);
    expect(convertToVersion(v1, 'karpenter.k8s.aws/v1beta1')).toStrictEqual(pinned);
  });

  test('keeps its terms and its family', () => {
    const terms = { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-123' }, { id: 'ami-456' }] };
    expect(convertToVersion(aNodeClass(terms), 'karpenter.k8s.aws/v1')).toMatchObject({ spec: terms });
  });

  test('remembers a pinned version on the way to v1beta1 and back', () => {
    const v1 = {
      ...aNodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20240807' }] }),
      apiVersion: 'karpenter.k8s.aws/v1',
    };
    const old = convertToVersion(v1, 'karpenter.k8s.aws/v1beta1');
    expect(old).toMatchObject({
      metadata: { annotations: { 'compatibility.karpenter.k8s.aws/v1-alias-version': 'v20240807' } },
      spec: { amiFamily: 'AL2023' },
    });
    expect(convertToVersion(old, 'karpenter.k8s.aws/v1')).toStrictEqual(v1);
  });

  test('of family Ubuntu starts as AL2 with the volume Ubuntu had, and comes back', () => {
    const ubuntu = aNodeClass({ amiFamily: 'Ubuntu' });
    const v1 = convertToVersion(ubuntu, 'karpenter.k8s.aws/v1');
    expect(complaints(v1)).toEqual([]);
    expect(v1).toMatchObject({
      metadata: {
        annotations: { 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu': 'amiFamily,blockDeviceMappings,incompatible' },
      },
      spec: { amiFamily: 'AL2', blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { volumeSize: '20Gi' } }] },
    });
    expect(convertToVersion(v1, 'karpenter.k8s.aws/v1beta1')).toStrictEqual(ubuntu);
  });
});

describe('a NodePool of v1beta1', () => {
  const withSpec = (disruption: object, template: object = {}): KubernetesObject => {
    const base = structuredClone(pool) as unknown as { spec: { template: { spec: object } } };
    return {
      ...base,
      spec: { ...base.spec, disruption, template: { spec: { ...base.spec.template.spec, ...template } } },
    } as unknown as KubernetesObject;
  };

  for (const [written, meant] of [
    [
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: '60s', expireAfter: 'Never' },
      { consolidationPolicy: 'WhenEmpty', consolidateAfter: '60s' },
    ],
    [{ consolidationPolicy: 'WhenEmpty' }, { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }],
    [
      { consolidationPolicy: 'WhenUnderutilized', consolidateAfter: 'Never' },
      { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    ],
  ] as const) {
    test(`with ${JSON.stringify(written)} means ${JSON.stringify(meant)}`, () => {
      expect(convertToVersion(withSpec(written), 'karpenter.sh/v1')).toMatchObject({ spec: { disruption: meant } });
    });
  }

  test('keeps its kubelet in an annotation', () => {
    const kubelet = { maxPods: 20 };
    const original = withSpec({ consolidationPolicy: 'WhenUnderutilized' }, { kubelet });
    const v1 = convertToVersion(original, 'karpenter.sh/v1');
    expect(v1.metadata.annotations?.['compatibility.karpenter.sh/v1beta1-kubelet-conversion']).toBe('{"maxPods":20}');
    expect(JSON.stringify((v1 as unknown as { spec: unknown }).spec)).not.toContain('kubelet');
    expect(convertToVersion(v1, 'karpenter.sh/v1beta1')).toStrictEqual(original);
  });
});

test('a NodeClaim changes its reference and comes back', () => {
  const claim = {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodeClaim',
    metadata: { name: 'default-abcde' },
    spec: {
      nodeClassRef: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'default' },
      requirements: [],
    },
  } as unknown as KubernetesObject;
  const v1 = convertToVersion(claim, 'karpenter.sh/v1');
  expect(complaints(v1)).toEqual([]);
  expect(v1).toMatchObject({
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
  });
  expect(convertToVersion(v1, 'karpenter.sh/v1beta1')).toStrictEqual(claim);
});

test('a version that does not exist is refused', () => {
  expect(() => convertToVersion(pool, 'karpenter.sh/v2')).toThrow(
    '"NodePool karpenter.sh/v2" is not one of NodePool karpenter.sh/v1',
  );
});
