import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportExpired } from './report.ts';

test('a claim that has expired is logged and counted', () => {
  expect(printEntries(reportExpired(aClaim('old')))).toEqual([
    'debug deleting expired nodeclaim {"NodeClaim":{"name":"old"}}',
    'claimDisrupted old, "expired"',
  ]);
});
