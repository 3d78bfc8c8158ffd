import { fromTimestamp, hours, instant, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aClaim } from '@nodewright/testkit/worlds';
import { planExpiration } from './plan.ts';

const created = '2024-03-01T00:00:00Z';
const born = fromTimestamp(created);
const aTerm = (expireAfter: string | undefined, metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim => {
  const claim = aClaim('one', { createdAt: created });
  return {
    ...claim,
    metadata: { ...claim.metadata, creationTimestamp: created, ...metadata },
    spec: { ...claim.spec, ...(expireAfter === undefined ? {} : { expireAfter }) },
  };
};

for (const { fact, claim, after, plan } of [
  {
    fact: 'waits until its term is over',
    claim: aTerm('12h'),
    after: 0,
    plan: { kind: 'wait', until: instant(born + hours(12)) },
  },
  { fact: 'expires at the end of its term', claim: aTerm('12h'), after: 12, plan: { kind: 'expire' } },
  { fact: 'without a term stays', claim: aTerm(undefined), after: 10_000, plan: { kind: 'none' } },
  { fact: 'with the term Never stays', claim: aTerm('Never'), after: 10_000, plan: { kind: 'none' } },
  {
    fact: 'that is being deleted is left alone',
    claim: aTerm('1h', { deletionTimestamp: created }),
    after: 2,
    plan: { kind: 'none' },
  },
]) {
  test(`a claim ${fact}`, () => expect(planExpiration(claim, instant(born + hours(after)))).toEqual(plan));
}
