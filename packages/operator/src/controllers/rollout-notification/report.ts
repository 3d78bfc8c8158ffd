import { nodeRollouts, type NodeRollout, type RolloutMessage } from '@nodewright/apis';
import type { Delivery } from '@nodewright/engine';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

/** A message that was taken is counted; why one was not is told, each reason now and then. */
export function reportDelivery(
  rollout: NodeRollout,
  { message, receiver }: Delivery,
  error: string | undefined,
): readonly ReportEntry[] {
  const { policy } = rollout.spec;
  const { name, uid = name } = rollout.metadata;
  if (error === undefined) return [counterEntry('rolloutMessageEnded', policy, receiver.format, 'sent')];
  const told = `${receiver.format} message ${message.id} is not delivered: ${error}; it is tried again for a day`;
  return [
    eventEntry({
      kind: nodeRollouts,
      about: rollout,
      type: 'Warning',
      reason: 'NotificationFailed',
      message: told,
      dedupe: [uid, receiver.format, error],
    }),
    logEntry('warn', 'a message was not delivered', { NodeRollout: { name }, message: message.id, reason: error }),
    counterEntry('rolloutMessageEnded', policy, receiver.format, 'failed'),
  ];
}

/** Messages that some receiver never got. */
export function reportLostMessages(rollout: NodeRollout, messages: readonly RolloutMessage[]): readonly ReportEntry[] {
  const ids = messages.map(({ id }) => id).join(', ');
  const { name } = rollout.metadata;
  return [
    eventEntry({
      kind: nodeRollouts,
      about: rollout,
      type: 'Warning',
      reason: 'NotificationGivenUp',
      message: `not every receiver got ${ids} within a day; it is not tried any more`,
    }),
    logEntry('error', 'messages are given up', { NodeRollout: { name }, messages: ids }),
    ...messages.map(() => counterEntry('rolloutMessageEnded', rollout.spec.policy, '', 'givenUp')),
  ];
}
