import { conditionTrue, instant, nodeClaimConditions, withCondition, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportClaimMarks } from './report.ts';

const now = instant(0);
const claim = aClaim('one');
const mark = (before: NodeClaim, type: 'Drifted' | 'Consolidatable'): NodeClaim =>
  withCondition(nodeClaimConditions, before, conditionTrue(type), now);
const drifted = mark(claim, 'Drifted');

for (const { fact, drift, after, told } of [
  { fact: 'nothing when nothing changes', drift: claim, after: claim, told: [] },
  {
    fact: 'why a claim has drifted',
    drift: drifted,
    after: drifted,
    told: ['debug marking drifted {"NodeClaim":{"name":"one"},"reason":"AMIDrift"}'],
  },
  {
    fact: 'that a claim may be consolidated',
    drift: claim,
    after: mark(claim, 'Consolidatable'),
    told: ['debug marking consolidatable {"NodeClaim":{"name":"one"}}'],
  },
  {
    fact: 'both marks',
    drift: drifted,
    after: mark(drifted, 'Consolidatable'),
    told: [
      'debug marking drifted {"NodeClaim":{"name":"one"},"reason":"AMIDrift"}',
      'debug marking consolidatable {"NodeClaim":{"name":"one"}}',
    ],
  },
]) {
  test(`drift reports ${fact}`, () => {
    const plan = { drift: { after: drift, because: 'AMIDrift', recheckAt: now }, after, recheckAt: now };
    expect(printEntries(reportClaimMarks(claim, plan))).toEqual(told);
  });
}
