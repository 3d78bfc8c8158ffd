import type { Instance } from '@nodewright/ports';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportGarbage } from './report.ts';

test('a claim without an instance is counted', () => {
  const action = { kind: 'deleteClaim', claim: aClaim('one'), because: 'its instance is gone' } as const;
  expect(printEntries(reportGarbage(action))).toEqual(['claimDisrupted one, "garbage_collected"']);
});

test('an instance without a claim is logged', () => {
  const instance = { providerId: 'aws:///us-east-1a/i-1' } as Instance;
  const action = { kind: 'terminate', instance, node: undefined, because: 'no claim has it' } as const;
  expect(printEntries(reportGarbage(action))).toEqual([
    'info garbage collected cloudprovider instance {"provider-id":"aws:///us-east-1a/i-1"}',
  ]);
});
