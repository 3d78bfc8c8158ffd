import { byText } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { numberAwsIds, numberDigits, numberNetworks, numberWords } from './number-words.ts';
import { splitText } from './split-text.ts';

const anchors = ['kube', 'default', 'node', 'system'];

test('numbers have the order of the words, also beside public ones', () => {
  const words = ['web', 'api', 'Zoo', 'kubectl', 'a', 'db', 'defaults', '7f9c', 'zz', 'nodes'];
  const renamed = numberWords({ words, anchors });
  const all = [...words, ...anchors].toSorted(byText);
  const after = all.map((word) => renamed.get(word) ?? word);
  expect(after).toEqual(after.toSorted(byText));
  expect(new Set(after).size).toBe(all.length);
});

test('numbers, ids and networks keep their form and order', () => {
  expect([...numberDigits(['987654321098', '123456789012', '70000']).values()]).toEqual([
    '000000000001',
    '00001',
    '000000000002',
  ]);
  expect(numberAwsIds(['i-06dd86f930fe9d454']).get('i-06dd86f930fe9d454')).toBe('i-06dd0000000000001');
  expect(numberNetworks(['172.31', '100.64']).get('172.31')).toBe('10.102');
});

test('a name that looks like an id or an address in part is split into words', () => {
  const kinds = (text: string) => splitText(text).map(({ kind, text: part }) => `${kind} ${part}`);
  expect(kinds('acme-deadbeef')).toEqual(['word acme', 'separator -', 'word deadbeef']);
  expect(kinds('ip-10-0-1-2.ec2')).toEqual(['word ip', 'separator -', 'address 10-0-1-2', 'separator .', 'word ec2']);
  expect(kinds('arn:i-06dd86f930fe9d454')).toEqual(['word arn', 'separator :', 'awsId i-06dd86f930fe9d454']);
});
