import { byTextOf, instant } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineLedger } from './line-ledger.ts';
import { writeRecord } from './state-record.ts';
import { StorageError } from './storage-error.ts';
import { fullDisk, keptIn, MemoryJournal } from '@nodewright/testkit';

function aLedger(lines: readonly string[] = []) {
  const journal = new MemoryJournal(lines);
  let now = 0;
  const ledger = new LineLedger({ kept: keptIn(lines), now: () => instant(++now * 1000), journal });
  return { ledger, journal };
}

const contents = (lines: readonly string[]) =>
  [...keptIn(lines).maps]
    .toSorted(byTextOf(([name]) => name))
    .map(([name, entries]) => [name, [...entries]] as const)
    .filter(([, all]) => all.length > 0);

const inMemory = (ledger: LineLedger) => ledger.names().map((name) => [name, Array.from(ledger.map(name))] as const);

test('what was changed is there after a restart, in the order in which it came', () => {
  const { ledger, journal } = aLedger();
  const instances = ledger.map<{ state: string }>('instances');
  instances.set('i-2', { state: 'pending' });
  instances.set('i-1', { state: 'pending' });
  instances.set('i-2', { state: 'running' });
  instances.set('i-3', { state: 'pending' });
  instances.delete('i-3');
  const again = aLedger(journal.lines).ledger.map('instances');
  expect([...again]).toEqual([
    ['i-2', { state: 'running' }],
    ['i-1', { state: 'pending' }],
  ]);
  expect(keptIn(journal.lines).last).toBe(5000);
});

test('dates stay dates', () => {
  const { ledger, journal } = aLedger();
  const answer = { created: new Date(1_706_457_600_000), nested: [{ at: new Date(0) }] };
  ledger.map('answers').set('token', answer);
  expect(aLedger(journal.lines).ledger.map('answers').get('token')).toEqual(answer);
});

test('a commit is one record', () => {
  const { ledger, journal } = aLedger();
  const answer = ledger.commit(() => {
    ledger.map('instances').set('i-1', 'pending');
    ledger.map('tags').set('i-1', { Name: 'web' });
    return 'done';
  });
  expect(answer).toBe('done');
  expect(journal.lines).toHaveLength(1);
  expect(contents(journal.lines)).toEqual(inMemory(ledger));
});

test('a commit that fails for another reason keeps what it has done', () => {
  const { ledger, journal } = aLedger();
  const failing = (): void => {
    ledger.map('calls').set('1', 'refused');
    throw new Error('no such instance');
  };
  expect(() => ledger.commit(failing)).toThrow('no such instance');
  expect(contents(journal.lines)).toEqual([['calls', [['1', 'refused']]]]);
});

test('a commit that is not kept has changed nothing', () => {
  const { ledger, journal } = aLedger();
  const map = ledger.map('m');
  map.set('a', 1);
  map.set('b', 1);
  journal.failsNext = true;
  const work = (): void => {
    map.set('a', 2);
    map.set('a', 3);
    map.set('c', 1);
    map.delete('c');
    ledger.map('n').set('d', 1);
    map.delete('b');
  };
  expect(() => ledger.commit(work)).toThrow(StorageError);
  expect(inMemory(ledger)).toEqual([['m', [['a', 1], ['b', 1]]]]); // prettier-ignore
  expect(contents(journal.lines)).toEqual(inMemory(ledger));
});

test('while nothing can be kept, a commit ends at its first change, and reads go on', () => {
  const { ledger, journal } = aLedger();
  ledger.map('m').set('a', 1);
  journal.trouble = fullDisk;
  let wentOn = false;
  const work = (): void => {
    ledger.map('m').set('a', 2);
    wentOn = true;
  };
  expect(() => ledger.commit(work)).toThrow(StorageError);
  expect([wentOn, ledger.map('m').get('a')]).toEqual([false, 1]);
  expect(ledger.commit(() => ledger.map('m').get('a'))).toBe(1);
});

test('a commit during which storage fails has changed nothing', () => {
  const { ledger, journal } = aLedger();
  const work = (): void => {
    ledger.map('m').set('a', 1);
    journal.trouble = fullDisk;
    ledger.map('m').set('b', 1);
  };
  expect(() => ledger.commit(work)).toThrow(StorageError);
  expect(ledger.names()).toEqual([]);
});

test('a change outside a commit is made even if it cannot be kept, and the problem says so', () => {
  const { ledger, journal } = aLedger();
  journal.trouble = fullDisk;
  ledger.map('instances').set('i-1', 'running');
  expect(ledger.map('instances').get('i-1')).toBe('running');
  expect(ledger.problem()).toMatchObject({ isReadable: false });
});

test('the fewest records say the same as all of them', () => {
  const step = fc.record({
    map: fc.constantFrom('a', 'b'),
    key: fc.constantFrom('x', 'y', 'z'),
    value: fc.option(fc.jsonValue().filter((value) => value !== null)),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { ledger, journal } = aLedger();
      for (const { map, key, value } of steps) {
        if (value === null) ledger.map(map).delete(key);
        else ledger.map(map).set(key, value);
      }
      const fewest = [...ledger.lines()].map((change, at) =>
        Buffer.from(writeRecord({ sequence: at + 1, synced: 0, changes: [change] }))
          .toString('utf8')
          .trimEnd(),
      );
      expect(contents(fewest)).toEqual(contents(journal.lines));
      expect(fewest.length).toBeLessThanOrEqual(journal.lines.length);
    }),
  );
});
