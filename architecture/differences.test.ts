import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

/** What is known to differ from a real API server. A name goes when its difference is gone; none is added. */
const listedDifferences = [
  'rare-rules',
  'expression-types',
  'column-words',
  'no-delay',
  'large-numbers',
  'scale-owners',
];

test('the list of what differs from a real API server only shrinks', () => {
  const text = readFileSync(join(root, 'docs/embedded-eks.md'), 'utf8');
  const [, list = ''] =
    /\nWhat differs, each with its effect on a user\.(.*?)\nWhat the harness does not/s.exec(text) ?? [];
  const items = [...list.matchAll(/^- (?:\*\*([a-z-]+)\*\* )?/gm)].map(
    ([, name = 'a difference without a name']) => name,
  );
  expect(items).toEqual(listedDifferences);
});
