import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { byText } from '@nodewright/apis';
import { expect, onTestFinished, test } from 'vitest';
import { listPapers } from './build-site.ts';
import { findDeadLinks } from './check-site.ts';
import { followLink } from './follow-link.ts';
import { listChapters, listPages } from './list-pages.ts';
import { printAlias } from './print-entrance.ts';
import { slugOf } from './slug.ts';
import { addVersion, compareVersions, latestOf } from './versions.ts';

const root = join(import.meta.dirname, '../..');

test('every paper of the repository is a page of the site, once, with an address of its own', () => {
  const papers = listPapers(root);
  const pages = listPages(listChapters(root, papers)).filter((page) => !('pages' in page));
  expect(pages.map(({ paper }) => paper).toSorted(byText)).toEqual(papers);
  expect(new Set(pages.map(({ page }) => page)).size).toBe(papers.length);
});

const pages = new Map([
  ['README.md', 'index.md'],
  ['docs/ui.md', 'ui.md'],
  ['docs/adr', 'adr/index.md'],
  ['docs/adr/0001-one.md', 'adr/0001-one.md'],
]);
const papers = new Map([...pages].map(([paper, page]) => [page, paper]));

for (const { href, page, leads } of [
  { href: 'docs/ui.md', page: 'index.md', leads: { kind: 'page', href: './ui.md' } },
  { href: 'docs/adr', page: 'index.md', leads: { kind: 'page', href: './adr/index.md' } },
  { href: '../README.md#install', page: 'ui.md', leads: { kind: 'page', href: './index.md#install' } },
  { href: '../ui.md', page: 'adr/0001-one.md', leads: { kind: 'page', href: '../ui.md' } },
  { href: '#here', page: 'ui.md', leads: { kind: 'page', href: '#here' } },
  { href: '../LICENSE', page: 'ui.md', leads: { kind: 'file', href: 'LICENSE' } },
  { href: 'https://example.com/a.md', page: 'ui.md', leads: { kind: 'elsewhere', href: 'https://example.com/a.md' } },
] as const) {
  test(`the link ${href} of ${page} leads to ${leads.href}`, () => {
    expect(followLink(href, page, { pages, papers, sources: '' })).toEqual(leads);
  });
}

test('a link to a file of the repository leads to where the sources are published', () => {
  const links = { pages, papers, sources: 'https://example.com/tree/v1' };
  const leads = { kind: 'elsewhere', href: 'https://example.com/tree/v1/LICENSE' };
  expect(followLink('../LICENSE', 'ui.md', links)).toEqual(leads);
});

test('headings have the names that code hosts give them', () => {
  expect(slugOf('What `--base` does, and why')).toBe('what---base-does-and-why');
});

test('versions are listed newest first, and the latest is no preview', () => {
  const names = ['0.9.0', 'main', '1.0.0', '0.10.0', '1.1.0-rc.2', '1.1.0-rc.10', '1.0.0'];
  const listed = names.reduce<ReturnType<typeof addVersion>>(
    (known, version) => addVersion(known, { version, built: '2026-01-01' }),
    [],
  );
  expect(listed.map(({ version }) => version)).toEqual([
    '1.1.0-rc.10',
    '1.1.0-rc.2',
    '1.0.0',
    '0.10.0',
    '0.9.0',
    'main',
  ]);
  expect(latestOf(listed)).toBe('1.0.0');
  expect(latestOf(listed.filter(({ version }) => version.includes('-')))).toBe('1.1.0-rc.10');
});

test('previews of a version are in the order of semantic versioning', () => {
  const inOrder = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
  ];
  expect(inOrder.toReversed().toSorted(compareVersions)).toEqual(inOrder);
});

test('a page of the alias leads up to its version, from every depth', () => {
  expect(printAlias('adr/0001-one.html', '1.0.0')).toContain('href="../../1.0.0/adr/0001-one.html"');
});

/** A built version: files by their paths. */
function aSite(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('links that lead to no file or no heading are found, and what would be loaded from elsewhere', () => {
  const folder = aSite({
    'index.html': [
      '<a href="./a/b.html#there">',
      '<a href="/docs/1/a/">',
      '<a href="https://example.com">',
      '<a href="./gone.html">',
      '<a href="./a/b.html#gone">',
      '<a href="/other/">',
      '<script src="https://example.com/a.js">',
    ].join('\n'),
    'a/index.html': '',
    'a/b.html': '<h2 id="there"><a class="header" href="../index.html">',
  });
  expect(findDeadLinks(folder, '/docs/1/')).toEqual([
    'index.html: ./gone.html leads to no file',
    'index.html: ./a/b.html#gone leads to no heading',
    'index.html: /other/ leaves the site',
    'index.html: https://example.com/a.js is loaded from elsewhere',
  ]);
});
