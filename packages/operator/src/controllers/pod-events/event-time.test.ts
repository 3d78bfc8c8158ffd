import { fromTimestamp, toTimestamp, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { eventTimeOf } from './event-time.ts';

const bound = {
  metadata: { name: 'web', creationTimestamp: '2024-01-28T16:00:00Z' },
  spec: { containers: [], nodeName: 'a' },
  status: {
    startTime: '2024-01-28T16:00:12Z',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2024-01-28T16:00:10Z' }],
  },
} satisfies Pod;

const ended = {
  ...bound,
  status: {
    ...bound.status,
    phase: 'Succeeded',
    containerStatuses: [
      { name: 'app', image: 'pause', imageID: '', ready: false, restartCount: 0 },
      {
        name: 'job',
        image: 'pause',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0, finishedAt: '2024-01-28T16:30:00Z' } },
      },
    ],
  },
} satisfies Pod;

const leaving = {
  ...bound,
  metadata: { ...bound.metadata, deletionTimestamp: '2024-01-28T17:00:30Z', deletionGracePeriodSeconds: 30 },
} satisfies Pod;

test.each<{ fact: string; pod: Pod; at: string }>([
  { fact: 'a pod came when it was bound', pod: bound, at: '2024-01-28T16:00:10Z' },
  {
    fact: 'failing that, when its kubelet saw it',
    pod: { ...bound, status: { startTime: '2024-01-28T16:00:12Z' } },
    at: '2024-01-28T16:00:12Z',
  },
  { fact: 'failing that, when it was made', pod: { ...bound, status: {} }, at: '2024-01-28T16:00:00Z' },
  { fact: 'a pod ended with its last container', pod: ended, at: '2024-01-28T16:30:00Z' },
  { fact: 'a pod was asked to end a grace before its end', pod: leaving, at: '2024-01-28T17:00:00Z' },
])('$fact', ({ pod, at }) => {
  expect(toTimestamp(eventTimeOf(pod) ?? fromTimestamp('1970-01-01T00:00:00Z'))).toBe(at);
});

test('a pod that tells nothing has no time', () => {
  expect(eventTimeOf({ metadata: { name: 'web' }, spec: { containers: [], nodeName: 'a' } })).toBeUndefined();
});
