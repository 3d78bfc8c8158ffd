import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readState, type StateReading } from './state-reading.ts';
import { formatRecord, writeRecord } from './state-record.ts';
import { stateLines } from '@nodewright/testkit';

const textOf = (record: Uint8Array): string => Buffer.from(record).toString('utf8').trimEnd();

const pod = (name: string): string => JSON.stringify([1000, 'kubernetes/pods', `default/${name}`, { name }]);

/** A file of a format record and one record for each pod, each synced as far as `synced` says. */
function aFile(names: readonly string[], synced: (offset: number) => number = (offset) => offset): string[] {
  const lines = [textOf(formatRecord())];
  for (const name of names) {
    const offset = lines.reduce((sum, line) => sum + line.length + 1, 0);
    lines.push(textOf(writeRecord({ sequence: lines.length + 1, synced: synced(offset), changes: [pod(name)] })));
  }
  return lines;
}

const read = (lines: readonly string[]): StateReading => readState(stateLines(lines));
const podsIn = ({ state }: StateReading): readonly string[] =>
  [...(state.maps.get('kubernetes/pods')?.keys() ?? [])].map((key) => key.replace('default/', ''));

const replaced = (lines: readonly string[], number: number, by: (line: string) => string): string[] =>
  lines.map((line, at) => (at === number - 1 ? by(line) : line));

test('records are read as they were written', () => {
  const reading = read(aFile(['a', 'b']));
  expect(reading).toMatchObject({ kind: 'whole', records: 3, state: { last: 1000 } });
  expect(podsIn(reading)).toEqual(['a', 'b']);
});

test('a last record that is torn is dropped', () => {
  const lines = aFile(['a', 'b']);
  const reading = read(replaced(lines, 3, (line) => line.slice(0, -2)));
  expect(reading).toMatchObject({ kind: 'torn', damaged: [{ number: 3, keys: ['kubernetes/pods default/b'] }] });
  expect(podsIn(reading)).toEqual(['a']);
});

test('a damaged record in the middle is told by number, offset and key, and the others are there', () => {
  const lines = aFile(['a', 'b', 'c']);
  const reading = read(replaced(lines, 3, (line) => line.replace('{"name"', '{"game"')));
  expect(reading).toMatchObject({ kind: 'damaged', damaged: [{ number: 3, reason: 'damaged' }] });
  expect(reading).toMatchObject({
    damaged: [{ offset: `${lines[0]}\n${lines[1]}\n`.length, keys: ['kubernetes/pods default/b'] }],
  });
  expect(podsIn(reading)).toEqual(['a', 'c']);
});

test('one changed bit anywhere is found', () => {
  const lines = aFile(['a', 'b', 'c']);
  const bit = fc.record({ number: fc.integer({ min: 2, max: 3 }), at: fc.nat(), bit: fc.integer({ min: 0, max: 6 }) });
  fc.assert(
    fc.property(bit, ({ number, at, bit: which }) => {
      const changed = replaced(lines, number, (line) => {
        const bytes = Buffer.from(line);
        const index = at % bytes.length;
        bytes.writeUInt8((bytes[index] ?? 0) ^ (1 << which), index);
        return bytes.toString('latin1');
      });
      expect(read(changed)).toMatchObject({ kind: 'damaged', damaged: [{ number }] });
    }),
  );
});

test('a record that is missing, and one that came before, are told', () => {
  const lines = aFile(['a', 'b', 'c']);
  const missing = read(lines.filter((_, at) => at !== 2));
  expect(missing).toMatchObject({ kind: 'damaged', damaged: [{ number: 3, reason: 'missing', keys: [] }] });
  expect(podsIn(missing)).toEqual(['a', 'c']);
  const repeated = read([...lines.slice(0, 3), lines[1] ?? '', ...lines.slice(3)]);
  expect(repeated).toMatchObject({ kind: 'damaged', damaged: [{ number: 4, reason: 'repeated' }] });
});

test('a hole where nothing had been synced is what a power loss leaves: the file ends there', () => {
  const hole = (line: string): string => `${line.slice(0, 20)}${'\0'.repeat(line.length - 20)}`;
  const unsynced = read(replaced(aFile(['a', 'b', 'c', 'd'], () => 50), 3, hole)); // prettier-ignore
  expect(unsynced).toMatchObject({ kind: 'unsynced', lost: 3 });
  expect(podsIn(unsynced)).toEqual(['a']);
  const synced = read(replaced(aFile(['a', 'b', 'c', 'd']), 3, hole));
  expect(synced).toMatchObject({ kind: 'damaged', damaged: [{ number: 3 }] });
});

test('files of the format before checksums are read, with the same care', () => {
  const old = [pod('a'), pod('b'), pod('c')];
  expect(podsIn(read(old))).toEqual(['a', 'b', 'c']);
  expect(read(replaced(old, 3, (line) => line.slice(0, -3)))).toMatchObject({ kind: 'torn' });
  expect(read(replaced(old, 2, (line) => line.slice(0, -3)))).toMatchObject({
    kind: 'damaged',
    damaged: [{ number: 2, keys: ['kubernetes/pods default/b'] }],
  });
});

test('a file of a newer format is refused', () => {
  const newer = textOf(writeRecord({ sequence: 1, synced: 0, changes: ['"nodewright state 3"'] }));
  expect(() => read([newer])).toThrow('format 3');
});
