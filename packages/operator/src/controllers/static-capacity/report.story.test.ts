import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportStaticCreation, reportStaticLimit, reportSurplus } from './report.ts';

const [pool, claim] = [aNodePool('fixed', { replicas: 3 }), aClaim('one')];

for (const { fact, entries, told } of [
  {
    fact: 'a surplus claim is logged',
    entries: reportSurplus(pool, claim),
    told: ['info deleting surplus nodeclaim {"NodePool":{"name":"fixed"},"NodeClaim":{"name":"one"}}'],
  },
  {
    fact: 'a new claim is logged and counted',
    entries: reportStaticCreation(pool, claim),
    told: [
      'info created nodeclaim {"NodePool":{"name":"fixed"},"NodeClaim":{"name":"one"}}',
      'claimCreated one, "provisioned"',
    ],
  },
  {
    fact: 'a limit that holds claims back is logged with their number',
    entries: reportStaticLimit(pool, { kind: 'create', count: 1, held: 2 }),
    told: ['info nodepool node limit reached {"NodePool":{"name":"fixed"},"held":2}'],
  },
  {
    fact: 'a limit that holds nothing back is not told of',
    entries: reportStaticLimit(pool, { kind: 'create', count: 3, held: 0 }),
    told: [],
  },
  {
    fact: 'a pool that is as it should be is not told of',
    entries: reportStaticLimit(pool, { kind: 'none' }),
    told: [],
  },
]) {
  test(fact, () => expect(printEntries(entries)).toEqual(told));
}
