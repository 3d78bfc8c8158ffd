import { earliest, fromTimestamp, toTimestamp } from '@nodewright/apis';
import type { BlockerCause, CauseObject, Dashboard } from '../rows/dashboard-rows.ts';
import type { AttentionItem } from './attention-item.ts';
import { adviseOnCause, type CauseGroup, groupCauses } from './group-causes.ts';
import { groupSentences, omitNames } from './group-sentences.ts';

/**
 * The item of a rollout also says what its policy holds back while the rollout goes on, and what it waits for: with that
 * it tells of everything else that holds those nodes.
 */
export function attendBlockers({ blockers, rollouts }: Dashboard): readonly AttentionItem[] {
  const going = new Set(rollouts.flatMap(({ policy, endedAt }) => (endedAt === undefined ? [policy] : [])));
  const isOfRollout = ({ object }: BlockerCause): boolean =>
    object?.kind === 'NodeRolloutPolicy' && going.has(object.name);
  const others = blockers
    .filter(({ causes }) => !causes.some(({ cause }) => cause === 'approval'))
    .map((row) => ({ ...row, causes: row.causes.filter((cause) => !isOfRollout(cause)) }));
  return joinLikeCauses(groupCauses(others)).map(attendCause);
}

/** Objects that hold nodes for the same cause, in nearly the same words. */
type LikeCauses = readonly [CauseGroup, ...CauseGroup[]];

/** So many objects are told of one by one. */
const mostToldAlone = 2;

/** Many objects that a person would look at for the same reason are told of together, where the first of them stands. */
function joinLikeCauses(groups: readonly CauseGroup[]): readonly LikeCauses[] {
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

const firstMessage = ({ messages, cause }: CauseGroup): string => messages[0] ?? cause.message;

function attendCause(groups: LikeCauses): AttentionItem {
  const [{ cause, messages }] = groups;
  const nodes = [...new Set(groups.flatMap((group) => group.nodes))];
  const object = describeHolders(groups);
  const since = earliest(...nodes.map((row) => (row.since === undefined ? undefined : fromTimestamp(row.since))));
  const todo = adviseOnCause(object === undefined ? cause : { ...cause, object });
  const [reason] = groupSentences(groups.map(firstMessage));
  const by = object === undefined ? '' : ` by ${nameHolders(object, groups.length)}`;
  return {
    id: `held ${cause.cause} ${groups.length === 1 ? (cause.object?.name ?? cause.message) : (cause.object?.kind ?? '')}`,
    urgency: cause.until === undefined && todo !== undefined ? 'waitsForPerson' : 'goesOn',
    what: `${nodes.length === 1 ? '1 node is' : `${nodes.length} nodes are`} held${by}`,
    why: reason?.pattern ?? cause.message,
    ...(since === undefined ? {} : { since: toTimestamp(since) }),
    ...(todo === undefined || cause.until !== undefined ? {} : { todo }),
    ...(cause.until === undefined || messages.some((message) => message.includes(' until '))
      ? {}
      : { until: cause.until }),
    commands: [],
    view: 'blockers',
    explain: nodes[0]?.explain ?? '',
  };
}

const nameHolders = ({ kind, name }: CauseObject, count: number): string =>
  count === 1 ? `${kind} ${name}` : `${count} ${kind.replace(/y$/, 'ie')}s`;

const mostNames = 3;

/** One object, or several in its place: `web/a, web/b, web/c and 2 more`. */
function describeHolders(groups: LikeCauses): CauseObject | undefined {
  const names = groups.flatMap(({ cause }) => (cause.object === undefined ? [] : [cause.object.name]));
  const { object } = groups[0].cause;
  const more = names.length - mostNames;
  return object && { ...object, name: `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}` };
}
