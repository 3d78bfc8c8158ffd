import { aNodeClass } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportWaitingOnClaims } from './report.ts';

test('a class that waits for its claims names five of them', () => {
  const claims = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => aClaim(name));
  expect(printEntries(reportWaitingOnClaims(aNodeClass(), claims))).toEqual([
    'Normal WaitingOnNodeClaimTermination EC2NodeClass/default: Waiting on NodeClaim termination for a, b, c, d, e and 2 other(s) (default)',
  ]);
});
