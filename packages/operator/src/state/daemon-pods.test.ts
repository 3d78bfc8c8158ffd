import type { DaemonSet, Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { DaemonPods } from './daemon-pods.ts';
import type { Objects } from './objects.ts';

const template = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };
const daemonSet: DaemonSet = {
  metadata: { name: 'agent', namespace: 'default', uid: 'uid-agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template },
};

/** Only what daemons are read from. */
const objectsWith = (set: DaemonSet, pods: readonly Pod[]): Objects => objectsThat(set, () => pods);

const objectsThat = (set: DaemonSet, pods: () => readonly Pod[]): Objects =>
  ({ daemonSets: { list: () => [set] }, pods: { by: pods } }) as unknown as Objects;

const live = (name: string, cpu: string, createdAt: string, more: Parameters<typeof aPod>[1] = {}): Pod => {
  const pod = aPod(name, { requests: { cpu }, nodeName: 'a', ...more });
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp: createdAt } };
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

test('a newer pod of the same words is no other daemon, one that takes more is', () => {
  let pods: readonly Pod[] = [live('old', '2', '2024-01-01T00:00:00Z')];
  const daemons = new DaemonPods(objectsThat(daemonSet, () => pods));
  const before = daemons.list();
  pods = [...pods, live('equal', '2', '2024-01-02T00:00:00Z', { nodeName: 'b' })];
  expect(daemons.list()).toBe(before);
  pods = [...pods, live('larger', '3', '2024-01-03T00:00:00Z')];
  expect(cpuOf(daemons.list())).toEqual(['3']);
});
