import { CloudError } from '@nodewright/ports';
import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { reportEvaluation } from './report.ts';

test('an evaluation is counted, and pools whose types cannot be listed are named', () => {
  const plan = {
    standing: { accepted: [], pools: new Set<string>() },
    verdicts: new Map([['cheap', { kind: 'accepted' as const }]]),
  };
  const error = new CloudError('throttled', { code: 'Throttled', retry: 'backOff' });
  expect(printEntries(reportEvaluation(plan, [{ nodePool: aNodePool('gpu'), error }]))).toEqual([
    'debug evaluated node overlays {"overlays":1,"accepted":0}',
    'error skipping, unable to resolve instance types {"NodePool":{"name":"gpu"},"error":"throttled"}',
  ]);
});
