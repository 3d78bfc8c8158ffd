import { fromTimestamp, instant, toTimestamp, type Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { planDrain } from './drain.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const inSeconds = (seconds: number) => instant(now + seconds * 1_000);

const onNode = (name: string, traits: Parameters<typeof aPod>[1] = {}): Pod =>
  aPod(name, { nodeName: 'node-1', ...traits });

const terminatingUntil = (pod: Pod, seconds: number): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: toTimestamp(inSeconds(seconds)) },
});

const app = onNode('app');
const daemon = onNode('daemon', { ownerKind: 'DaemonSet' });
const dns = onNode('dns', { priorityClassName: 'system-cluster-critical' });
const proxy = onNode('proxy', { ownerKind: 'DaemonSet', priorityClassName: 'system-node-critical' });
const patient = onNode('patient', { terminationGracePeriodSeconds: 600 });
const tolerant = onNode('tolerant', { tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] });
const all = [app, daemon, dns, proxy];

describe('a drain', () => {
  for (const { fact, pods, deadline, evicted, waits } of [
    { fact: 'begins with ordinary pods', pods: all, evicted: ['app'], waits: 4 },
    { fact: 'goes on with their daemons', pods: [daemon, dns, proxy], evicted: ['daemon'], waits: 3 },
    { fact: 'takes critical pods after them', pods: [dns, proxy], evicted: ['dns'], waits: 2 },
    { fact: 'ends with critical daemons', pods: [proxy], evicted: ['proxy'], waits: 1 },
    {
      fact: 'keeps later tiers while an earlier pod is ending, and does not ask it again',
      pods: [terminatingUntil(app, 30), dns],
      evicted: [],
      waits: 2,
    },
    {
      fact: 'no longer waits for a pod that should have ended a minute ago',
      pods: [terminatingUntil(app, -61), dns],
      evicted: ['dns'],
      waits: 1,
    },
    { fact: 'does not wait for pods that put up with it', pods: [tolerant], evicted: [], waits: 0 },
    { fact: 'does not wait for finished pods', pods: [onNode('done', { phase: 'Succeeded' })], evicted: [], waits: 0 },
    {
      fact: 'asks a pod early whose grace would outlast the deadline',
      pods: [app, dns, patient],
      deadline: inSeconds(300),
      evicted: ['patient', 'app'],
      waits: 3,
    },
    {
      fact: 'asks everyone at once when the deadline is near',
      pods: all,
      deadline: inSeconds(29),
      evicted: ['app', 'daemon', 'dns', 'proxy'],
      waits: 4,
    },
  ]) {
    test(fact, () => {
      const plan = planDrain(pods, deadline, now);
      expect({ evicted: plan.evict.map(({ metadata }) => metadata.name), waits: plan.waitingFor.length }).toEqual({
        evicted,
        waits,
      });
    });
  }
});
