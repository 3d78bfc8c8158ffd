import type { NodeRollout } from '@nodewright/apis';
import type { RolloutOutlook } from '@nodewright/operator';
import { describe, expect, test } from 'vitest';
import { findRollout } from './find-rollout.ts';
import { printRollout } from './print-rollout.ts';
import { rolloutChanges } from './watch.ts';

const image = (id: string, release: string) => ({
  source: 'EC2NodeClass/default',
  variant: 'AL2023/amd64/none',
  image: id,
  release,
});

const aRollout = (number: number, status: NodeRollout['status'] = {}, policy = 'production'): NodeRollout => ({
  metadata: { name: `${policy}-${number}` },
  spec: {
    policy,
    number,
    cause: 'NewRelease',
    from: [image('ami-1', 'v20240807')],
    to: [image('ami-2', 'v20240814')],
    kubernetesVersion: '1.30',
    members: 12,
  },
  status,
});

const at = '2024-08-15T10:00:00Z';
const failure = {
  node: 'default-x7',
  nodeName: 'node-7',
  variant: 'AL2023/amd64/none',
  signal: 'lease',
  evidence: 'silent for 91 s',
  at,
};
const halted = {
  at,
  reason: 'FailureBudgetExceeded' as const,
  message: '1 node failed, the budget is 0',
  variants: ['AL2023/amd64/none'],
  rules: ['halted-production-3-al2023-amd64-none'],
};

test('a halted rollout is told with its cause, its evidence and what can be done', () => {
  const waves = [{ name: 'canary', seats: 1, taken: 1, healthy: 0, failed: 1, startedAt: at }];
  const counts = { total: 12, updated: 1, ready: 0, failed: 1, remaining: 11 };
  const status = { state: 'Halted', wave: 'canary', halted, waves, failures: [failure], ...counts } as const;
  expect(printRollout(aRollout(3, status))).toBe(
    `rollout    production-3, of NodeRolloutPolicy production
state      Halted, wave canary
cause      NewRelease
image      EC2NodeClass/default, AL2023/amd64/none: v20240807 (ami-1) -> v20240814 (ami-2)
nodes      1 of 12 updated (0 Ready), 1 failed, 11 not moved
halted     1 node failed, the budget is 0 (since 2024-08-15T10:00:00Z)
kept out   by ImageRule halted-production-3-al2023-amd64-none

WAVE     SEATS   TAKEN   HEALTHY   FAILED   STARTED                SOAKED UNTIL   ENDED   OUTCOME
canary   1       1       0         1        2024-08-15T10:00:00Z   -              -       -

FAILED NODE           VARIANT             SIGNAL   AT                     EVIDENCE
node-7 (default-x7)   AL2023/amd64/none   lease    2024-08-15T10:00:00Z   silent for 91 s

what leads on, beside a newer release:
  nodewright rollout resume production-3 --reason TEXT
  nodewright rollout rollback production-3 --reason TEXT`,
  );
});

test('a wave under way tells which new nodes it waits for, those that are proven last', () => {
  const variant = 'AL2023/amd64/none';
  const seats = [
    { seat: 1, variant, member: 'default-a1', soakedSeconds: 28_800, result: 'Proven' as const },
    { seat: 2, variant, member: 'default-b2', soakedSeconds: 0, since: at },
    { seat: 3, variant, member: 'default-c3', soakedSeconds: 90, emptySince: at },
    { seat: 4, variant, member: 'default-d4', soakedSeconds: 0 },
    { seat: 5, variant, soakedSeconds: 0 },
    { seat: 6, variant, member: failure.node, soakedSeconds: 0 },
  ];
  expect(
    printRollout(aRollout(3, { state: 'Soaking', wave: 'canary', seats, failures: [failure] })).split('\n\n')[1],
  ).toBe(
    `NEW NODE     VARIANT             SOAKED BEFORE   STATE
default-b2   AL2023/amd64/none   0s              soaks since 2024-08-15T10:00:00Z
default-c3   AL2023/amd64/none   1m30s           runs no pods since 2024-08-15T10:00:00Z
default-d4   AL2023/amd64/none   0s              not Ready with pods yet
default-a1   AL2023/amd64/none   8h              proven`,
  );
});

test('new nodes are told by the name of their Node, too, where the cluster was read', () => {
  const seats = [{ seat: 1, variant: 'AL2023/amd64/none', member: 'default-b2', soakedSeconds: 0, since: at }];
  const rollout = aRollout(3, { state: 'Soaking', wave: 'canary', seats });
  const outlook = {
    nodeNames: new Map([['default-b2', 'ip-10-0-0-1']]),
    snapshot: { policy: {}, nodes: [], objects: [] },
  };
  expect(printRollout(rollout, outlook as unknown as RolloutOutlook).split('\n\n')[1]).toContain(
    'ip-10-0-0-1 (default-b2)   AL2023/amd64/none   0s              soaks since 2024-08-15T10:00:00Z',
  );
});

describe('the rollout that is meant', () => {
  const ended = { endedAt: at };
  const all = [aRollout(3), aRollout(2, ended), aRollout(1, ended, 'staging')];
  for (const { fact, name, rollouts = all, found } of [
    { fact: 'is the one of that name', name: 'production-2', found: 'production-2' },
    { fact: 'is the one under way of that policy', name: 'production', found: 'production-3' },
    { fact: 'is the last one of a policy at rest', name: 'staging', found: 'staging-1' },
    { fact: 'is the only one under way', name: undefined, found: 'production-3' },
    {
      fact: 'is the last one when all have ended',
      name: undefined,
      rollouts: [aRollout(2, ended), aRollout(1, ended)],
      found: 'production-2',
    },
  ]) {
    test(fact, () => expect(findRollout(rollouts, name).metadata.name).toBe(found));
  }

  for (const { fact, name, rollouts, complaint } of [
    {
      fact: 'two are under way',
      name: undefined,
      rollouts: [aRollout(1), aRollout(1, {}, 'staging')],
      complaint: 'several rollouts are under way, name one: production-1, staging-1',
    },
    {
      fact: 'none has that name',
      name: 'web',
      rollouts: all,
      complaint:
        'there is no NodeRollout and no NodeRolloutPolicy "web" with one; there are production-3, production-2, staging-1',
    },
    { fact: 'there is none', name: undefined, rollouts: [], complaint: 'there is no rollout yet' },
  ]) {
    test(`is not guessed when ${fact}`, () => expect(() => findRollout(rollouts, name)).toThrow(complaint));
  }
});

test('a watch tells what is new, once', () => {
  const soaking = aRollout(3, { state: 'Soaking', wave: 'canary', total: 12, updated: 1, remaining: 11 });
  const log = [{ request: 'halt' as const, value: 'INC-7', by: 'nodewright-ann', at, answer: 'the rollout is halted' }];
  const after = aRollout(3, { ...soaking.status, failed: 1, failures: [failure], log });
  expect(rolloutChanges(undefined, soaking)).toEqual([
    'Soaking, wave canary         1 of 12 updated, 0 failed, 11 to go',
  ]);
  expect(rolloutChanges(soaking, soaking)).toEqual([]);
  expect(rolloutChanges(soaking, after)).toEqual([
    'Soaking, wave canary         1 of 12 updated, 1 failed, 11 to go',
    '  node-7 (default-x7) failed, lease: silent for 91 s',
    '  halt asked by nodewright-ann: the rollout is halted',
  ]);
});
