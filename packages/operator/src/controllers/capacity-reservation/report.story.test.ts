import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportDemotion, reportEndOfBlock } from './report.ts';

const claim = aClaim('one');

for (const { fact, entries, told } of [
  {
    fact: 'the end of a capacity block is logged with the block',
    entries: reportEndOfBlock(claim, 'cr-1'),
    told: 'info deleting nodeclaim, its capacity block ends {"NodeClaim":{"name":"one"},"reservation":"cr-1"}',
  },
  {
    fact: 'an instance that outlives its reservation is logged',
    entries: reportDemotion(claim),
    told: 'info instance left its capacity reservation and goes on as on-demand {"NodeClaim":{"name":"one"}}',
  },
]) {
  test(fact, () => expect(printEntries(entries)).toEqual([told]));
}
