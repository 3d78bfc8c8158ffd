import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { productSources, root } from './sources.ts';

/** Comments may show an ARN as an example. */
const isComment = (line: string): boolean => /^\s*(?:\/?\*|\/\/)/.test(line);

test('no source names the partition of an ARN: it follows from the region', () => {
  const shipped = productSources().filter((file) => !file.startsWith(join(root, 'packages/testkit')));
  const found = shipped.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('arn:aws:') && !isComment(line))
      .map((line) => `${relative(root, file)}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
