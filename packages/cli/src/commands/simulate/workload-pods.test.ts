import type { DaemonSet, KubernetesObject, Pod } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { claimsOfWorkload, daemonPodsOf, isWorkload, podsOfWorkload } from './workload-pods.ts';

const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1' } } }];
const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
const aWorkload = (
  kind: string,
  spec: object,
  metadata: object = {},
): KubernetesObject & { readonly spec: object } => ({
  apiVersion: kind.endsWith('Job') ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: 'web', ...metadata },
  spec,
});
const namesOf = (workload: KubernetesObject): readonly string[] =>
  podsOfWorkload(workload).map(({ metadata }) => metadata.name);

describe('a workload stands for the pods that run at once', () => {
  test.each<readonly [kind: string, spec: object, pods: readonly string[]]>([
    ['Deployment', { template }, ['web-1']],
    ['Deployment', { replicas: 2, template }, ['web-1', 'web-2']],
    ['Deployment', { replicas: 0, template }, []],
    ['ReplicaSet', { replicas: 2, template }, ['web-1', 'web-2']],
    ['ReplicationController', { replicas: 1, template }, ['web-1']],
    ['ReplicationController', { replicas: 1 }, []],
    ['StatefulSet', { replicas: 2, template }, ['web-0', 'web-1']],
    ['StatefulSet', { replicas: 2, ordinals: { start: 5 }, template }, ['web-5', 'web-6']],
    ['Deployment', { replicas: 1, ordinals: { start: 5 }, template }, ['web-1']],
    ['Job', { template }, ['web-1']],
    ['Job', { parallelism: 3, template }, ['web-1', 'web-2', 'web-3']],
    ['Job', { parallelism: 3, completions: 2, template }, ['web-1', 'web-2']],
    ['Job', { completions: 5, template }, ['web-1']],
    ['Job', { parallelism: 0, template }, []],
    ['Job', { parallelism: 3, suspend: true, template }, []],
    ['CronJob', { jobTemplate: { spec: { parallelism: 2, template } } }, ['web-1', 'web-2']],
    ['CronJob', { suspend: true, jobTemplate: { spec: { template } } }, []],
    ['CronJob', { jobTemplate: { spec: { suspend: true, template } } }, []],
    ['CronJob', { jobTemplate: {} }, []],
    ['CronJob', { template }, []],
  ])('%s %j', (kind, spec, pods) => {
    expect(namesOf(aWorkload(kind, spec))).toEqual(pods);
  });

  test.each(['Pod', 'DaemonSet', 'Service', 'NodePool', 'constructor', undefined])('%s does not', (kind) => {
    const object: KubernetesObject = { ...(kind === undefined ? {} : { kind }), metadata: { name: 'web' } };
    expect(isWorkload(object)).toBe(false);
  });
});

test('a pod of a workload is as its template says, and belongs to it', () => {
  const [pod] = podsOfWorkload(aWorkload('Deployment', { template }, { namespace: 'shop', uid: 'u-1' }));
  expect(pod).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: 'u-1-1',
      labels: { app: 'web' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u-1', controller: true }],
    },
    spec: { containers },
  });
});

test('pods of workloads of one name are told apart by kind and namespace', () => {
  const uids = [
    aWorkload('Deployment', { template }),
    aWorkload('ReplicaSet', { template }),
    aWorkload('Deployment', { template }, { namespace: 'shop' }),
  ].flatMap((each) => podsOfWorkload(each).map(({ metadata }) => metadata.uid));
  expect(new Set(uids).size).toBe(3);
});

describe('the claims of a StatefulSet', () => {
  const claim = (name: string) => ({ metadata: { name, labels: { team: 'x' } }, spec: { storageClassName: 'gp3' } });
  const database = aWorkload(
    'StatefulSet',
    { replicas: 2, ordinals: { start: 3 }, template, volumeClaimTemplates: [claim('data'), claim('wal')] },
    { name: 'db', namespace: 'shop' },
  );

  test('are one for each pod and template, in its namespace', () => {
    expect(claimsOfWorkload(database).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'shop/data-db-3',
      'shop/wal-db-3',
      'shop/data-db-4',
      'shop/wal-db-4',
    ]);
    expect(claimsOfWorkload(database)[0]).toEqual({
      metadata: { name: 'data-db-3', namespace: 'shop', labels: { team: 'x' } },
      spec: { storageClassName: 'gp3' },
    });
  });

  test('are the volumes of its pods', () => {
    expect(podsOfWorkload(database).map(({ spec }) => spec.volumes)).toEqual([
      [
        { name: 'data', persistentVolumeClaim: { claimName: 'data-db-3' } },
        { name: 'wal', persistentVolumeClaim: { claimName: 'wal-db-3' } },
      ],
      [
        { name: 'data', persistentVolumeClaim: { claimName: 'data-db-4' } },
        { name: 'wal', persistentVolumeClaim: { claimName: 'wal-db-4' } },
      ],
    ]);
  });

  test('take the place of a volume of that name, and stand beside the others', () => {
    const volumes = [
      { name: 'data', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
    ];
    const [pod] = podsOfWorkload(
      aWorkload('StatefulSet', {
        template: { ...template, spec: { containers, volumes } },
        volumeClaimTemplates: [claim('data')],
      }),
    );
    expect(pod?.spec.volumes).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } },
    ]);
  });

  test('are none without templates: volumes stay as they are', () => {
    const volumes = [{ name: 'tmp', emptyDir: {} }];
    const plain = aWorkload('StatefulSet', { template: { ...template, spec: { containers, volumes } } });
    expect(claimsOfWorkload(plain)).toEqual([]);
    expect(podsOfWorkload(plain)[0]?.spec.volumes).toEqual(volumes);
  });
});

describe('a DaemonSet takes of a new node', () => {
  const daemonSet = aWorkload('DaemonSet', { template }, { uid: 'ds' }) as unknown as DaemonSet;
  const aDaemonPod = (name: string, owner: string, creationTimestamp: string): Pod => ({
    metadata: {
      name,
      creationTimestamp,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web', uid: owner, controller: true }],
    },
    spec: { containers, nodeName: 'n' },
  });

  test('what its template says, without a number in the name', () => {
    expect(daemonPodsOf(daemonSet, []).map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['web', { containers }],
    ]);
  });

  test('nothing without a template', () => {
    expect(daemonPodsOf(aWorkload('DaemonSet', {}) as unknown as DaemonSet, [])).toEqual([]);
  });

  test('what its newest pod takes, and not that of another one of its name', () => {
    const pods = [
      aDaemonPod('old', 'ds', '2024-01-01T00:00:00Z'),
      aDaemonPod('new', 'ds', '2024-01-02T00:00:00Z'),
      aDaemonPod('foreign', 'other', '2024-01-03T00:00:00Z'),
    ];
    expect(daemonPodsOf(daemonSet, pods).map(({ metadata }) => metadata.name)).toEqual(['new']);
  });

  test('what its template says where only pods of others are there', () => {
    const pods = [aDaemonPod('foreign', 'other', '2024-01-03T00:00:00Z')];
    expect(daemonPodsOf(daemonSet, pods).map(({ metadata }) => metadata.name)).toEqual(['web']);
  });
});
