import { readFileSync } from 'node:fs';
import { forgetfulLedger } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { parseFault } from './fault-input.ts';
import { faultKinds, listFaultKinds, listFaultUsages } from './fault-kinds.ts';
import { Faults } from './faults.ts';

test('the documentation lists every kind of fault as the help does', () => {
  const docs = readFileSync(new URL('../../../../docs/embedded-eks.md', import.meta.url), 'utf8');
  const listed = docs.split('\n').filter((line) => /^- `[a-z-]+[^`]*`: /.test(line));
  const usages = listFaultUsages().map(({ usage, summary }) => `- \`${usage}\`: ${summary}`);
  expect(usages.filter((line) => !listed.includes(line))).toEqual([]);
});

test('a usage names flags in kebab case and durations without a unit', () => {
  expect(listFaultUsages().find(({ usage }) => usage.startsWith('reservation'))?.usage).toBe(
    'reservation-interruption --capacity-reservation-id [--notice]',
  );
});

for (const kind of listFaultKinds()) {
  test(`a ${kind} fault without its required fields is refused with the name of each`, () => {
    const { required = [] } = faultKinds[kind];
    const read = () => parseFault({ kind });
    if (required.length === 0) expect(read()).toEqual({ kind });
    for (const field of required) expect(read).toThrow(`${field} is missing`);
  });
}

test('a fault in the older camel case is read as its kind', () => {
  expect(parseFault({ kind: 'insufficientCapacity', zone: 'us-east-1a' })).toEqual({
    kind: 'insufficient-capacity',
    zone: 'us-east-1a',
  });
});

test('faults that a data directory keeps in camel case are in force after a restart', () => {
  const kept = new Map<string, unknown>([['fault-1', { kind: 'noAddresses', subnet: 'subnet-1' }]]);
  const faults = new Faults({ ...forgetfulLedger(), map: <V>() => kept as Map<string, V> });
  expect(faults.find('no-addresses')).toEqual([{ kind: 'no-addresses', subnet: 'subnet-1' }]);
});
