import { expect, test } from 'vitest';
import { aClaim } from '../../reporting/testing/a-claim.ts';
import { printEntries } from '../../reporting/testing/print-entries.ts';
import { reportExpired } from './report.ts';

test('a claim that has expired is logged and counted', () => {
  expect(printEntries(reportExpired(aClaim('old')))).toEqual([
    'debug deleting expired nodeclaim {"NodeClaim":{"name":"old"}}',
    'claimDisrupted old, "expired"',
  ]);
});
