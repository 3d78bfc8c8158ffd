import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { instanceTypeOnTheWire } from '../../ec2/instance-type-on-the-wire.ts';
import { priceList, productDocument } from '../../pricing/price-list.ts';
import { currentTypesTable } from '../current-types.generated.ts';
import { listCurrentTypes } from '../current-types.ts';
import { readTypesTable } from './read-types-table.ts';
import { type NamedDocument, renewCatalogue } from './renew-catalogue.ts';
import { writeTypesTable } from './write-types-table.ts';

const fixture = (name: string): NamedDocument => ({
  file: name,
  document: JSON.parse(readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8')) as unknown,
});

const none = { types: [], offerings: [], prices: [], region: 'us-east-1' };

/** The line of a size in the table of a module. */
const lineOfSize = (module: string, family: string, size: string): string | undefined => {
  const block = module.split(new RegExp(`^${family}: `, 'm'))[1]?.split(/\n(?=\S+: )/)[0] ?? '';
  return block.split('\n').find((line) => line.startsWith(`${size} `));
};

test('the table that is written is the one that is read', () => {
  expect(writeTypesTable(listCurrentTypes())).toBe(currentTypesTable.trim());
});

test('what the embedded EC2 and its price list tell of the catalogue is the catalogue', () => {
  const InstanceTypes = listCurrentTypes().map(instanceTypeOnTheWire);
  const PriceList = priceList('us-east-1', listCurrentTypes()).map(productDocument);
  const renewed = renewCatalogue({
    ...none,
    types: [{ file: 'types.json', document: { InstanceTypes } }],
    prices: [{ file: 'prices.json', document: { PriceList } }],
  });
  expect({ ...renewed, module: undefined }).toEqual({
    module: undefined,
    count: 1363,
    added: [],
    changed: [],
    kept: [],
    leftOut: [],
  });
  expect(renewed.module).toContain(currentTypesTable);
});

test('outputs of the aws command make new types, and change those that are there', () => {
  const renewed = renewCatalogue({
    ...none,
    types: [fixture('instance-types.json')],
    offerings: [fixture('offerings.json')],
    prices: [fixture('products.json')],
  });
  const { module, added, changed, leftOut } = renewed;
  expect({ added, changed, leftOut }).toEqual({
    added: ['m99g.large', 'p99.48xlarge'],
    changed: ['m5.large'],
    leftOut: [
      'mac9.metal: no node runs on it',
      'c99.large: no zone offers it',
      'r99.large: has no MemoryInfo.SizeInMiB',
    ],
  });
  expect(lineOfSize(module, 'm99g', 'large')).toBe('large 3200 2 8192 937 10000 3 10 0 1 0 - 91200 n - -');
  expect(module).toContain('\nm99g: arm64 AWS 1 - -\n');
  expect(module).toContain('\np99: amd64 Intel 1 NVIDIA/Z100-SUPER -\n');
  expect(lineOfSize(module, 'p99', '48xlarge')).toBe(
    '48xlarge 3600 192 2097152 3200000 80000 4 50 0 32 32 30720 98320000 n 8x81920 -',
  );
  // The price is new; branch interfaces are what the catalogue had.
  expect(lineOfSize(module, 'm5', 'large')).toBe('large 3100 2 8192 750 4750 3 10 9 1 0 - 99000 n - -');
});

test('a downloaded price list and one of another region are told apart', () => {
  const { module } = renewCatalogue({
    ...none,
    types: [fixture('instance-types.json')],
    prices: [fixture('bulk.json')],
  });
  expect(lineOfSize(module, 'm5', 'large')).toContain(' 97000 n');
  const elsewhere = { ...none, region: 'eu-west-1', types: [fixture('instance-types.json')] };
  expect(() => renewCatalogue({ ...elsewhere, prices: [fixture('bulk.json')] })).toThrow(
    'bulk.json: has no price of Linux on demand in eu-west-1',
  );
  expect(lineOfSize(renewCatalogue(elsewhere).module, 'm5', 'large')).toContain(' 96000 n');
});

test('files that are something else are named', () => {
  const wrong = { file: 'pods.json', document: { items: [] } };
  expect(() => renewCatalogue({ ...none, types: [wrong] })).toThrow('pods.json: has no list InstanceTypes');
  expect(() => renewCatalogue({ ...none, offerings: [wrong] })).toThrow('has no list InstanceTypeOfferings');
  expect(() => renewCatalogue({ ...none, prices: [wrong] })).toThrow('has neither PriceList nor products');
});

test('files that are something else are refused with their names', () => {
  const refused = (sources: Partial<Parameters<typeof renewCatalogue>[0]>) => () =>
    renewCatalogue({ ...none, ...sources });
  const file = 'x.json';
  expect(refused({ types: [{ file, document: { InstanceTypes: ['m5.large'] } }] })).toThrow('x.json: has no list');
  expect(refused({ prices: [{ file, document: { PriceList: ['{'] } }] })).toThrow('x.json: is no price list');
  expect(refused({ prices: [{ file, document: { PriceList: 3 } }] })).toThrow('x.json: is no price list');
  expect(refused({ prices: [{ ...fixture('products.json'), file }], region: 'eu-west-9' })).toThrow(
    'x.json: has no price of Linux on demand in eu-west-9',
  );
});

test('a module that was written is a table again, and nothing else is', () => {
  const { module } = renewCatalogue({ ...none, types: [fixture('instance-types.json')] });
  expect(readTypesTable('mine.ts', module)).toContain('m99g: arm64');
  for (const text of ['', '{"InstanceTypes": []}', '`\nhello\n`', module.replaceAll(' ', ',')])
    expect(() => readTypesTable('mine.ts', text)).toThrow(
      'mine.ts: is no catalogue; write it with nodewright catalogue',
    );
});
