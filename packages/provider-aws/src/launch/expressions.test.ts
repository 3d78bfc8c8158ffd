import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { anAwsAccount, clusterName, never, resolvedIn } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: ReturnType<typeof anAwsAccount>;
beforeEach(async () => {
  account = anAwsAccount();
  await account.aws.load();
});

const kubelet = {
  maxPods: 'vcpus * 20',
  kubeReserved: { cpu: 'vcpus * 31', memory: '2 * max_pods', 'ephemeral-storage': '2Gi' },
  systemReserved: { memory: '0 - 1' },
};

async function launched(alias: string, gate: boolean) {
  const { time } = account;
  const cloud = account.cloudWith({ nodeClassCel: gate });
  const nodeClass: EC2NodeClass = await resolvedIn(
    { time, cloud },
    {
      metadata: { name: 'default', uid: 'class-uid', generation: 1 },
      spec: {
        amiSelectorTerms: [{ alias }],
        role: `karpenterNodeRole-${clusterName}`,
        subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
        securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
        kubelet,
      },
    },
  );
  const all = await time.finish(cloud.instanceTypes.list(nodeClass, never));
  const instanceTypes = all.filter(({ name }) => name === 'm5.large' || name === 'm5.xlarge');
  const claim: NodeClaim = {
    metadata: { name: 'default-abcde', uid: 'claim-uid', labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  };
  const images = nodeClass.status?.amis ?? [];
  await time.finish(cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never));
  const templates = account.aws.calls().filter(({ operation }) => operation === 'CreateLaunchTemplate').length;
  return { type: all.find(({ name }) => name === 'm5.large'), text: account.machines[0]?.userData ?? '', templates };
}

describe('expressions in spec.kubelet', () => {
  test('count for the scheduler and for the kubelet of AL2023 alike', async () => {
    const { type, text, templates } = await launched('al2023@latest', true);
    expect(type?.capacity['pods']).toBe(40);
    expect(type?.allocatable['cpu']).toBe(2000 - 70);
    const storage = type?.capacity['ephemeral-storage'] ?? 0;
    expect(type?.allocatable['ephemeral-storage']).toBe(storage - 2 * 2 ** 30 - Math.ceil(storage / 10));
    for (const line of ['maxPods: 40', 'cpu: 70m', 'memory: 80Mi', 'ephemeral-storage: 2Gi'])
      expect(text).toContain(line);
    expect(text).not.toMatch(/vcpus|max_pods|systemReserved/);
    expect(templates).toBe(2);
  });

  test.each([
    ['al2@latest', ['--max-pods=40', '--kube-reserved="cpu=70m,ephemeral-storage=2Gi,memory=80Mi"']],
    ['bottlerocket@latest', ['max-pods = 40', '[settings.kubernetes.kube-reserved]', "memory = '80Mi'"]],
  ])('count for the kubelet of %s', async (alias, lines) => {
    const { text } = await launched(alias, true);
    for (const line of lines) expect(text).toContain(line);
    expect(text).not.toMatch(/vcpus|max_pods|system-reserved/);
  });

  test('are left out while the gate is off', async () => {
    const { type, text } = await launched('al2023@latest', false);
    expect(type?.capacity['pods']).toBe(29);
    expect(text).toContain('maxPods: 29');
    expect(text).toContain('ephemeral-storage: 2Gi');
    expect(text).not.toMatch(/vcpus|max_pods/);
  });
});
