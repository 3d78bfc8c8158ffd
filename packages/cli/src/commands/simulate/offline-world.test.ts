import type { KubernetesObject } from '@nodewright/apis';
import { beforeAll, describe, expect, test } from 'vitest';
import { offlineWorld, type OfflineWorld } from './offline-world.ts';

let world: OfflineWorld;
beforeAll(async () => {
  world = await offlineWorld(['eu-west-1a', 'eu-west-1b']);
});

const container = (cpu: unknown) => ({ containers: [{ name: 'main', image: 'x', resources: { requests: { cpu } } }] });
const labels = { app: 'web' };
type WithSpec = KubernetesObject & { readonly spec: object; readonly status?: object };
const deployment = (spec: object): WithSpec => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: container('1') }, ...spec },
});
const pool = (requirement: object): WithSpec => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [requirement],
      },
    },
  },
});
const check = (object: KubernetesObject) => world.check([{ object, source: 'web.yaml' }]);

describe('manifests that an API server would refuse', () => {
  for (const { fact, object, told } of [
    { fact: 'a text for a number', object: deployment({ replicas: 'many' }), told: /^web\.yaml: .*spec\.replicas/ },
    {
      fact: 'what is no quantity',
      object: deployment({ template: { metadata: { labels }, spec: container('abc') } }),
      told: /quantit/,
    },
    {
      fact: 'an operator that there is not',
      object: pool({ key: 'kubernetes.io/arch', operator: 'Is', values: ['arm64'] }),
      told: /web\.yaml: .*default.*operator/s,
    },
    {
      fact: 'a label that is ours',
      object: pool({ key: 'karpenter.sh/nodepool', operator: 'Exists' }),
      told: /requirements\[0\]\.key/,
    },
    {
      fact: 'a kind with a slip',
      object: { ...deployment({}), kind: 'Deploymnet' },
      told: /^web\.yaml: Deploymnet web: there is no Deploymnet in apps\/v1; did you mean Deployment\?$/,
    },
    {
      fact: 'a version that is gone',
      object: { ...deployment({}), apiVersion: 'extensions/v1beta1' },
      told: /there is no Deployment in extensions\/v1beta1; it is in apps\/v1$/,
    },
    {
      fact: 'a Provisioner',
      object: { ...deployment({}), apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner' },
      told: /nodewright convert -f makes a NodePool/,
    },
  ]) {
    test(`are told with file and field: ${fact}`, async () => {
      expect((await check(object)).complaints.join('\n')).toMatch(told);
    });
  }

  test('are told apart from fields that nobody knows, which are left out', async () => {
    expect(await check(deployment({ replica: 3 }))).toEqual({
      complaints: [],
      remarks: ['web.yaml: Deployment web has unknown fields, which are left out: spec.replica'],
    });
  });

  test('are none when they are right, whatever a server has added to them', async () => {
    const right = deployment({});
    const metadata = { ...right.metadata, resourceVersion: '12', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z' };
    const added: WithSpec = { ...right, metadata, status: { replicas: 1 } };
    expect(await check(added)).toEqual({ complaints: [], remarks: [] });
    const elsewhere = { apiVersion: 'serving.example.com/v1', kind: 'Service', metadata: { name: 'x' } };
    expect(await check(elsewhere)).toEqual({ complaints: [], remarks: [] });
  });
});

test('instance types are offered in the zones that were asked for', async () => {
  const types = await world.typesOf({
    metadata: { name: 'default' },
    spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  });
  const zones = new Set(types.flatMap(({ offerings }) => offerings.map(({ zone }) => zone)));
  expect([...zones].toSorted()).toEqual(['eu-west-1a', 'eu-west-1b']);
});
