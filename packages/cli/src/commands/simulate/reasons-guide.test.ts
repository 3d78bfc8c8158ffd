import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestProblem } from './manifest-problem.ts';
import { readManifests } from './manifest-source.ts';
import { offlineWorld } from './offline-world.ts';
import { outlookOn } from './outlook.ts';
import { printedOutlook } from './print-outlook.ts';
import { typesByPool, zonesIn } from './supplies.ts';

const root = join(import.meta.dirname, '../../../../..');
const guide = readFileSync(join(root, 'docs/reasons.md'), 'utf8');

const shown = [...guide.matchAll(/```sh\nnodewright simulate ([^\n]*)\n```\n\n```text\n([^`]*)```/g)].map(
  ([, flags = '', text = '']) => ({
    files: [...flags.matchAll(/-f (\S+)/g)].map(([, file = '']) => file),
    text,
  }),
);

async function simulated(files: readonly string[]): Promise<string> {
  const objects = readManifests(files.map((file) => join(root, file))).map(({ object }) => object);
  const world = await offlineWorld(zonesIn(objects));
  const { typesOf } = await typesByPool(objects, world);
  const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const;
  return printedOutlook(outlookOn(manifestProblem({ objects, typesOf, options })).outlook);
}

test('the guide to reasons shows some', () => {
  expect(shown.length).toBeGreaterThan(3);
});

test.each(shown)('$files say what the guide to reasons shows', async ({ files, text }) => {
  expect(await simulated(files)).toContain(text);
});
