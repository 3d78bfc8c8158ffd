import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printBarrierEvent, type ConsolidationBarrier } from '../consolidation/barrier.ts';
import { printRefusalEvent } from './refusal-event.ts';
import type { ConsolidationRefusal } from './refusal.ts';

const pods = [{ pod: aPod('web'), reasons: [] }];

/** Karpenter's beginnings of the event `Unconsolidatable`. What else is known stands behind. */
test.each<readonly [string, ConsolidationRefusal]>([
  ['Not all pods would schedule, default/web => ', { kind: 'noPlace', blocker: { kind: 'unschedulablePods', pods } }],
  ["Can't remove without creating 2 candidates", { kind: 'severalReplacements', count: 2 }],
  ["Can't replace with a cheaper node", { kind: 'notCheaper', price: 1 }],
  [
    "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    { kind: 'spotToSpotOff', price: 1 },
  ],
  [
    'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 3',
    { kind: 'fewSpotTypes', price: 1, found: 3 },
  ],
  ['Filtering by price: ', { kind: 'minValues', short: [{ key: 'zone', wanted: 2, found: 1 }] }],
])('a node that stays is told: %s', (beginning, refusal) => {
  expect(printRefusalEvent(refusal).slice(0, beginning.length)).toBe(beginning);
});

test.each<readonly [string, ConsolidationBarrier]>([
  ['Instance Type "m5.large" not found', { kind: 'unknownInstanceType', instanceType: 'm5.large' }],
  [
    'Node does not have label "karpenter.sh/capacity-type"',
    { kind: 'missingLabel', label: 'karpenter.sh/capacity-type' },
  ],
  ['NodePool "default" has consolidation disabled', { kind: 'never', nodePool: 'default' }],
  ['NodePool "default" has non-empty consolidation disabled', { kind: 'onlyWhenEmpty', nodePool: 'default' }],
])('a node that consolidation passes over is told: %s', (beginning, barrier) => {
  expect(printBarrierEvent(barrier).slice(0, beginning.length)).toBe(beginning);
});
