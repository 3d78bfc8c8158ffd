import { expect, test } from 'vitest';
import { readAllPages } from './pages.ts';

/** A listing of three pages, and what it was asked with. */
function aListing(lastToken: string | undefined) {
  const tokens: (string | undefined)[] = [];
  const fetch = async (token: string | undefined) => {
    tokens.push(token);
    return { items: [tokens.length], NextToken: tokens.length < 3 ? `page-${tokens.length + 1}` : lastToken };
  };
  return { tokens, fetch };
}

for (const lastToken of [undefined, '']) {
  test(`pages come in order, up to the one whose token is ${lastToken === '' ? 'empty' : 'missing'}`, async () => {
    const { tokens, fetch } = aListing(lastToken);
    expect((await readAllPages(fetch)).flatMap(({ items }) => items)).toEqual([1, 2, 3]);
    expect(tokens).toEqual([undefined, 'page-2', 'page-3']);
  });
}

test('a listing without a second page is asked once', async () => {
  let asked = 0;
  const pages = await readAllPages(async () => ({ NextToken: undefined, asked: (asked += 1) }));
  expect(pages).toEqual([{ NextToken: undefined, asked: 1 }]);
});

test('a page that fails fails the listing, and no further one is asked for', async () => {
  const tokens: (string | undefined)[] = [];
  const failing = readAllPages(async (token) => {
    tokens.push(token);
    if (token === 'b') throw new Error('down');
    return { NextToken: 'b' };
  });
  await expect(failing).rejects.toThrow('down');
  expect(tokens).toEqual([undefined, 'b']);
});
