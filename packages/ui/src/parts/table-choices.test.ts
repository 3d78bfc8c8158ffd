import { expect, test } from 'vitest';
import { formatPageAddress, parseLocation } from '../live/page-location.ts';
import { nameTableChoices, readTableChoices, writeTableSorting } from './table-choices.ts';

const table = { columns: ['Node', 'Price/h'], first: { column: 0, isDescending: false } };

test('what is chosen in a table is in the address, and the address leads back to it', () => {
  const place = parseLocation('/blockers', '?explain=node/a');
  for (const sorting of [
    { column: 0, isDescending: true },
    { column: 1, isDescending: false },
    { column: 1, isDescending: true },
  ]) {
    const filter = { [nameTableChoices('Held nodes').filter]: 'web & 1,5%' };
    const address = formatPageAddress(place, { ...writeTableSorting(sorting, 'Held nodes', table), ...filter });
    const [path = '', search = ''] = address.split('?');
    const { query } = parseLocation(path, `?${search}`);
    expect(readTableChoices(query, 'Held nodes', table)).toEqual({ filter: 'web & 1,5%', sorting });
    expect(readTableChoices(query, 'Savings', table)).toEqual({ filter: '', sorting: table.first });
    expect(query.get('explain')).toBe('node/a');
  }
});

test('an order that is so without a choice leaves the address, and one by no column counts for nothing', () => {
  const place = parseLocation('/fleet', '?nodes.sort=-Node');
  expect(formatPageAddress(place, writeTableSorting(table.first, 'Nodes', table))).toBe('/fleet');
  expect(readTableChoices(new URLSearchParams('nodes.sort=-Colour'), 'Nodes', table).sorting).toBe(table.first);
});
