import { expect, test } from 'vitest';
import { CountingGate } from './counting-gate.ts';
import { waitTurn } from './wall.ts';

/** A machine on which each look at its clock takes 5 ms. */
function aSlowMachine() {
  let ms = 0;
  return {
    now: () => {
      ms += 5;
      return ms;
    },
    turn: waitTurn,
  };
}

const serve = (gate: CountingGate): Promise<void> => gate.call((ticket) => gate.park(ticket));

test('calls that follow one another for ever let everything else have its turn', async () => {
  const gate = new CountingGate(aSlowMachine());
  const heardAfter: number[] = [];
  let calls = 0;
  setImmediate(() => heardAfter.push(calls));
  while (heardAfter.length === 0 && calls < 100) {
    await serve(gate);
    calls += 1;
  }
  expect(heardAfter[0]).toBeLessThan(10);
});

test('a few calls wait for nothing', async () => {
  const gate = new CountingGate({ now: () => 0, turn: () => new Promise(() => undefined) });
  for (let calls = 0; calls < 100; calls += 1) await serve(gate);
  expect(gate.moving).toBe(0);
});

test('a call that is given up while it waits for its turn is not served', async () => {
  const gate = new CountingGate(aSlowMachine());
  const giveUp = new AbortController();
  for (let calls = 0; calls < 3; calls += 1) await serve(gate);
  const waiting = gate.call((ticket) => gate.park(ticket, giveUp.signal));
  giveUp.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});
