import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportConsistency } from './report.ts';

const claim = aClaim('one');
const { uid } = claim.metadata;

test('each problem of a node has a line and an event of its own', () => {
  expect(printEntries(reportConsistency(claim, { after: claim, problems: ['no memory', 'no disk'] }))).toEqual([
    'info failed consistency check {"NodeClaim":{"name":"one"},"issue":"no memory"}',
    `Warning FailedConsistencyCheck NodeClaim/one: no memory (${uid}, no memory)`,
    'info failed consistency check {"NodeClaim":{"name":"one"},"issue":"no disk"}',
    `Warning FailedConsistencyCheck NodeClaim/one: no disk (${uid}, no disk)`,
  ]);
});

test('a node without problems is not reported', () => {
  expect(reportConsistency(claim, { after: claim, problems: [] })).toEqual([]);
});
