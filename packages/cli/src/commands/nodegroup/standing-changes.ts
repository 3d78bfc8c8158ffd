import type { NodeStanding } from '@nodewright/operator';

/** What became of nodes between two looks, a line each. The first look tells nothing. */
export function standingChanges(before: readonly NodeStanding[], after: readonly NodeStanding[]): readonly string[] {
  if (before.length === 0) return [];
  const earlier = new Map(before.map((node) => [node.name, node.standing]));
  const later = new Set(after.map(({ name }) => name));
  const changed = after
    .filter(({ name, standing }) => earlier.get(name) !== standing)
    .map(({ name, standing, image }) => `  ${name}   ${standing === 'new' ? `ready on ${image}` : standing}`);
  const gone = before.filter(({ name }) => !later.has(name)).map(({ name }) => `  ${name}   gone`);
  return [...changed, ...gone].toSorted();
}
