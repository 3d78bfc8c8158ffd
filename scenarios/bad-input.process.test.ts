import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const kubectl = kubectls().at(-1) ?? '';
const discovery = [{ tags: { 'karpenter.sh/discovery': 'sandbox' } }];

const nodeClass = (name: string, spec: object, kind = 'EC2NodeClass'): object => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind,
  metadata: { name },
  spec: {
    role: 'KarpenterNodeRole-sandbox',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: discovery,
    securityGroupSelectorTerms: discovery,
    ...spec,
  },
});

const nodePool = (name: string, requirements: readonly object[], spec: object = {}): object => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      metadata: { labels: { pool: name } },
      spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name }, requirements },
    },
    ...spec,
  },
});

const refused = [
  {
    fact: 'a requirement with an operator that is none',
    object: nodePool('operator', [{ key: 'kubernetes.io/arch', operator: 'Inside', values: ['amd64'] }]),
    says: ['spec.template.spec.requirements[0].operator', '"Inside"', 'supported values: '],
  },
  {
    fact: 'a class without subnet selector terms',
    object: nodeClass('terms', { subnetSelectorTerms: [] }),
    says: ['spec.subnetSelectorTerms', 'at least one term is needed'],
  },
  {
    fact: 'an alias of no family',
    object: nodeClass('family', { amiSelectorTerms: [{ alias: 'al2024@latest' }] }),
    says: ['spec.amiSelectorTerms[0].alias', '"al2024@latest"', 'al2, al2023, bottlerocket'],
  },
  {
    fact: 'a field that is none',
    object: nodeClass('field', { amiVersion: '1.29' }),
    says: ['unknown field "spec.amiVersion"'],
  },
  {
    fact: 'a kind that is none',
    object: nodeClass('kind', {}, 'EC2NodeClas'),
    says: ['no matches for kind "EC2NodeClas" in version "karpenter.k8s.aws/v1"'],
  },
  {
    fact: 'an owner that is a number',
    object: nodeClass('owner', { amiSelectorTerms: [{ name: 'appA-ami', owner: 123_456_789 }] }),
    says: ['spec.amiSelectorTerms[0].owner', 'must be of type string'],
  },
  {
    fact: 'a requirement without the one value that it needs',
    object: nodePool('bounds', [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['1', '2'] },
    ]),
    says: [
      'spec.template.spec.requirements',
      'operators Gt, Lt, Gte and Lte need exactly one value, an integer of at least 0: karpenter.k8s.aws/instance-cpu',
    ],
  },
  {
    fact: "a tag that is not the user's to set",
    object: nodeClass('tags', { tags: { team: 'a', 'kubernetes.io/cluster/sandbox': 'owned' } }),
    says: ['spec.tags', 'tags kubernetes.io/cluster are set by the controller: kubernetes.io/cluster/sandbox'],
  },
  {
    fact: 'a subnet term of two kinds',
    object: nodeClass('subnet-terms', { subnetSelectorTerms: [{ id: 'subnet-12345', tags: { a: 'b' } }] }),
    says: ['spec.subnetSelectorTerms', 'id goes without tags: subnet-12345'],
  },
  {
    fact: 'a budget with half a window',
    object: nodePool('window', [], {
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '7', duration: '1h' }] },
    }),
    says: ['spec.disruption.budgets', 'schedule and duration go together: the budget for 7'],
  },
  {
    fact: 'a budget beyond everything',
    object: nodePool('budget', [], { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '200%' }] } }),
    says: ['spec.disruption.budgets[0].nodes', '"200%"', 'should match'],
  },
] as const;

const held = [
  {
    fact: 'an alias that is not published yet',
    object: nodeClass('alias', { amiSelectorTerms: [{ alias: 'al2023@v20990101' }] }),
    condition: 'AMIsReady',
    says: ['spec.amiSelectorTerms[0].alias "al2023@v20990101"', 'is not published', 'the nearest published: al2023@v'],
  },
  {
    fact: 'a subnet selector that matches nothing',
    object: nodeClass('subnets', { subnetSelectorTerms: [{ tags: { no: 'such' } }] }),
    condition: 'SubnetsReady',
    says: [
      'SubnetSelector did not match any Subnets',
      'spec.subnetSelectorTerms [{"tags":{"no":"such"}}]',
      'tag a subnet',
    ],
  },
  {
    fact: 'a security group selector that matches nothing',
    object: nodeClass('groups', { securityGroupSelectorTerms: [{ id: 'sg-00000000000000000' }] }),
    condition: 'SecurityGroupsReady',
    says: ['spec.securityGroupSelectorTerms [{"id":"sg-00000000000000000"}]', 'correct the terms'],
  },
  {
    fact: 'a field that no kubelet has',
    object: nodeClass('kubelet', { kubelet: { maxPod: 110 } }),
    condition: 'ValidationSucceeded',
    says: ['spec.kubelet.maxPod is no field of a KubeletConfiguration', 'take it out'],
  },
  {
    fact: 'user data that is too long',
    object: nodeClass('user-data', { userData: 'x'.repeat(17_000) }),
    condition: 'ValidationSucceeded',
    says: ['spec.userData', 'limited to 16384 bytes'],
  },
  {
    fact: 'a role that does not exist',
    object: nodeClass('role', { role: 'NoSuchRole' }),
    condition: 'InstanceProfileReady',
    says: ['spec.role "NoSuchRole"', 'the account has no role NoSuchRole; create it'],
  },
] as const;

describe.skipIf(kubectl === '')('bad input is answered with the field, the value and the remedy', () => {
  let sandbox: RunningSandbox;
  const apply = (...items: readonly object[]) =>
    sandbox.run(kubectl, ['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });

  beforeAll(async () => {
    sandbox = await startSandbox('--kubernetes-version', '1.29', '--speed', '60');
  });
  afterAll(async () => {
    expect(await sandbox.stop()).toBe(0);
  });

  for (const { fact, object, says } of refused) {
    test(`${fact} is refused`, async () => {
      const { status, stderr } = await apply(object);
      expect(status).toBe(1);
      for (const words of says) expect(stderr).toContain(words);
    });
  }

  for (const { fact, object, condition, says } of held) {
    test(`${fact} is told by a condition`, async () => {
      expect(await apply(object)).toMatchObject({ status: 0 });
      const { name } = (object as { metadata: { name: string } }).metadata;
      const path = `jsonpath={.status.conditions[?(@.type=="${condition}")].message}`;
      await sandbox.until(kubectl, ['get', 'ec2nodeclass', name, '-o', path], ({ stdout }) =>
        says.every((words) => stdout.includes(words)),
      );
    });
  }

  test('a zone that is not there is told to the pods that wait for it', async () => {
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1z'] };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'waits', namespace: 'default' },
      spec: { nodeSelector: { pool: 'zone' }, containers: [{ name: 'c', image: 'pause' }] },
    };
    expect(await apply(nodeClass('zone', {}), nodePool('zone', [zone]), pod)).toMatchObject({ status: 0 });
    await sandbox.until(kubectl, ['describe', 'pod', 'waits'], ({ stdout }) =>
      [
        'NodePool zone',
        'spec.template.spec.requirements',
        'topology.kubernetes.io/zone',
        'us-east-1z',
        'fix: widen',
      ].every((words) => stdout.includes(words)),
    );
  });
});
