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
    launchTemplates: [],
    profiles: [{ name: 'secretprofile', path: '/secretpath/', roleName: 'secretrole' }],
    quotas: [],
    nodeGroups: ['secretnodes'],
    types: [],
    images: [
      {
        kubernetesVersion: '1.31',
        images: [{ id: 'ami-0aaaabbbbccccdddd', name: 'secret-image', arch: 'amd64' } as never],
      },
    ],
  },
  observed: { secondsToRegistered: [], secondsToInitialized: [], secondsToReady: [], refusedLaunches: [] },
  unread: [{ what: 'quotas', because: 'User: arn:aws:iam::210987654321:user/secretuser is not authorized' }],
};

const redacted = redactSnapshot(snapshot);
const text = JSON.stringify(redacted);

test('nothing that people write in odd places is left', () => {
  const planted = ['210987654321', '0a1b2c3d', '4711', '203.0', 'sg-0554413defb221448', 'ami-0aaaabbbbccccdddd'];
  expect(planted.filter((word) => text.includes(word))).toEqual([]);
  const left = text.match(/secret[a-z0-9]*/gi) ?? [];
  expect(left.filter((word) => word !== fieldOfPods)).toEqual([]);
});

/** Of `imagePullSecrets`. */
const fieldOfPods = 'Secrets';

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
