import { expect, test } from 'vitest';
import { presentName, withRenamedKeys } from './renamed-keys.ts';

const former = 'karpenter.sh/provisioner-name';
const present = 'karpenter.sh/nodepool';

test.each([
  ['the name of a member', { labels: { [former]: 'a' } }, { labels: { [present]: 'a' } }],
  ['the key of a term', { key: former, operator: 'Exists' }, { key: present, operator: 'Exists' }],
  ['a topology key', [{ topologyKey: former }], [{ topologyKey: present }]],
  ['one beside others', { key: 'a', [former]: 1 }, { key: 'a', [present]: 1 }],
  ['one beside a list of keys', { key: [former], [former]: 1 }, { key: [former], [present]: 1 }],
  ['one beside nothing', { a: null, [former]: 1 }, { a: null, [present]: 1 }],
])('%s is renamed', (_, value, expected) => {
  expect(withRenamedKeys(value)).toEqual(expected);
});

test.each([
  ['without a former name', { labels: { team: 'a' } }],
  ['with one in a text', { args: [`--selector=${former}=a`] }],
  ['with a value that is one', { value: former }],
])('a value %s stays as it is', (_, value) => {
  expect(withRenamedKeys(value)).toEqual(value);
});

test('a value without a former name is the very same', () => {
  const value = { labels: { team: 'a' } };
  expect(withRenamedKeys(value)).toBe(value);
  expect(withRenamedKeys(undefined)).toBeUndefined();
});

test('the present name of a former one', () => {
  expect(presentName(former)).toBe(present);
  expect(presentName(present)).toBeUndefined();
});
