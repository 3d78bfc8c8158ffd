import type { DashboardPart, HiddenParts } from './dashboard-changes.ts';
import type { ExplainPath } from './dashboard-rows.ts';

/** What a reader lacks: `the right to list nodes, pods in the whole cluster`. */
export const describeMissingRights = (kinds: readonly string[]): string =>
  `the right to list ${kinds.join(', ')} in the whole cluster`;

/** Every kind that something is hidden for. */
export const listMissingKinds = (hidden: HiddenParts): readonly string[] => [
  ...new Set(Object.values(hidden).flatMap((kinds) => kinds ?? [])),
];

/** What is explained with the words of which part. */
const partsOfExplanations: ReadonlyMap<string, DashboardPart> = new Map([
  ['nodeclass', 'nodeClasses'],
  ['pod', 'podReasons'],
]);

/** The part whose rights an explanation needs: `node/a` is that of nodes, as everything is that names what holds nodes. */
export const findPartOfExplanation = (path: ExplainPath): DashboardPart =>
  partsOfExplanations.get(path.split('/')[0] ?? '') ?? 'nodeReasons';
