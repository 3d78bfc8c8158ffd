import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root, sources, specifiers } from './sources.ts';

const neighbours = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(specifiers)]
    .map((match) => match[3] ?? match[4] ?? '')
    .filter((path) => path.startsWith('.'))
    .map((path) => join(dirname(file), path));

/** The first circle a walk from `file` comes upon; files in `settled` lead to none. */
function circleFrom(file: string, trail: readonly string[], settled: Set<string>): readonly string[] | undefined {
  if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
  if (settled.has(file)) return undefined;
  for (const next of neighbours(file)) {
    const circle = circleFrom(next, [...trail, file], settled);
    if (circle !== undefined) return circle;
  }
  settled.add(file);
  return undefined;
}

test('no files import each other in a circle, types and lazy imports included', () => {
  const settled = new Set<string>();
  const files = sources(join(root, 'packages')).filter((file) => !/node_modules|\/dist\/|\.generated\.ts$/.test(file));
  const circle = files.map((file) => circleFrom(file, [], settled)).find((found) => found !== undefined);
  expect(circle?.map((file) => relative(root, file))).toBeUndefined();
});
