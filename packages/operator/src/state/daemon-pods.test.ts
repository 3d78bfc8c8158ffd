import type { DaemonSet, Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { DaemonPods } from './daemon-pods.ts';
import { ObjectCache } from '../objects/object-cache.ts';
import type { Objects } from './objects.ts';

const template = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };
const daemonSet: DaemonSet = {
  metadata: { name: 'agent', namespace: 'default', uid: 'uid-agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template },
};

/** Only what daemons are read from. */
function objectsWith(set: DaemonSet, pods: readonly Pod[]) {
  const cache = new ObjectCache<Pod>({ owner: () => [set.metadata.uid ?? ''] });
  for (const pod of pods) cache.seen(pod);
  const collection = { cache, by: (index: string, value: string) => cache.by(index, value) };
  return { daemonSets: { list: () => [set] }, pods: collection } as unknown as Objects;
}

const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' }];

const live = (name: string, cpu: string, createdAt: string, more: Parameters<typeof aPod>[1] = {}): Pod => {
  const pod = aPod(name, { requests: { cpu }, nodeName: 'a', ...more });
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp: createdAt, ownerReferences, resourceVersion: '1' } };
};
const listed = (objects: Objects): readonly Pod[] => new DaemonPods(objects).list();
const cpuOf = (pods: readonly Pod[]) => pods.map(({ spec }) => spec.containers[0]?.resources?.requests?.['cpu']);

test('a DaemonSet without pods is taken at its template', () => {
  expect(cpuOf(listed(objectsWith(daemonSet, [])))).toEqual(['1']);
});

test('its newest live pod says more than its template', () => {
  const pods = [
    live('old', '2', '2024-01-01T00:00:00Z'),
    live('new', '3', '2024-01-02T00:00:00Z'),
    live('ending', '4', '2024-01-03T00:00:00Z', { deleting: true }),
  ];
  expect(cpuOf(listed(objectsWith(daemonSet, pods)))).toEqual(['3']);
});

test('the node that a live pod is pinned to does not pin the daemon', () => {
  const pinned = live('pinned', '2', '2024-01-01T00:00:00Z', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
        },
      },
    },
  });
  const [free] = listed(objectsWith(daemonSet, [pinned]));
  expect([free?.spec.affinity, free?.spec.nodeName]).toEqual([undefined, undefined]);
  const affinity = { nodeAffinity: {} };
  const wishing = { ...daemonSet, spec: { ...daemonSet.spec, template: { spec: { ...template.spec, affinity } } } };
  expect(listed(objectsWith(wishing, [pinned]))[0]?.spec.affinity).toBe(affinity);
});

const endingNow = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, resourceVersion: '2', deletionTimestamp: '2024-01-05T00:00:00Z' },
});

test('a newer pod of the same words is no other daemon, one that takes more is', () => {
  const objects = objectsWith(daemonSet, [live('old', '2', '2024-01-01T00:00:00Z')]);
  const daemons = new DaemonPods(objects);
  const before = daemons.list();
  objects.pods.cache.seen(live('equal', '2', '2024-01-02T00:00:00Z', { nodeName: 'b' }));
  expect(daemons.list()).toBe(before);
  objects.pods.cache.seen(live('larger', '3', '2024-01-03T00:00:00Z'));
  expect(cpuOf(daemons.list())).toEqual(['3']);
});

test('the newest pod that is left speaks for the daemon when the newest one ends or goes', () => {
  const [old, middle, young] = [
    live('old', '1500m', '2024-01-01T00:00:00Z'),
    live('middle', '2', '2024-01-02T00:00:00Z'),
    live('young', '3', '2024-01-03T00:00:00Z'),
  ] as const;
  const objects = objectsWith(daemonSet, [old, middle, young]);
  const daemons = new DaemonPods(objects);
  expect(cpuOf(daemons.list())).toEqual(['3']);
  objects.pods.cache.seen(endingNow(young));
  expect(cpuOf(daemons.list())).toEqual(['2']);
  objects.pods.cache.gone(middle);
  expect(cpuOf(daemons.list())).toEqual(['1500m']);
  objects.pods.cache.gone(old);
  expect(cpuOf(daemons.list())).toEqual(['1']);
});

test('volumes for tokens, which have a name of their own in each pod, make no other daemon', () => {
  const withToken = (pod: Pod, name: string): Pod => ({
    ...pod,
    spec: {
      ...pod.spec,
      volumes: [{ name, projected: {} }],
      containers: pod.spec.containers.map((container) => ({
        ...container,
        volumeMounts: [{ name, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
      })),
    },
  });
  const old = live('old', '2', '2024-01-01T00:00:00Z');
  const objects = objectsWith(daemonSet, [withToken(old, 'kube-api-access-aaaaa')]);
  const daemons = new DaemonPods(objects);
  const before = daemons.list();
  objects.pods.cache.seen(withToken(live('young', '2', '2024-01-02T00:00:00Z'), 'kube-api-access-bbbbb'));
  expect(daemons.list()).toBe(before);
  objects.pods.cache.seen(withToken(live('youngest', '2', '2024-01-03T00:00:00Z'), 'data'));
  expect(daemons.list()).not.toBe(before);
});
