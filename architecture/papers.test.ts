import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const papers = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** The targets of links to files of the repository, without what stands behind `#`. */
const linksOf = (paper: string): readonly string[] =>
  [...readFileSync(join(root, paper), 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

test('every link of a document leads to a file', () => {
  const broken = papers.flatMap((paper) =>
    linksOf(paper)
      .filter((target) => !existsSync(join(root, dirname(paper), target)))
      .map((target) => `${paper}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('a table can be read as text: cells that are sentences stand in lists', () => {
  const wide = papers.flatMap((paper) =>
    readFileSync(join(root, paper), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.startsWith('|') && line.length > 130 ? [`${paper}:${index + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});
