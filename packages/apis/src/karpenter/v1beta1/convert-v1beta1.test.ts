import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { amiSelectorTermsOf } from '../ami-selector-terms.ts';
import { convertToVersion } from '../convert.ts';
import type { EC2NodeClass } from '../types.ts';

type Members = Readonly<Record<string, unknown>>;

const written = (kind: string, apiVersion: string, spec: Members, annotations?: Members): KubernetesObject =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'default', ...(annotations === undefined ? {} : { annotations }) },
    spec,
  }) as KubernetesObject;

const nodeClass = (version: 'v1' | 'v1beta1', spec: Members, annotations?: Members): KubernetesObject =>
  written('EC2NodeClass', `karpenter.k8s.aws/${version}`, { role: 'r', ...spec }, annotations);
const nodeClaim = (version: 'v1' | 'v1beta1', spec: Members, annotations?: Members): KubernetesObject =>
  written('NodeClaim', `karpenter.sh/${version}`, { requirements: [], ...spec }, annotations);
const nodePool = (version: 'v1' | 'v1beta1', disruption: Members, annotations?: Members): KubernetesObject => {
  const nodeClassRef = { name: 'default', ...(version === 'v1' ? inV1 : {}) };
  const template = { spec: { nodeClassRef, requirements: [] } };
  return written('NodePool', `karpenter.sh/${version}`, { disruption, template }, annotations);
};
const inV1 = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' };

const toV1 = (object: KubernetesObject): KubernetesObject =>
  convertToVersion(object, `${object.apiVersion?.split('/')[0]}/v1`);
const toV1Beta1 = (object: KubernetesObject): KubernetesObject =>
  convertToVersion(object, `${object.apiVersion?.split('/')[0]}/v1beta1`);
const specIn = (object: KubernetesObject): Members => (object as KubernetesObject & { readonly spec: Members }).spec;

describe('an object', () => {
  test('of the version that is asked for is the same object', () => {
    const object = nodeClass('v1beta1', { amiFamily: 'AL2' });
    expect(toV1Beta1(object)).toBe(object);
  });

  test('without a spec changes its version only', () => {
    const { spec: _spec, ...bare } = nodeClass('v1', {}) as KubernetesObject & { readonly spec: Members };
    expect(toV1Beta1(bare)).toStrictEqual({ ...bare, apiVersion: 'karpenter.k8s.aws/v1beta1' });
  });
});

describe('an EC2NodeClass', () => {
  test('keeps a single term and its family', () => {
    const spec = { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-1' }] };
    expect(specIn(toV1(nodeClass('v1beta1', spec)))).toStrictEqual({ role: 'r', ...spec });
  });

  test('of a family that v1 does not know is custom', () => {
    const spec = { amiFamily: 'Plan9', amiSelectorTerms: [{ id: 'ami-1' }] };
    expect(specIn(toV1(nodeClass('v1beta1', spec)))['amiFamily']).toBe('Custom');
  });

  test('of v1 with terms keeps what v1beta1 knows of them, and is custom without a family', () => {
    const terms = [{ id: 'ami-1' }, { name: 'a', owner: 'self', minimumAgeDuration: '10d' }, { ssmParameter: '/a' }];
    expect(specIn(toV1Beta1(nodeClass('v1', { amiSelectorTerms: terms })))).toStrictEqual({
      role: 'r',
      amiSelectorTerms: [{ id: 'ami-1' }, { name: 'a', owner: 'self' }, {}],
      amiFamily: 'Custom',
    });
  });

  test('of v1 with an alias becomes its family, with the age in an annotation', () => {
    const aged = nodeClass('v1', { amiSelectorTerms: [{ alias: 'al2@latest', minimumAgeDuration: '10d' }] });
    expect(toV1Beta1(aged)).toStrictEqual(
      nodeClass('v1beta1', { amiFamily: 'AL2' }, { 'nodewright.dev/minimum-age-duration': '10d' }),
    );
  });

  test('of v1 without an age gets no annotation', () => {
    const fresh = nodeClass('v1', { amiSelectorTerms: [{ alias: 'al2@latest' }] });
    expect(toV1Beta1(fresh)).toStrictEqual(nodeClass('v1beta1', { amiFamily: 'AL2' }));
  });
});

describe('an EC2NodeClass of Ubuntu', () => {
  const volume = { deviceName: '/dev/sda1', rootVolume: true };

  test('keeps its own terms and volumes, and comes back', () => {
    const spec = { amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-1' }], blockDeviceMappings: [volume] };
    const v1 = toV1(nodeClass('v1beta1', spec));
    const annotations = { 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu': 'amiFamily' };
    expect(v1).toStrictEqual(nodeClass('v1', { ...spec, amiFamily: 'AL2' }, annotations));
    expect(amiSelectorTermsOf(v1 as EC2NodeClass)).toEqual([{ id: 'ami-1' }]);
    expect(toV1Beta1(v1)).toStrictEqual(nodeClass('v1beta1', spec));
  });

  test('without volumes gets the encrypted one that Ubuntu had', () => {
    const v1 = toV1(nodeClass('v1beta1', { amiFamily: 'Ubuntu' }));
    expect(specIn(v1)['blockDeviceMappings']).toStrictEqual([
      { ...volume, ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' } },
    ]);
    expect(amiSelectorTermsOf(v1 as EC2NodeClass)).toEqual([{ alias: 'ubuntu@latest' }]);
  });

  test('none of it is in a NodeClass of another family', () => {
    const al2 = nodeClass('v1', { amiSelectorTerms: [{ id: 'ami-1' }] }) as EC2NodeClass;
    expect(amiSelectorTermsOf(al2)).toEqual([{ id: 'ami-1' }]);
  });
});

describe('a NodeClaim', () => {
  const reference = 'compatibility.karpenter.sh/v1beta1-nodeclass-reference';

  test('keeps its kubelet in an annotation, and comes back', () => {
    const old = nodeClaim('v1beta1', { nodeClassRef: { name: 'default' }, kubelet: { maxPods: 20 } });
    const v1 = toV1(old);
    expect(v1).toStrictEqual(
      nodeClaim(
        'v1',
        { nodeClassRef: { name: 'default', ...inV1 } },
        {
          [reference]: '{"name":"default"}',
          'compatibility.karpenter.sh/v1beta1-kubelet-conversion': '{"maxPods":20}',
        },
      ),
    );
    expect(toV1Beta1(v1)).toStrictEqual(old);
  });

  test('without a kubelet has no annotation of one', () => {
    const old = nodeClaim('v1beta1', { nodeClassRef: { name: 'default' } });
    expect(toV1(old).metadata.annotations).toStrictEqual({ [reference]: '{"name":"default"}' });
    expect(toV1Beta1(toV1(old))).toStrictEqual(old);
  });

  for (const { fact, stored, nodeClassRef, back } of [
    {
      fact: 'that was never of v1beta1 is written with its kind',
      stored: undefined,
      nodeClassRef: { ...inV1, name: 'a' },
      back: { kind: 'EC2NodeClass', name: 'a' },
    },
    {
      fact: 'is written as before, under its present name',
      stored: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'old' },
      nodeClassRef: { ...inV1, name: 'a' },
      back: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'a' },
    },
    {
      fact: 'of another group by now is written with its kind',
      stored: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'a' },
      nodeClassRef: { group: 'example.com', kind: 'EC2NodeClass', name: 'a' },
      back: { kind: 'EC2NodeClass', name: 'a' },
    },
    {
      fact: 'of another kind by now is written with its kind',
      stored: { kind: 'EC2NodeClass', name: 'a' },
      nodeClassRef: { ...inV1, kind: 'Other', name: 'a' },
      back: { kind: 'Other', name: 'a' },
    },
    {
      fact: 'of which no text was stored is written without what is none',
      stored: { apiVersion: 1, kind: 2, name: 'a' },
      nodeClassRef: { ...inV1, name: 'a' },
      back: { name: 'a' },
    },
  ]) {
    test(`a reference ${fact}`, () => {
      const annotations = stored === undefined ? undefined : { [reference]: JSON.stringify(stored) };
      expect(specIn(toV1Beta1(nodeClaim('v1', { nodeClassRef }, annotations)))['nodeClassRef']).toStrictEqual(back);
    });
  }
});

describe('the disruption of a NodePool', () => {
  const budgets = [{ nodes: '1', schedule: '0 9 * * *', duration: '1h' }];
  for (const { fact, old, v1 } of [
    {
      fact: 'keeps its budgets',
      old: { consolidationPolicy: 'WhenUnderutilized', budgets },
      v1: { budgets, consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    },
    {
      fact: 'has none where there were none',
      old: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
      v1: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
    },
  ]) {
    test(`${fact}, on the way to v1 and back`, () => {
      expect(specIn(toV1(nodePool('v1beta1', old)))['disruption']).toStrictEqual(v1);
      expect(specIn(toV1Beta1(nodePool('v1', v1)))['disruption']).toStrictEqual(old);
    });
  }

  test('loses the reasons of its budgets', () => {
    const disruption = { budgets: [{ nodes: '1', reasons: ['Drifted'] }], consolidationPolicy: 'WhenEmpty' };
    expect(specIn(toV1Beta1(nodePool('v1', disruption)))['disruption']).toStrictEqual({
      budgets: [{ nodes: '1' }],
      consolidationPolicy: 'WhenEmpty',
    });
  });

  test('of a pool without an expiry, a kubelet and disruption gets none of them', () => {
    const pool = nodePool('v1beta1', { consolidationPolicy: 'WhenEmpty' });
    const template = { spec: { nodeClassRef: { ...inV1, name: 'default' }, requirements: [] } };
    expect(specIn(toV1(pool))['template']).toStrictEqual(template);
    expect(specIn(toV1Beta1(toV1(pool)))).toStrictEqual({
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
      template: { spec: { nodeClassRef: { name: 'default' }, requirements: [] } },
    });
  });
});
