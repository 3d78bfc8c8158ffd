import { fromTimestamp, type PodDisruptionBudget } from '@nodewright/apis';
import {
  aLoosePool,
  aPod,
  aQuietNode,
  aRunningPod,
  aSnapshot,
  fourTypes,
  judgementOfTest,
  searchSinglyIn,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../cluster/node-state.ts';
import type { ConsolidationMove } from '../moves/move.ts';

import { checkMove } from './validate.ts';

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] };
const pool = aLoosePool('default', { requirements: [onDemand] });
const node = (traits: Parameters<typeof aQuietNode>[1] = {}) =>
  aQuietNode('n', { instanceType: 'c16', pods: [aRunningPod('web', 'n', 3, { labels: { app: 'web' } })], ...traits });
const roomy = aQuietNode('roomy', { managed: false });

function moveOf(nodes: readonly NodeState[]): ConsolidationMove {
  const { found } = searchSinglyIn(judgementOfTest(aSnapshot(nodes, { pool })));
  if (found === undefined) throw new Error('there is no move');
  return found.move;
}

const replace = moveOf([node()]);
const remove = moveOf([node(), roomy]);

/** What a while later stands against a move that was found. */
function objection(
  move: ConsolidationMove,
  nodes: readonly NodeState[],
  around: Parameters<typeof aSnapshot>[1] = {},
): string | undefined {
  const check = checkMove(move, judgementOfTest(aSnapshot(nodes, { pool, ...around })));
  return 'objection' in check ? check.objection.kind : undefined;
}

const guard: PodDisruptionBudget = {
  metadata: { name: 'guard', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
};
const held = aRunningPod('held', 'n', 1, { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });

test('a move that is as good as before has nothing against it', () => {
  expect([objection(replace, [node()]), objection(remove, [node(), roomy])]).toEqual([undefined, undefined]);
});

test('a move that is as good as before is about its nodes as they are now', () => {
  const now = node();
  expect(checkMove(replace, judgementOfTest(aSnapshot([now], { pool })))).toMatchObject({
    move: { candidates: [{ state: now }] },
  });
});

for (const { kind, move, beside } of [
  { kind: 'a replacement', move: replace, beside: [] },
  { kind: 'a removal', move: remove, beside: [roomy] },
]) {
  describe(`what stands against ${kind} after a while`, () => {
    test('a pod that must not be disrupted has come', () => {
      expect(objection(move, [node({ pods: [...node().pods, held] }), ...beside])).toBe('churn');
    });
    test('a PodDisruptionBudget lets its pods no longer go', () => {
      expect(objection(move, [node(), ...beside], { podDisruptionBudgets: [guard] })).toBe('churn');
    });
    test('pods have come or gone', () => {
      expect(objection(move, [node({ claimConditions: [] }), ...beside])).toBe('churn');
    });
    test('the node is gone', () => {
      expect(objection(move, [...beside])).toBe('churn');
    });
    test('a pod is on its way to it', () => {
      const nominatedUntil = fromTimestamp('2024-03-01T12:01:00Z');
      expect(objection(move, [{ ...node(), nominatedUntil }, ...beside])).toBe('budget');
    });
    test('the budgets of its pool are used up', () => {
      const shut = aLoosePool('default', {
        ...pool.spec.template.spec,
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] },
      });
      expect(objection(move, [node(), ...beside], { pool: shut })).toBe('budget');
    });
    test('a pod of it would have no place', () => {
      const pods = [...node().pods, aRunningPod('picky', 'n', 1, { nodeSelector: { rack: '7' } })];
      expect(objection(move, [node({ pods }), ...beside])).toBe('scheduling');
    });
  });
}

describe('a replacement is not made after all', () => {
  test('when its pods fit elsewhere without one', () => {
    expect(objection(replace, [node(), roomy])).toBe('scheduling');
  });
  test('when its pods need more than some of its fourTypes have', () => {
    expect(objection(replace, [node({ pods: [...node().pods, aRunningPod('late', 'n', 3)] })])).toBe('scheduling');
  });
  test('when its fourTypes cost as much by now', () => {
    const dearer = fourTypes.map((type) =>
      type.name === 'c16'
        ? type
        : { ...type, offerings: type.offerings.map((each) => ({ ...each, priceMicroUsdPerHour: 640_000 })) },
    );
    expect(objection(replace, [node()], { instanceTypes: dearer })).toBe('scheduling');
  });
  test('not when more fourTypes would do by now', () => {
    expect(objection(replace, [node({ pods: [aRunningPod('less', 'n', 1)] })])).toBeUndefined();
  });
});

test('a removal is not made after all when its pods need a new node by now', () => {
  const full = aQuietNode('roomy', { managed: false, pods: [aRunningPod('other', 'roomy', 3)] });
  expect(objection(remove, [node(), full])).toBe('scheduling');
});

test('pods that wait for a node meanwhile are no objection as long as there is room for all', () => {
  expect(
    objection(remove, [node(), roomy], { pendingPods: [aPod('stuck', { nodeSelector: { rack: '7' } })] }),
  ).toBeUndefined();
});
