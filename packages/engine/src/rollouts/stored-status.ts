import type { NodeRolloutStatus } from '@nodewright/apis';

/**
 * What is stored when a plan that was made from an older status is stored: new messages are the plan's. Who was told, and
 * what checks have answered, others store meanwhile.
 */
export function keepWritesOfOthers(
  stored: NodeRolloutStatus | undefined,
  planned: NodeRolloutStatus,
): NodeRolloutStatus {
  const { messages: noted = [], receiverTroubles: _troubles, checks: _checks, ...rest } = planned;
  const known = new Map((stored?.messages ?? []).map((message) => [message.id, message]));
  const messages = [...known.values(), ...noted.filter(({ id }) => !known.has(id))];
  return {
    ...rest,
    ...(messages.length === 0 ? {} : { messages }),
    ...(stored?.receiverTroubles === undefined ? {} : { receiverTroubles: stored.receiverTroubles }),
    ...(stored?.checks === undefined ? {} : { checks: stored.checks }),
  };
}
