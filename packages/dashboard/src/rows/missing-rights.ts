import type { DashboardPart, HiddenParts } from './dashboard-changes.ts';
import type { ExplainPath } from './dashboard-rows.ts';

/** What AWS tells and the API server does not: it stands among the kinds that something is hidden for. */
export const awsSources = { types: 'aws/instance-types', images: 'aws/images' } as const;

const awsSourceWords: ReadonlyMap<string, string> = new Map([
  [awsSources.types, 'instance types and prices'],
  [awsSources.images, 'images'],
]);

/** Whether it is AWS that does not tell it, whatever the rights of the reader are. */
export const isToldByAws = (kind: string): boolean => awsSourceWords.has(kind);

/** `instance types and prices, and images`. */
export const nameAwsSources = (kinds: readonly string[]): string =>
  kinds.flatMap((kind) => awsSourceWords.get(kind) ?? []).join(', and ');

/** What a reader lacks: `the right to list nodes, pods in the whole cluster`, and what AWS does not tell. */
export function describeMissingRights(kinds: readonly string[]): string {
  const listed = kinds.filter((kind) => !isToldByAws(kind));
  const told = kinds.filter(isToldByAws);
  return [
    ...(listed.length === 0 ? [] : [`the right to list ${listed.join(', ')} in the whole cluster`]),
    ...(told.length === 0 ? [] : [`an answer of AWS about ${nameAwsSources(told)}`]),
  ].join(', and ');
}

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
