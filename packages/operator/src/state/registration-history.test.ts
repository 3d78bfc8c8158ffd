import type { ConditionStatus, NodePool } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { RegistrationHistory } from './registration-history.ts';

const pool = (status?: ConditionStatus): NodePool => ({
  ...aNodePool('default'),
  ...(status === undefined ? {} : { status: { conditions: [{ type: 'NodeRegistrationHealthy', status }] } }),
});

/** The health after each outcome, the claims being different ones. */
function healthAfter(outcomes: string, of = pool()): readonly string[] {
  const history = new RegistrationHistory();
  return outcomes.split('').map((outcome, index) => history.record(of, `claim-${index}`, outcome === '+'));
}

for (const { fact, outcomes, health } of [
  { fact: 'one success makes a pool healthy', outcomes: '+', health: 'healthy' },
  { fact: 'one failure does not make it unhealthy', outcomes: '-', health: 'healthy' },
  { fact: 'two failures of four do', outcomes: '-++-', health: 'unhealthy' },
  { fact: 'only the last four count', outcomes: '--+++', health: 'healthy' },
]) {
  test(fact, () => expect(healthAfter(outcomes).at(-1)).toBe(health));
}

for (const { fact, status, outcomes, health } of [
  {
    fact: 'an unhealthy pool stays so after a restart and two successes',
    status: 'False',
    outcomes: '++',
    health: 'unhealthy',
  },
  { fact: 'three successes make it healthy again', status: 'False', outcomes: '+++', health: 'healthy' },
  { fact: 'a healthy pool stays so after a restart and one failure', status: 'True', outcomes: '-', health: 'healthy' },
] as const) {
  test(fact, () => expect(healthAfter(outcomes, pool(status)).at(-1)).toBe(health));
}

test('the end of a claim that is told again counts once', () => {
  const history = new RegistrationHistory();
  history.record(pool(), 'one', false);
  expect(history.record(pool(), 'one', false)).toBe('healthy');
});

test('a changed pool begins anew', () => {
  const history = new RegistrationHistory();
  history.record(pool('False'), 'one', false);
  history.forget(pool('False'));
  expect(history.record(pool('False'), 'two', false)).toBe('healthy');
});
