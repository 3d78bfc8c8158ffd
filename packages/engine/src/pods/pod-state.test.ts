import { fromTimestamp } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { isProtected } from './do-not-disrupt.ts';
import { podComplaint } from './pod-complaint.ts';
import { isProvisionable, isReschedulable } from './pod-state.ts';

const pending = aPod('p');
const owned = (apiVersion: string, kind: string): Pod => ({
  ...pending,
  metadata: { ...pending.metadata, ownerReferences: [{ apiVersion, kind, name: 'o', uid: 'o' }] },
});

describe('provisionable', () => {
  for (const { fact, pod, yes } of [
    { fact: 'a pod found unschedulable', pod: pending, yes: true },
    { fact: 'a pod the scheduler has not seen yet', pod: { ...pending, status: { phase: 'Pending' } }, yes: false },
    { fact: 'a pod that has a node', pod: { ...pending, spec: { ...pending.spec, nodeName: 'n' } }, yes: false },
    {
      fact: 'a pod that waits for others to make room',
      pod: { ...pending, status: { ...pending.status, nominatedNodeName: 'n' } },
      yes: false,
    },
    { fact: 'a pod that is ending: nothing binds it', pod: aPod('p', { deleting: true }), yes: false },
    {
      fact: 'a pod that was given up',
      pod: { ...pending, status: { ...pending.status, phase: 'Failed' } },
      yes: false,
    },
    {
      fact: 'a pod of another scheduler',
      pod: { ...pending, spec: { ...pending.spec, schedulerName: 'volcano' } },
      yes: true,
    },
    {
      fact: 'a pod that is held by a scheduling gate',
      pod: {
        ...pending,
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      yes: false,
    },
    { fact: 'a daemon pod', pod: owned('apps/v1', 'DaemonSet'), yes: false },
    { fact: 'a mirror pod', pod: owned('v1', 'Node'), yes: false },
    { fact: 'a pod of a ReplicaSet', pod: owned('apps/v1', 'ReplicaSet'), yes: true },
  ] as readonly { fact: string; pod: Pod; yes: boolean }[]) {
    test(`${yes ? 'is' : 'is not'} ${fact}`, () => {
      expect(isProvisionable(pod)).toBe(yes);
    });
  }
});

describe('reschedulable', () => {
  for (const { fact, pod, yes } of [
    { fact: 'a running pod', pod: aPod('p', { nodeName: 'n', ownerKind: 'ReplicaSet' }), yes: true },
    { fact: 'a pod that has ended', pod: aPod('p', { nodeName: 'n', phase: 'Failed' }), yes: false },
    {
      fact: 'an ending pod of a ReplicaSet',
      pod: aPod('p', { nodeName: 'n', ownerKind: 'ReplicaSet', deleting: true }),
      yes: false,
    },
    {
      fact: 'an ending pod of a StatefulSet',
      pod: aPod('p', { nodeName: 'n', ownerKind: 'StatefulSet', deleting: true }),
      yes: true,
    },
    { fact: 'a daemon pod', pod: aPod('p', { nodeName: 'n', ownerKind: 'DaemonSet' }), yes: false },
  ]) {
    test(`${yes ? 'is' : 'is not'} ${fact}`, () => {
      expect(isReschedulable(pod)).toBe(yes);
    });
  }
});

describe('do-not-disrupt', () => {
  const now = fromTimestamp('2024-03-01T12:00:00Z');
  const pod = (value: string, startTime?: string): Pod => {
    const plain = aPod('p', { nodeName: 'n', annotations: { 'karpenter.sh/do-not-disrupt': value } });
    return { ...plain, status: { ...plain.status, ...(startTime === undefined ? {} : { startTime }) } };
  };
  for (const { fact, of, held } of [
    { fact: 'true holds', of: pod('true'), held: true },
    { fact: 'a duration holds until it has passed since the start', of: pod('1h', '2024-03-01T11:00:01Z'), held: true },
    { fact: 'a duration that has passed does not hold', of: pod('1h', '2024-03-01T11:00:00Z'), held: false },
    { fact: 'a duration holds before the start', of: pod('1h'), held: true },
    { fact: 'false does not hold', of: pod('false'), held: false },
    { fact: 'a negative duration does not hold', of: pod('-1h'), held: false },
  ]) {
    test(fact, () => {
      expect(isProtected(of, now)).toBe(held);
    });
  }
});

describe('a complaint about a pod', () => {
  const requiring = (key: string, operator: 'In' | 'DoesNotExist' | 'Gt', ...values: string[]) =>
    aPod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'fine', operator: 'Exists' }] },
              { matchExpressions: [{ key, operator, values }] },
            ],
          },
        },
      },
    });
  for (const { fact, pod, complaint } of [
    { fact: 'none for a plain pod', pod: pending, complaint: undefined },
    {
      fact: 'none for a well-known selector',
      pod: aPod('p', { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }),
      complaint: undefined,
    },
    {
      fact: 'a restricted label',
      pod: aPod('p', { nodeSelector: { 'karpenter.sh/registered': 'true' } }),
      complaint: 'karpenter.sh/registered is restricted',
    },
    {
      fact: 'a value that is none',
      pod: aPod('p', { nodeSelector: { team: '-' } }),
      complaint: 'value - of label team',
    },
    {
      fact: 'an expression in an alternative that does not count',
      pod: requiring('cpu', 'Gt', 'many'),
      complaint: 'needs exactly one whole number',
    },
  ]) {
    test(fact, () => {
      const found = podComplaint(pod);
      expect(found?.kind === 'invalid' ? found.message : found).toEqual(
        complaint === undefined ? undefined : expect.stringContaining(complaint),
      );
    });
  }
  test('silence about a pod that avoids our nodes', () => {
    const avoiding = aPod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] }],
          },
        },
      },
    });
    expect(podComplaint(avoiding)).toEqual({ kind: 'notOurs' });
  });
});
