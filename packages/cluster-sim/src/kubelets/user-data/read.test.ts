import { expect, test } from 'vitest';
import type { ImageRelease } from '@nodewright/aws-endpoints';
import { readUserData } from './read.ts';

const releaseOf = (family: ImageRelease['family']): ImageRelease => ({
  family,
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: 'v20240129',
  imageId: 'ami-1',
  name: 'image',
  createdAt: '2024-01-29T00:00:00Z',
  publishedAt: '2024-01-29T00:00:00Z',
  kubeletVersion: 'v1.29.0-eks-5e0fdde',
  osImage: 'some',
  kernelVersion: 'some',
  containerRuntimeVersion: 'some',
});

const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };

const al2 = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo "the user's own"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash -xe
exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1
/etc/eks/bootstrap.sh 'sandbox' --apiserver-endpoint 'https://example.com' --b64-cluster-ca 'Y2E=' \\
--dns-cluster-ip '10.100.0.10' \\
--use-max-pods false \\
--kubelet-extra-args '--node-labels="karpenter.sh/nodepool=default,team=my-team" --register-with-taints="karpenter.sh/unregistered:NoExecute,dedicated=gpu:NoSchedule" --max-pods=58 --kube-reserved="cpu=80m,memory=893Mi" --eviction-hard="memory.available<5%"'
--//--
`;

const al2023 = `MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="BOUNDARY"\r
\r
--BOUNDARY\r
Content-Type: application/node.eks.aws\r
\r
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      maxPods: 10
      evictionHard:
        memory.available: 200Mi
\r
--BOUNDARY
Content-Type: application/node.eks.aws

# made by the controller
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: sandbox
    apiServerEndpoint: https://example.com
  kubelet:
    config:
      maxPods: 58
      registerWithTaints:
      - effect: NoExecute
        key: karpenter.sh/unregistered
    flags:
    - --node-labels="team=my-team"
--BOUNDARY--
`;

const bottlerocket = `[settings]
[settings.kubernetes]
api-server = 'https://example.com'
cluster-name = 'sandbox'
cluster-certificate = 'Y2E='
max-pods = 58

[settings.kubernetes.node-labels]
'team' = 'my-team'
"karpenter.sh/nodepool" = "default" # quoted, for its dot

[settings.kubernetes.node-taints]
'karpenter.sh/unregistered' = [':NoExecute']
dedicated = [
  'gpu:NoSchedule',
]

[settings.bootstrap-commands."000-mount-instance-storage"]
commands = [["apiclient", "ephemeral-storage", "init"]]
essential = true
`;

for (const { form, family, userData, taints, labels } of [
  {
    form: 'a MIME archive whose last script calls bootstrap.sh',
    family: 'AL2',
    userData: al2,
    labels: { 'karpenter.sh/nodepool': 'default', team: 'my-team' },
    taints: [unregistered, { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
  },
  {
    form: 'NodeConfigs, the later over the earlier',
    family: 'AL2023',
    userData: al2023,
    labels: { team: 'my-team' },
    taints: [unregistered],
  },
  {
    form: 'settings in TOML',
    family: 'Bottlerocket',
    userData: bottlerocket,
    labels: { 'karpenter.sh/nodepool': 'default', team: 'my-team' },
    taints: [unregistered, { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
  },
] as const) {
  test(`${family} reads ${form}`, () => {
    const found = readUserData({ userData, release: releaseOf(family) });
    expect(found).toMatchObject({ clusterName: 'sandbox', labels, maxPods: 58 });
    expect(found).toHaveProperty('taints', taints);
  });

  test(`an image of no known release reads ${form}`, () => {
    expect(readUserData({ userData })).toMatchObject({ clusterName: 'sandbox', labels, maxPods: 58 });
  });
}

test('reservations and thresholds are read from kubelet flags', () => {
  expect(readUserData({ userData: al2, release: releaseOf('AL2') })).toMatchObject({
    kubeReserved: { cpu: '80m', memory: '893Mi' },
    evictionHard: { 'memory.available': '5%' },
  });
});

test('fields that only an earlier NodeConfig sets are kept', () => {
  expect(readUserData({ userData: al2023, release: releaseOf('AL2023') })).toMatchObject({
    evictionHard: { 'memory.available': '200Mi' },
  });
});

for (const { family, userData, because } of [
  {
    family: 'AL2',
    userData: '#!/bin/bash\necho hello',
    because: 'no part of the user data calls /etc/eks/bootstrap.sh',
  },
  { family: 'AL2023', userData: '#!/bin/bash\necho hello', because: 'the user data holds no NodeConfig document' },
  { family: 'Bottlerocket', userData: 'yum update -y', because: 'the user data is no TOML' },
  { family: 'Bottlerocket', userData: '', because: 'settings.kubernetes.cluster-name is not set' },
] as const) {
  test(`${family} stays out when ${because}`, () => {
    expect(readUserData({ userData, release: releaseOf(family) })).toEqual({ because });
  });
}

const nodeConfigWith = (strategy: string): string =>
  `kind: NodeConfig\nspec:\n  cluster: { name: sandbox }\n  instance: { localStorage: { strategy: ${strategy} } }\n`;
const bottlerocketSettings = (command: string): string =>
  `[settings.kubernetes]\ncluster-name = "sandbox"\n[settings.bootstrap-commands.a]\ncommands = [${command}]\n`;

test.each<[fact: string, family: ImageRelease['family'], text: string, uses: true | undefined]>([
  ['NodeConfig with an array', 'AL2023', nodeConfigWith('RAID0'), true],
  ['NodeConfig with mounts', 'AL2023', nodeConfigWith('Mount'), undefined],
  ['bootstrap.sh with an array', 'AL2', "#!/bin/bash\n/etc/eks/bootstrap.sh 'sandbox' --local-disks raid0\n", true],
  ['bootstrap.sh without', 'AL2', "#!/bin/bash\n/etc/eks/bootstrap.sh 'sandbox'\n", undefined],
  ['TOML that inits', 'Bottlerocket', bottlerocketSettings('["apiclient", "ephemeral-storage", "init"]'), true],
  ['TOML with another command', 'Bottlerocket', bottlerocketSettings('["apiclient", "reboot"]'), undefined],
])('pods lie on the local disks or not by %s', (_, family, text, uses) => {
  const read = readUserData({ userData: text, release: releaseOf(family) });
  expect(read).toMatchObject({ clusterName: 'sandbox' });
  expect('usesInstanceStore' in read ? read.usesInstanceStore : undefined).toBe(uses);
});
