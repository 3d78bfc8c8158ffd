import type { Operator } from '@nodewright/operator';
import { silentLogger } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { leadWhileElected } from './leader-loop.ts';

/** A lead that is granted and taken away by hand, and who did what. */
function aRealm() {
  const log: string[] = [];
  let told: { lead: () => void; lost: () => void } | undefined;
  let candidacies = 0;
  const throne = leadWhileElected({
    log: silentLogger,
    seek: (wishes) => {
      told = wishes;
      candidacies += 1;
      return { stop: async () => void log.push('gives the lead back') };
    },
    startOperator: (term): Operator => {
      log.push(`operator ${term} starts`);
      return { ready: Promise.resolve(), stop: async () => void log.push(`operator ${term} stops`) };
    },
  });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { throne, log, turns, lead: () => told?.lead(), lose: () => told?.lost(), candidacies: () => candidacies };
}

test('who lost the lead ends its work, asks again, and starts anew when it leads again', async () => {
  const { throne, log, turns, lead, lose, candidacies } = aRealm();
  let stop = (): void => undefined;
  const ended = throne.until(new Promise((resolve) => (stop = resolve)));
  lead();
  lose();
  await turns();
  expect(throne.operator()).toBeUndefined();
  expect(candidacies()).toBe(2);
  lead();
  stop();
  expect(await ended).toBe(true);
  expect(log).toEqual([
    'operator 1 starts',
    'operator 1 stops',
    'gives the lead back',
    'operator 2 starts',
    'operator 2 stops',
    'gives the lead back',
  ]);
});

test('who is told to stop while waiting for the lead starts nothing', async () => {
  const { throne, log } = aRealm();
  expect(await throne.until(Promise.resolve())).toBe(true);
  expect(log).toEqual(['gives the lead back']);
});
