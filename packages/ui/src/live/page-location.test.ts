import { expect, test } from 'vitest';
import { createExplainAddresses, formatPageAddress, pageViews, parseLocation } from './page-location.ts';

test('every view has an address, and the address leads back to it', () => {
  for (const [view] of pageViews) {
    const address = formatPageAddress(parseLocation(`/${view}`, ''), { explain: 'pod/default/web-1', colour: 'age' });
    expect(address).toBe(`/${view}?explain=pod/default/web-1&colour=age`);
    const [path = '', search = ''] = address.split('?');
    const place = parseLocation(path, `?${search}`);
    expect([place.view, place.query.get('explain'), place.query.get('colour')]).toEqual([
      view,
      'pod/default/web-1',
      'age',
    ]);
  }
});

test('choices that are taken back leave the address, others stay in it', () => {
  const place = parseLocation('/fleet', '?colour=age&explain=node/a');
  expect(formatPageAddress(place, { explain: '' })).toBe('/fleet?colour=age');
  expect(formatPageAddress(parseLocation('/fleet', ''), {})).toBe('/fleet');
});

test('an explanation opens beside the view with its choices, and takes the place of another one', () => {
  const place = parseLocation('/fleet', '?colour=age&explain=node/a');
  const addressOf = createExplainAddresses(place);
  expect(addressOf('pod/default/web-1')).toBe(formatPageAddress(place, { explain: '' }) + '&explain=pod/default/web-1');
  expect(createExplainAddresses(parseLocation('/fleet', ''))('node/a')).toBe('/fleet?explain=node/a');
  const odd = addressOf('node/a b&c=d#e');
  expect(new URLSearchParams(odd.split('?')[1]).get('explain')).toBe('node/a b&c=d#e');
});

test('an unknown path is the fleet', () => {
  expect([parseLocation('/', '').view, parseLocation('/constructor', '').view]).toEqual(['fleet', 'fleet']);
});
