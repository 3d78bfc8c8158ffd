import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { silentLogger, type Logger } from '../observability/logger.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { type Controller, startController } from './controller.ts';
import { recheckAt, settled } from './result.ts';

function listen() {
  const told: { readonly message: string; readonly fields: object }[] = [];
  const logger = (about: object): Logger => ({
    ...silentLogger,
    error: (message, fields = {}) => void told.push({ message, fields: { ...about, ...fields } }),
    with: (fields) => logger({ ...about, ...(typeof fields === 'function' ? fields() : fields) }),
  });
  return { told, log: logger({}) };
}

test('a key that always wants its next turn at once waits, longer each time, and is named', async () => {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const { told, log } = listen();
  const starts: number[] = [];
  const controller = startController({
    name: 'greedy',
    clock,
    log,
    reconcile: async () => {
      if (starts.at(-1) !== clock.now()) starts.push(clock.now());
      return recheckAt(clock.now());
    },
  });
  controller.enqueue('default/web');
  await time.run(instant(10_000));
  expect(starts).toEqual([0, 1000, 3000, 7000]);
  expect(told[0]).toEqual({
    message: 'reconciling without end while no time passes, waiting',
    fields: { controller: 'greedy', namespace: 'default', name: 'web', pauseMs: 1000 },
  });
  await controller.stop();
});

test('two controllers that undo each other’s work are both named', async () => {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const { told, log } = listen();
  const others: Record<string, Controller> = {};
  const fight = (name: string, other: string): Controller =>
    startController({
      name,
      clock,
      log,
      reconcile: async (key) => {
        others[other]?.enqueue(key);
        return settled;
      },
    });
  others['red'] = fight('red', 'blue');
  others['blue'] = fight('blue', 'red');
  others['red'].enqueue('web');
  await time.run(instant(500));
  expect(told.map(({ fields }) => fields)).toEqual([expect.objectContaining({ controller: 'red', name: 'web' })]);
});

test('turns of many keys at one instant wait for nothing', async () => {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const { told, log } = listen();
  let turns = 0;
  const controller = startController({
    name: 'busy',
    clock,
    log,
    reconcile: async () => {
      turns += 1;
      return settled;
    },
  });
  for (let number = 0; number < 20_000; number += 1) controller.enqueue(`pod-${number}`);
  await time.run(instant(1));
  expect({ turns, told }).toEqual({ turns: 20_000, told: [] });
});
