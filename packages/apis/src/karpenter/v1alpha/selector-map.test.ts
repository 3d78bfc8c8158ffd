import { expect, test } from 'vitest';
import { amiSelectorTerms, keysBesideIds, namesOnlyOwners, selectorTerms, selectsImages } from './selector-map.ts';

test.each([
  [{ a: '1' }, [{ tags: { a: '1' } }]],
  [{ a: '1,2', b: 'x, y' }, ['1x', '1y', '2x', '2y'].map(([a, b]) => ({ tags: { a, b } }))],
  [{ 'aws-ids': 'sg-1, sg-2' }, [{ id: 'sg-1' }, { id: 'sg-2' }]],
  [{ 'aws::ids': 'sg-1', 'aws-ids': 'sg-2', a: '1' }, [{ id: 'sg-2' }, { id: 'sg-1' }]],
])('%j selects subnets and security groups', (selector, terms) => {
  expect(selectorTerms(selector)).toStrictEqual(terms);
});

test.each([
  [{ 'aws::ids': 'ami-1', 'aws::name': 'x', minimumAgeDuration: '1d' }, [{ id: 'ami-1' }]],
  [{ 'aws::name': 'x' }, [{ name: 'x' }]],
  [{ 'aws::owners': 'self', a: '1' }, [{ owner: 'self', tags: { a: '1' } }]],
  [{ 'aws::name': 'x', minimumAgeDuration: '1d' }, [{ name: 'x', minimumAgeDuration: '1d' }]],
  [{ a: '1', minimumAgeDuration: '1d' }, [{ tags: { a: '1' }, minimumAgeDuration: '1d' }]],
  [
    { 'aws::owners': 'self,amazon', 'aws::name': 'x,y' },
    [
      { owner: 'self', name: 'x' },
      { owner: 'self', name: 'y' },
      { owner: 'amazon', name: 'x' },
      { owner: 'amazon', name: 'y' },
    ],
  ],
])('%j selects images', (selector, terms) => {
  expect(amiSelectorTerms(selector)).toStrictEqual(terms);
});

test.each([
  [{}, false],
  [{ minimumAgeDuration: '1d' }, false],
  [{ minimumAgeDuration: '1d', a: '1' }, true],
  [{ 'aws::owners': 'self' }, true],
])('whether %j selects images by itself: %j', (selector, isSelecting) => {
  expect(selectsImages(selector)).toBe(isSelecting);
});

test.each([
  [{ a: '1', 'aws::name': 'x' }, []],
  [{ 'aws-ids': 'ami-1' }, []],
  [{ 'aws-ids': 'ami-1', 'aws::ids': 'ami-2', a: '1', minimumAgeDuration: '1d' }, ['a', 'minimumAgeDuration']],
])('%j has beside ids: %j', (selector, keys) => {
  expect(keysBesideIds(selector)).toEqual(keys);
});

test.each([
  [{}, false],
  [{ 'aws::owners': 'self' }, true],
  [{ 'aws::owners': 'self', minimumAgeDuration: '1d' }, true],
  [{ 'aws::owners': 'self', a: '1' }, false],
  [{ minimumAgeDuration: '1d' }, false],
])('whether %j names owners only: %j', (selector, isOnlyOwners) => {
  expect(namesOnlyOwners(selector)).toBe(isOnlyOwners);
});
