import { instant } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineLedger, readLedger } from './line-ledger.ts';

function aLedger(kept: readonly string[] = []) {
  const lines = [...kept];
  let now = 0;
  const ledger = new LineLedger({
    kept: readLedger(kept),
    now: () => instant(++now * 1000),
    append: (line) => lines.push(line),
  });
  return { ledger, lines };
}

const contents = (lines: readonly string[]) =>
  [...readLedger(lines).maps]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) => [name, [...entries]] as const)
    .filter(([, all]) => all.length > 0);

test('what was changed is there after a restart, in the order in which it came', () => {
  const { ledger, lines } = aLedger();
  const instances = ledger.map<{ state: string }>('instances');
  instances.set('i-2', { state: 'pending' });
  instances.set('i-1', { state: 'pending' });
  instances.set('i-2', { state: 'running' });
  instances.set('i-3', { state: 'pending' });
  instances.delete('i-3');
  const again = aLedger(lines).ledger.map('instances');
  expect([...again]).toEqual([
    ['i-2', { state: 'running' }],
    ['i-1', { state: 'pending' }],
  ]);
  expect(readLedger(lines).last).toBe(5000);
});

test('dates stay dates', () => {
  const { ledger, lines } = aLedger();
  const answer = { created: new Date(1_706_457_600_000), nested: [{ at: new Date(0) }] };
  ledger.map('answers').set('token', answer);
  expect(aLedger(lines).ledger.map('answers').get('token')).toEqual(answer);
});

test('a torn last line is forgotten, a torn line before it is refused', () => {
  const { ledger, lines } = aLedger();
  ledger.map('m').set('a', 1);
  const torn = lines[0]?.slice(0, -2) ?? '';
  expect(contents([...lines, torn])).toEqual([['m', [['a', 1]]]]);
  expect(() => readLedger([torn, ...lines])).toThrow('line 1 is no change');
});

test('the fewest lines say the same as all of them', () => {
  const step = fc.record({
    map: fc.constantFrom('a', 'b'),
    key: fc.constantFrom('x', 'y', 'z'),
    value: fc.option(fc.jsonValue().filter((value) => value !== null)),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { ledger, lines } = aLedger();
      for (const { map, key, value } of steps) {
        if (value === null) ledger.map(map).delete(key);
        else ledger.map(map).set(key, value);
      }
      const fewest = [...ledger.lines()];
      expect(contents(fewest)).toEqual(contents(lines));
      expect(fewest.length).toBeLessThanOrEqual(lines.length);
    }),
  );
});
