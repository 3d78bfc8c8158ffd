import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

/** What is known to differ. A name goes when its difference is gone; none is added. */
const listedDifferences = {
  'a real API server': {
    after: '\nWhat differs, each with its effect on a user.',
    before: '\nWhat the harness does not',
    names: ['rare-rules', 'expression-types', 'column-words', 'no-delay', 'large-numbers', 'scale-owners'],
  },
  AWS: {
    after: '\nWhat differs from AWS, each with its effect on a user.',
    before: '\nmoto marks those',
    names: [
      'no-stacks',
      'fargate-nodes',
      'lasting-fleets',
      'no-kms',
      'multi-attach',
      'groups-of-users',
      'unknown-services',
      'idle-addons',
      'missing-parts',
      'one-cluster-of-others',
    ],
  },
};

test.each(Object.entries(listedDifferences))('the list of what differs from %s only shrinks', (_, list) => {
  const text = readFileSync(join(root, 'docs/embedded-eks.md'), 'utf8');
  const [, from = ''] = text.split(list.after);
  const [section = ''] = from.split(list.before);
  const items = [...section.matchAll(/^- (?:\*\*([a-z-]+)\*\* )?/gm)].map(
    ([, name = 'a difference without a name']) => name,
  );
  expect(items).toEqual(list.names);
});
