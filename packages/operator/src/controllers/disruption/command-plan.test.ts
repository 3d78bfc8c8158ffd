import {
  conditionTrue,
  disruptedTaint,
  fromTimestamp,
  instant,
  nodeClaimConditions,
  withCondition,
  type NodeClaim,
} from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import { describe, expect, test } from 'vitest';
import { disruptionCommandAnnotation, replacementForAnnotation, rolloutAnnotation } from '../../names.ts';
import {
  commandsOfClaims,
  isCompleteCommand,
  printCommandRecord,
  type StoredCommand,
} from '../../state/disruption-command.ts';
import { firstTimeout, leftBehind, planCommands } from './command-plan.ts';

const startedAt = fromTimestamp('2024-01-28T16:00:00Z');
const minutes = (count: number) => instant(startedAt + count * 60_000);
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const aClaim = (name: string, annotations: Record<string, string> = {}): NodeClaim => ({
  metadata: { name, creationTimestamp: '2024-01-28T15:00:00Z', annotations },
  spec: { nodeClassRef, requirements: [] },
});

const aMarked = (name: string, replacements = 1): NodeClaim =>
  aClaim(name, {
    [disruptionCommandAnnotation]: printCommandRecord({ id: 'c1', reason: 'Drifted', replacements, startedAt }),
  });
const aCandidate = (name: string, replacements = 1): NodeClaim => announced(aMarked(name, replacements));

const commandsAmong = (claims: readonly NodeClaim[]) =>
  commandsOfClaims(claims, (id) =>
    claims.filter(({ metadata }) => metadata.annotations?.[replacementForAnnotation] === id),
  );

const aReplacement = (name: string): NodeClaim => aClaim(name, { [replacementForAnnotation]: 'c1' });
const aMember = (name: string): NodeClaim =>
  aClaim(name, { [replacementForAnnotation]: 'c1', [rolloutAnnotation]: 'production-1' });
const initialized = (claim: NodeClaim): NodeClaim =>
  withCondition(nodeClaimConditions, claim, conditionTrue('Initialized'), startedAt);
const deleting = (claim: NodeClaim): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, deletionTimestamp: '2024-01-28T16:05:00Z' },
});

const announced = (claim: NodeClaim): NodeClaim =>
  withCondition(nodeClaimConditions, claim, conditionTrue('DisruptionReason', 'Drifted'), startedAt);

function stepsOf(claims: readonly NodeClaim[], at = 1, nodes: readonly NodeState[] = []): readonly string[] {
  const commands = commandsAmong(claims);
  return [...planCommands(commands, minutes(at)), ...leftBehind(commands, nodes)].map((action) =>
    action.kind === 'release' ? `release ${action.node.metadata.name}` : action.kind,
  );
}

const aTaintedNode = (claim: NodeClaim): NodeState => ({
  node: { metadata: { name: `node-of-${claim.metadata.name}` }, spec: { taints: [disruptedTaint] } },
  nodeClaim: claim,
  pods: [],
});

describe('a disruption command', () => {
  for (const { fact, claims, at, steps } of [
    {
      fact: 'waits for its replacements',
      claims: [aCandidate('old'), aReplacement('new')],
      at: 1,
      steps: ['awaitReplacements'],
    },
    {
      fact: 'is rolled back as soon as a replacement is deleted, not when it is gone',
      claims: [aCandidate('old'), deleting(aReplacement('new'))],
      at: 1,
      steps: ['rollBack'],
    },
    {
      fact: 'keeps its candidates when a replacement is deleted that was initialized',
      claims: [aCandidate('old'), deleting(initialized(aReplacement('new')))],
      at: 1,
      steps: ['rollBack'],
    },
    {
      fact: 'deletes its candidates when all replacements are initialized',
      claims: [aCandidate('old'), initialized(aReplacement('new'))],
      at: 1,
      steps: ['deleteCandidates'],
    },
    {
      fact: 'deletes its candidates at once when it needs no replacement',
      claims: [aCandidate('old', 0)],
      at: 1,
      steps: ['deleteCandidates'],
    },
    {
      fact: 'lets its candidates tell of it as soon as its replacements are made',
      claims: [aMarked('old'), initialized(aReplacement('new'))],
      at: 1,
      steps: ['announce'],
    },
    { fact: 'that ended before its replacements were made binds nobody', claims: [aMarked('old')], at: 1, steps: [] },
    {
      fact: 'is rolled back when it lost its replacement',
      claims: [aCandidate('old')],
      at: 1,
      steps: ['rollBack'],
    },
    {
      fact: 'is rolled back when it lost one of its replacements',
      claims: [aCandidate('old', 2), initialized(aReplacement('new'))],
      at: 1,
      steps: ['rollBack'],
    },
    {
      fact: 'is rolled back when a replacement takes longer than ten minutes',
      claims: [aCandidate('old'), aReplacement('new')],
      at: 10,
      steps: ['rollBack'],
    },
    {
      fact: 'waits for a new node of a rollout until the rollout has judged it',
      claims: [aCandidate('old'), aMember('new')],
      at: 59,
      steps: ['awaitReplacements'],
    },
    {
      fact: 'is rolled back when a new node of a rollout takes longer than an hour',
      claims: [aCandidate('old'), aMember('new')],
      at: 60,
      steps: ['rollBack'],
    },
    {
      fact: 'succeeds even late when its replacements have come',
      claims: [aCandidate('old'), initialized(aReplacement('new'))],
      at: 11,
      steps: ['deleteCandidates'],
    },
    { fact: 'needs nothing more once its candidates leave', claims: [deleting(aCandidate('old'))], at: 60, steps: [] },
    {
      fact: 'goes on with the candidates that are left',
      claims: [deleting(aCandidate('old')), aCandidate('older'), initialized(aReplacement('new'))],
      at: 1,
      steps: ['deleteCandidates'],
    },
  ]) {
    test(fact, () => {
      expect(stepsOf(claims, at)).toEqual(steps);
    });
  }

  for (const [queued, expected] of [
    [100, 10 * 60],
    [4_000, 10 * 60],
    [10_000, 13 * 60 + 20],
    [40_000, 53 * 60 + 20],
    [80_000, 60 * 60],
    [100_000, 60 * 60],
  ] as const) {
    test(`of which ${queued} nodes are under way has ${expected} seconds`, () => {
      const old = aCandidate('old', 0);
      const command = { ...commandsAmong([old])[0], candidates: Array.from({ length: queued }, () => old) };
      const commands = [command as StoredCommand];
      expect(firstTimeout(commands)).toBe(startedAt + expected * 1_000);
    });
  }

  test('goes on when its own replacements are ready, whichever began first', () => {
    const first = [aCandidate('old'), aReplacement('new')];
    const record = { id: 'c2', reason: 'Drifted', replacements: 1, startedAt: minutes(1) } as const;
    const second = [
      announced(aClaim('other', { [disruptionCommandAnnotation]: printCommandRecord(record) })),
      initialized(aClaim('its-replacement', { [replacementForAnnotation]: 'c2' })),
    ];
    expect(stepsOf([...first, ...second])).toEqual(['awaitReplacements', 'deleteCandidates']);
  });

  test('waits for all of its replacements', () => {
    const claims = [
      aCandidate('old', 2),
      aCandidate('older', 2),
      initialized(aReplacement('new')),
      aReplacement('newer'),
    ];
    expect(stepsOf(claims)).toEqual(['awaitReplacements']);
  });

  test('remembers the way of consolidating it comes from', () => {
    const record = { id: 'c1', reason: 'Empty', consolidationType: 'empty', replacements: 0, startedAt } as const;
    const claim = aClaim('old', { [disruptionCommandAnnotation]: printCommandRecord(record) });
    expect(commandsAmong([claim])).toMatchObject([{ reason: 'Empty', consolidationType: 'empty' }]);
  });

  test('that nobody tells of any more leaves a taint behind, which is taken off', () => {
    expect(stepsOf([], 1, [aTaintedNode(aClaim('old'))])).toEqual(['release node-of-old']);
  });

  test('that never got going leaves its mark behind, which is taken off', () => {
    const candidate = aMarked('old');
    expect(stepsOf([candidate], 1, [aTaintedNode(candidate)])).toEqual(['release node-of-old']);
  });

  test('keeps the taint of its candidates', () => {
    const candidate = aCandidate('old');
    expect(stepsOf([candidate, aReplacement('new')], 1, [aTaintedNode(candidate)])).toEqual(['awaitReplacements']);
  });

  test('counts its candidates as leaving only when every replacement exists', () => {
    const complete = (claims: readonly NodeClaim[]) => commandsAmong(claims).map(isCompleteCommand);
    expect(complete([aCandidate('old', 2), aReplacement('new')])).toEqual([false]);
    expect(complete([aCandidate('old', 2), aReplacement('new'), aReplacement('newer')])).toEqual([true]);
    expect(complete([aCandidate('old'), deleting(aReplacement('new'))])).toEqual([false]);
  });

  test('whose record cannot be read is none', () => {
    expect(commandsAmong([aClaim('old', { [disruptionCommandAnnotation]: 'garbage' })])).toEqual([]);
  });
});
