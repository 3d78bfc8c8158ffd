import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { redactSnapshot } from './redact-snapshot.ts';

/** Words that people write where one does not look for them: they begin with `secret`, or the test lists them. */
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'secreta-0',
    namespace: 'secretb',
    uid: '4a084354-96ca-4731-a90c-d9f611eadaa1',
    labels: { account: '210987654321', token: '0a1b2c3d-1111-4222-8333-444455556666', pin: '4711', secretc: 'x' },
    annotations: { 'karpenter.sh/do-not-disrupt': 'true', 'secretd.io/note': 'call secrete' },
    ownerReferences: [{ apiVersion: 'secretf.io/v1', kind: 'SecretG', name: 'secreth', uid: 'u' }],
    finalizers: ['secreti.io/keep'],
  },
  spec: {
    schedulerName: 'secretj',
    runtimeClassName: 'secretk',
    hostAliases: [{ ip: '203.0.113.9', hostnames: ['secretl.example.com'] }],
    dnsConfig: { searches: ['secretm.local'] },
    imagePullSecrets: [{ name: 'secretn' }],
    tolerations: [{ key: 'secreto', operator: 'Equal', value: 'secretp', effect: 'NoSchedule' }],
    volumes: [
      { name: 'secretq', csi: { driver: 'secretr.io', volumeAttributes: { secrets: 'secrett' } } },
      { name: 'v', flexVolume: { driver: 'd', options: { secretu: 'secretv' } } },
      { name: 'w', hostPath: { path: '/var/secretw' } },
      {
        name: 'x',
        downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: "metadata.labels['secretpath.io/x']" } }] },
      },
    ],
    containers: [
      {
        name: 'c',
        image: '210987654321.dkr.ecr.us-east-1.amazonaws.com/secretx@sha256:0',
        resources: { limits: { 'secrety.io/card': '2', cpu: '250m' } },
        livenessProbe: { httpGet: { path: '/secretz', httpHeaders: [{ name: 'X', value: 'Bearer secret1' }] } },
        lifecycle: { preStop: { exec: { command: ['secret2'] } } },
      },
    ],
  },
  status: {
    conditions: [{ type: 'secret3.io/gate', status: 'True', reason: 'Secret4', message: 'secret5' }],
    containerStatuses: [
      { name: 'c', imageID: 'secret6', state: { waiting: { reason: 'Secret7', message: 'secret8' } } },
    ],
  },
};
const budget = {
  kind: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  metadata: { name: 'secret9', namespace: 'secretb' },
  status: { disruptedPods: { 'secreta-0': '2025-03-03T06:00:00Z' } },
};

type ManagedGroups = NonNullable<Snapshot['aws']['managedGroups']>;
type ScalingGroups = NonNullable<Snapshot['aws']['scalingGroups']>;

/** Base64, as EC2 keeps what an instance is told. */
const toldText = Buffer.from('echo secretuserdata').toString('base64');
const templateData = {
  ImageId: 'ami-0aaaabbbbccccdddd',
  InstanceType: 'm5.large',
  KeyName: 'secretkeypair',
  UserData: toldText,
  IamInstanceProfile: { Name: 'secretprofile' },
  SecurityGroupIds: ['sg-0554413defb221448'],
  NetworkInterfaces: [{ Description: 'secretinterface' }],
  TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'secrettagkey', Value: 'secrettagvalue' }] }],
};
const templateOf = { id: 'lt-0123456789abcdef0', name: 'secrettemplate', version: '2' };
const launchTemplate = {
  id: templateOf.id,
  name: templateOf.name,
  createdAt: instant(0),
  data: templateData,
  hash: '1',
  tags: { secrettemplatetag: 'secrettemplatevalue' },
  versions: [1, 2].map((number) => ({
    number,
    createdAt: instant(number),
    description: 'secretdescription',
    data: templateData,
  })),
};
const managedGroup: ManagedGroups[number] = {
  name: 'secretnodes',
  arn: 'arn:aws:eks:us-east-1:210987654321:nodegroup/secretcluster/secretnodes/1',
  createdAt: instant(0),
  modifiedAt: instant(0),
  status: 'UPDATING',
  version: '1.31',
  releaseVersion: '1.31.2-20250101',
  amiType: 'AL2023_x86_64_STANDARD',
  capacityType: 'ON_DEMAND',
  scaling: { min: 1, max: 3, desired: 2 },
  subnetIds: [],
  nodeRole: 'arn:aws:iam::210987654321:role/secretpath/secretnoderole',
  labels: { 'secretlabel.io/of': 'secretlabelvalue' },
  taints: [{ key: 'secrettaint', value: 'secrettaintvalue', effect: 'NO_SCHEDULE' }],
  tags: { secretgrouptag: 'secretgrouptagvalue' },
  source: templateOf,
  updateConfig: { maxUnavailable: 1 },
  nodeRepairConfig: { enabled: true, nodeRepairConfigOverrides: [{ nodeUnhealthyReason: 'secretrepair' }] },
  scalingGroup: 'eks-secretnodes-0123',
  update: { id: 'u', createdAt: instant(0), params: { ReleaseVersion: '1.31.3-20250224' } },
};
const scalingGroup: ScalingGroups[number] = {
  name: 'eks-secretnodes-0123',
  arn: 'arn:aws:autoscaling:us-east-1:210987654321:autoScalingGroup:x:autoScalingGroupName/eks-secretnodes-0123',
  createdAt: instant(0),
  min: 1,
  max: 3,
  desired: 2,
  template: templateOf,
  instanceTypes: [],
  mixed: false,
  capacityType: 'on-demand',
  capacityRebalance: false,
  subnetIds: [],
  zones: ['us-east-1a'],
  tags: { secretscalingtag: 'secretscalingvalue', 'kubernetes.io/cluster/secretcluster': 'owned' },
  tagsAtLaunch: ['secretscalingtag'],
  suspended: [],
  hooks: [
    {
      name: 'secrethook',
      transition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      heartbeatSeconds: 1,
      defaultResult: 'ABANDON',
    },
  ],
  instances: [],
  terminationPolicies: ['Default', 'arn:aws:lambda:us-east-1:210987654321:function:secretchooser'],
  healthCheckGraceSeconds: 0,
  cooldownSeconds: 0,
  protectNew: false,
  serviceRole: 'arn:aws:iam::210987654321:role/secretservicerole',
  warm: [],
  isRefreshing: false,
  isDeleting: false,
};
const nodeGroup = {
  kind: 'NodeGroup',
  apiVersion: 'nodewright.dev/v1alpha1',
  metadata: { name: 'secretkept' },
  spec: {
    eks: { name: 'secretnodes' },
    autoScalingGroup: { name: 'secretasg' },
    image: { amiSelectorTerms: [{ name: 'secretimagename-*', tags: { secretimagetag: 'secretimagevalue' } }] },
    notify: [{ url: 'https://hooks.secrethost.example/secretpathofhook' }],
  },
  status: { phase: 'Blocked', reason: 'secretreason', update: { message: 'secretmessage' } },
};
const policy = {
  kind: 'NodeRolloutPolicy',
  apiVersion: 'nodewright.dev/v1alpha1',
  metadata: { name: 'secretpolicy' },
  spec: {
    selector: { nodeGroups: { matchLabels: { secrettier: 'secrettiervalue' } } },
    blackouts: [{ from: '2026-12-18T00:00:00', to: '2027-01-04T06:00:00', reason: 'secretparty' }],
    notify: [
      { url: 'https://hooks.secrethost.example/secretpathofhook', secretRef: { name: 'secretref', key: 'secretkey' } },
    ],
    health: {
      checks: [
        {
          name: 'secretcheck',
          prometheus: { url: 'http://secretprometheus:9090', query: 'sum(rate(secretmetric[5m]))' },
        },
      ],
    },
    promotion: { publish: { ssmParameter: '/secretparameter/evidence' } },
  },
};

const group = { id: 'sg-0554413defb221448', name: 'secret-group', description: 'secret', tags: { Name: 'secret' } };
const snapshot: Snapshot = {
  apiVersion: 'nodewright.dev/v1alpha1',
  kind: 'Snapshot',
  takenAt: '2025-03-03T06:00:00Z',
  clusterName: 'secretcluster',
  kubernetesVersion: '1.31',
  kubernetes: {
    pods: [pod],
    'poddisruptionbudgets.policy': [budget],
    'nodegroups.nodewright.dev': [nodeGroup],
    'noderolloutpolicies.nodewright.dev': [policy],
  },
  aws: {
    region: 'us-east-1',
    cluster: {
      version: '1.31',
      roleArn: 'arn:aws:iam::210987654321:role/secretrole',
      subnetIds: [],
      securityGroupIds: [group.id],
    },
    instances: [],
    subnets: [],
    securityGroups: [group],
    launchTemplates: [launchTemplate],
    profiles: [{ name: 'secretprofile', path: '/secretpath/', roleName: 'secretrole' }],
    quotas: [],
    nodeGroups: ['secretnodes'],
    managedGroups: [managedGroup],
    scalingGroups: [scalingGroup],
    types: [],
    images: [
      {
        kubernetesVersion: '1.31',
        images: [{ id: 'ami-0aaaabbbbccccdddd', name: 'secret-image', arch: 'amd64' } as never],
      },
    ],
  },
  observed: { secondsToRegistered: [], secondsToInitialized: [], boots: [], secondsToReady: [], refusedLaunches: [] },
  unread: [{ what: 'quotas', because: 'User: arn:aws:iam::210987654321:user/secretuser is not authorized' }],
};

const redacted = redactSnapshot(snapshot);
/** What instances are told, in words. */
const toldTexts = redacted.aws.launchTemplates
  .flatMap(({ data, versions = [] }) => [data, ...versions.map((version) => version.data)])
  .map((data) => Buffer.from((data as Partial<typeof templateData>).UserData ?? '', 'base64').toString());
const text = [JSON.stringify(redacted), ...toldTexts].join('\n');

test('nothing that people write in odd places is left', () => {
  const planted = [
    toldText,
    '210987654321',
    '0a1b2c3d',
    '4711',
    '203.0',
    'sg-0554413defb221448',
    'ami-0aaaabbbbccccdddd',
  ];
  expect(planted.filter((word) => text.includes(word))).toEqual([]);
  const left = text.match(/secret[a-z0-9]*/gi) ?? [];
  expect(left.filter((word) => !fieldNames.has(word))).toEqual([]);
});

/** Of `imagePullSecrets` and `secretRef`. */
const fieldNames = new Set(['Secrets', 'secretRef']);

test('what controllers read keeps its meaning', () => {
  const [after] = redacted.kubernetes['pods'] ?? [];
  expect(after).toMatchObject({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { uid: pod.metadata.uid, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
    spec: {
      tolerations: [{ operator: 'Equal', effect: 'NoSchedule' }],
      containers: [{ resources: { limits: { cpu: '250m' } } }],
    },
  });
  const [budgetAfter] = redacted.kubernetes['poddisruptionbudgets.policy'] ?? [];
  const disrupted = Object.keys((budgetAfter as typeof budget | undefined)?.status.disruptedPods ?? {});
  expect(disrupted).toEqual([after?.metadata.name]);
});
