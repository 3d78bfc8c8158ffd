import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { importPaths, productSources, root } from './sources.ts';

type Arrow = { readonly folder: string; readonly from: string; readonly to: string };

/** An import as an arrow between two children (files or folders) of the nearest folder that holds both. */
function arrowBetween(file: string, target: string): Arrow | undefined {
  const [source, destination] = [file, target].map((path) => relative(root, path).split(sep));
  if (source === undefined || destination === undefined) return undefined;
  const depth = source.findIndex((part, index) => part !== destination[index]);
  const [from, to] = [source[depth], destination[depth]];
  return from === undefined || to === undefined ? undefined : { folder: source.slice(0, depth).join('/'), from, to };
}

const arrows = productSources().flatMap((file) =>
  importPaths(file)
    .filter((path) => path.startsWith('.'))
    .map((path) => arrowBetween(file, join(dirname(file), path)))
    .filter((arrow) => arrow !== undefined),
);

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(folder: string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of arrows.filter((arrow) => arrow.folder === folder)) {
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

function reachableFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const to of graph.get(next) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}

/** The children of a folder that can be reached from themselves. */
const knotIn = (folder: string): readonly string[] => {
  const graph = graphOf(folder);
  return [...graph.keys()].filter((child) => reachableFrom(child, graph).has(child)).toSorted();
};

const knots = new Map(
  [...new Set(arrows.map(({ folder }) => folder))]
    .map((folder) => [folder, knotIn(folder)] as const)
    .filter(([, children]) => children.length > 0),
);

test('no folders import each other in a circle', () => {
  expect([...knots].map(([folder, children]) => `${folder}: ${children.join(', ')}`)).toEqual([]);
});
