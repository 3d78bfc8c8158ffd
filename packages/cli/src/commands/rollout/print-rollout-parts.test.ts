import type { NodeRollout, NodeRolloutStatus } from '@nodewright/apis';
import type { RolloutOutlook } from '@nodewright/operator';
import { describe, expect, test } from 'vitest';
import { printPlan, writePlan } from './print-plan.ts';
import { printRollout } from './print-rollout.ts';

const at = '2024-08-15T10:00:00Z';
const later = '2024-08-16T10:00:00Z';
const variant = 'AL2023/amd64/none';
const image = (id: string, release: string) => ({ source: 'EC2NodeClass/default', variant, image: id, release });

const aRollout = (status: NodeRolloutStatus, spec: Partial<NodeRollout['spec']> = {}): NodeRollout => ({
  metadata: { name: 'production-4' },
  spec: {
    policy: 'production',
    number: 4,
    cause: 'NewRelease',
    from: [image('ami-1', 'v20240807')],
    to: [image('ami-2', 'v20240814')],
    kubernetesVersion: '1.30',
    members: 30,
    ...spec,
  },
  status,
});

/** The lines of facts with these names, as `name   value`. */
const factsOf = (rollout: NodeRollout, ...names: readonly string[]): readonly string[] =>
  (printRollout(rollout).split('\n\n')[0] ?? '')
    .split('\n')
    .map((line) => line.split(/ {3,}/))
    .filter(([name = '']) => names.includes(name))
    .map(([name, value]) => `${name}: ${value}`);

/** The table with this first heading. */
const tableOf = (text: string, heading: string): readonly (readonly string[])[] =>
  (text.split('\n\n').find((block) => block.startsWith(heading)) ?? '').split('\n').map((line) => line.split(/ {3,}/));

describe('the facts of a rollout', () => {
  test('name the rollout that it takes back', () => {
    expect(factsOf(aRollout({}, { cause: 'Rollback', rollbackOf: 'production-3' }), 'cause')).toEqual([
      'cause: Rollback of production-3',
    ]);
  });

  test('tell what was learned of each variant', () => {
    const evidence = [
      { variant, summary: '12 nodes, 0 failed' },
      { variant: 'AL2023/arm64/none', summary: '3 nodes, 1 failed' },
    ] as unknown as NonNullable<NodeRolloutStatus['evidence']>;
    expect(factsOf(aRollout({ evidence }), 'evidence')).toEqual([
      'evidence: AL2023/amd64/none: 12 nodes, 0 failed',
      'evidence: AL2023/arm64/none: 3 nodes, 1 failed',
    ]);
  });

  test('tell what it waits for, and only what holds', () => {
    const condition = (type: string, status: 'True' | 'False', message?: string) => ({
      type,
      status,
      lastTransitionTime: at,
      ...(message === undefined ? {} : { message }),
    });
    const conditions = [
      condition('WaitingForWindow', 'True', 'the window opens at 08:00'),
      condition('Paused', 'False', 'no pause'),
      condition('WaitingForApproval', 'True'),
    ] as NonNullable<NodeRolloutStatus['conditions']>;
    expect(factsOf(aRollout({ conditions }), 'waits')).toEqual([
      `waits: WaitingForApproval (since ${at})`,
      `waits: the window opens at 08:00 (since ${at})`,
    ]);
  });

  const times = { nextChangeAt: later, expectedEnd: '2024-08-20T10:00:00Z' };
  const halted = { at, reason: 'FailureBudgetExceeded' as const, message: '1 node failed', variants: [], rules: [] };
  test.each<readonly [string, NodeRolloutStatus, readonly string[]]>([
    ['while it goes on', times, [`next change: ${later}`, 'expected end: 2024-08-20T10:00:00Z']],
    ['not of the next change after a halt', { ...times, halted }, ['expected end: 2024-08-20T10:00:00Z']],
    ['not after its end', { ...times, startedAt: at, endedAt: later }, []],
  ])('tell of times to come %s', (_, status, told) => {
    expect(factsOf(aRollout(status), 'next change', 'expected end')).toEqual(told);
  });

  test('a halt without rules keeps no image out', () => {
    expect(factsOf(aRollout({ halted }), 'halted', 'kept out')).toEqual([`halted: 1 node failed (since ${at})`]);
  });
});

describe('the tables of a rollout', () => {
  test('a wave that has not begun has no counts', () => {
    const waves = [
      {
        name: 'canary',
        seats: 2,
        taken: 2,
        healthy: 2,
        failed: 0,
        startedAt: at,
        endedAt: later,
        outcome: 'Succeeded',
      },
      { name: 'all', seats: 28, taken: 0, healthy: 0, failed: 0 },
    ] as NonNullable<NodeRolloutStatus['waves']>;
    expect(tableOf(printRollout(aRollout({ waves })), 'WAVE').slice(1)).toEqual([
      ['canary', '2', '2', '2', '0', at, '-', later, 'Succeeded'],
      ['all', '-', '-', '-', '-', '-', '-', '-', '-'],
    ]);
  });

  test('more new nodes than fit are counted', () => {
    const seats = Array.from({ length: 23 }, (_, index) => ({
      seat: index + 1,
      variant,
      member: `default-${index}`,
      soakedSeconds: 0,
    }));
    const table = tableOf(printRollout(aRollout({ seats })), 'NEW NODE');
    expect(table).toHaveLength(1 + 20 + 1);
    expect(table.at(-1)).toEqual(['and 3 more; -o json prints all']);
    expect(tableOf(printRollout(aRollout({ seats: seats.slice(0, 20) })), 'NEW NODE')).toHaveLength(1 + 20);
  });

  test('the new nodes of a rollout that has ended are told no more', () => {
    const seats = [{ seat: 1, variant, member: 'default-a', soakedSeconds: 0 }];
    expect(printRollout(aRollout({ seats, endedAt: later }))).not.toContain('NEW NODE');
  });

  test('a failure that a person has forgiven says so', () => {
    const failure = { node: 'default-x7', nodeName: 'node-7', variant, signal: 'lease', evidence: 'silent', at };
    const failures = [failure, { ...failure, node: 'default-x8', nodeName: 'node-8', forgiven: true }];
    expect(tableOf(printRollout(aRollout({ failures })), 'FAILED NODE').map((row) => row.at(-1))).toEqual([
      'EVIDENCE',
      'silent',
      'silent (forgiven)',
    ]);
  });

  test('parked nodes and what people asked have tables of their own', () => {
    const status = {
      parked: [
        { node: 'default-p1', since: at, pod: 'web/api-0', podDisruptionBudget: 'web/api' },
        { node: 'default-p2', since: later },
      ],
      log: [{ at, request: 'pause', value: 'true', by: 'ann', answer: 'accepted' }],
    } as unknown as NodeRolloutStatus;
    const text = printRollout(aRollout(status));
    expect(tableOf(text, 'PARKED NODE').slice(1)).toEqual([
      ['default-p1', at, 'web/api-0', 'web/api'],
      ['default-p2', later, '-', '-'],
    ]);
    expect(tableOf(text, 'ASKED AT').slice(1)).toEqual([[at, 'pause', 'true', 'ann', 'accepted']]);
  });
});

describe('the plan of a policy', () => {
  const aPlan = (different: object = {}, snapshot: object = {}): RolloutOutlook =>
    ({
      policy: 'production',
      waves: [],
      nodeNames: new Map([['default-a', 'ip-10-0-0-1']]),
      snapshot: { policy: { status: {} }, nodes: [], objects: [], ...snapshot },
      plan: { policyStatus: {}, statuses: new Map(), held: [], lateNodes: [], ...different },
    }) as unknown as RolloutOutlook;
  const held = (node: string, gate: string) => ({ node, blockers: [{ gate, message: `${gate} holds`, kind: gate }] });
  const nodes = [
    { name: 'default-a', object: 'NodePool/default', variant },
    { name: 'default-b', object: 'NodePool/default', variant },
  ];

  test('without a rollout says when one begins', () => {
    expect(printPlan(aPlan())).toBe(
      'production: no rollout is under way; one begins when another image is wanted than the proven one',
    );
  });

  test('of a rollout whose nodes have all moved says that none is left', () => {
    const text = printPlan(aPlan({ policyStatus: { rollout: 'production-4' } }));
    expect(text.split('\n')[0]).toBe('production: production-4 is Progressing');
    expect(text).toContain('no node is left to move');
  });

  test('has those that are let go next before those that are held, by the names of their Nodes', () => {
    const admitted = [{ node: 'default-a' }];
    const plan = { policyStatus: { rollout: 'production-4', admitted }, held: [held('default-b', 'window')] };
    expect(writePlan(aPlan(plan, { nodes })).moves).toMatchObject([
      { node: 'ip-10-0-0-1', object: 'NodePool/default', gates: [] },
      { node: 'default-b', object: 'NodePool/default', gates: [{ gate: 'window', message: 'window holds' }] },
    ]);
  });

  test('does not repeat a node that was let go before', () => {
    const admitted = [{ node: 'default-a' }];
    const plan = { policyStatus: { rollout: 'production-4', admitted } };
    expect(writePlan(aPlan(plan, { nodes, policy: { status: { admitted } } })).moves).toEqual([]);
  });

  test('names images that are not let in, of variants that are in use, each reason once', () => {
    const waits = {
      source: 'EC2NodeClass/default',
      reason: 'notProvenUpstream',
      because: 'staging has 1 of 500 hours',
    };
    const heldImages = [
      { ...waits, variant, image: 'ami-9' },
      { ...waits, variant, image: 'ami-8' },
      { ...waits, variant: 'AL2023/arm64/none', image: 'ami-7', because: 'nothing runs it' },
    ];
    const objects = [{ id: 'NodePool/default', source: 'EC2NodeClass/default' }];
    const text = printPlan(aPlan({}, { policy: { status: { heldImages } }, nodes, objects }));
    expect(text.split('\n').slice(1)).toEqual([
      'not let in yet for EC2NodeClass/default, notProvenUpstream: staging has 1 of 500 hours',
    ]);
  });

  test('counts more nodes than fit', () => {
    const many = Array.from({ length: 22 }, (_, index) => ({ node: `default-${index}` }));
    const text = printPlan(aPlan({ policyStatus: { rollout: 'production-4', admitted: many } }));
    expect(text).toContain('nodes in the order in which they go (22):');
    expect(text).toContain('and 2 more; -o json prints all');
    expect(text.match(/is let go next/g)).toHaveLength(20);
  });
});
