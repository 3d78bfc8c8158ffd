import { earliest, fromTimestamp, toTimestamp } from '@nodewright/apis';
import type { BlockerCause, Dashboard } from '../rows/dashboard-rows.ts';
import type { AttentionItem } from './attention-item.ts';
import { adviseOnCause, groupCauses } from './group-causes.ts';
import { groupSentences } from './group-sentences.ts';
import { describeHolders, firstMessage, joinLikeCauses, type LikeCauses, nameHolders } from './like-causes.ts';

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
