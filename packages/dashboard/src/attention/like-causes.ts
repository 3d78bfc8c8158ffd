import type { BlockerRow, CauseObject } from '../rows/dashboard-rows.ts';
import { type CauseGroup, groupCauses } from './group-causes.ts';
import { omitNames } from './group-sentences.ts';

/** Objects that hold nodes for the same cause, in nearly the same words. */
export type LikeCauses = readonly [CauseGroup, ...CauseGroup[]];

/** So many objects are told of one by one. */
const mostToldAlone = 2;

/** Many objects that a person would look at for the same reason are told of together, where the first of them stands. */
export function joinLikeCauses(groups: readonly CauseGroup[]): readonly LikeCauses[] {
  const joined = new Map<string, [CauseGroup, ...CauseGroup[]]>();
  for (const group of groups) {
    const { cause } = group;
    const key = [cause.cause, cause.object?.kind, cause.isLasting, cause.until, omitNames(firstMessage(group))].join(
      '\n',
    );
    const before = joined.get(key);
    if (before === undefined) joined.set(key, [group]);
    else before.push(group);
  }
  return [...joined.values()].flatMap((likes): readonly LikeCauses[] =>
    likes.length > mostToldAlone ? [likes] : likes.map((group) => [group]),
  );
}

export const firstMessage = ({ messages, cause }: CauseGroup): string => messages[0] ?? cause.message;

const pluralOf = (kind: string): string => `${kind.replace(/y$/, 'ie')}s`;

/** `Pod default/web`, or `3 Pods`. */
export const nameHolders = ({ kind, name }: CauseObject, count: number): string =>
  count === 1 ? `${kind} ${name}` : `${count} ${pluralOf(kind)}`;

const mostNames = 3;

/** One object, or several in its place: `web/a, web/b, web/c and 2 more`. */
export function describeHolders(groups: LikeCauses): CauseObject | undefined {
  const names = groups.flatMap(({ cause }) => (cause.object === undefined ? [] : [cause.object.name]));
  const { object } = groups[0].cause;
  const more = names.length - mostNames;
  return object && { ...object, name: `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}` };
}

/** The causes of many nodes as people look at them: several objects that hold for the same reason are one. */
export const groupLikeCauses = (blockers: readonly BlockerRow[]): readonly CauseGroup[] =>
  joinLikeCauses(groupCauses(blockers)).map(joinGroups);

function joinGroups(groups: LikeCauses): CauseGroup {
  const [first] = groups;
  if (groups.length === 1) return first;
  const object = describeHolders(groups);
  return {
    cause: {
      ...first.cause,
      ...(object === undefined ? {} : { object: { ...object, kind: `${groups.length} ${pluralOf(object.kind)}` } }),
    },
    messages: [...new Set(groups.flatMap(({ messages }) => messages))],
    nodes: [...new Set(groups.flatMap(({ nodes }) => nodes))],
  };
}
