import type { RolloutMessage } from '@nodewright/apis';
import { type Delivery, policyOfMessage } from '@nodewright/engine';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { MessageSource } from './observe.ts';

/** A message that was accepted is counted. Why one was not is reported, and each reason repeated now and then. */
export function reportDelivery(
  { about, type: kind }: Pick<MessageSource, 'about' | 'type'>,
  { message, receiver }: Delivery,
  error: string | undefined,
): readonly ReportEntry[] {
  const policy = policyOfMessage(about);
  const { name, uid = name } = about.object.metadata;
  if (error === undefined) return [counterEntry('rolloutMessageEnded', policy, receiver.format, 'sent')];
  const told = `${receiver.format} message ${message.id} is not delivered: ${error}; it is tried again for a day`;
  return [
    eventEntry({
      kind,
      about: about.object,
      type: 'Warning',
      reason: 'NotificationFailed',
      message: told,
      dedupe: [uid, receiver.format, error],
    }),
    logEntry('warn', 'a message was not delivered', { [about.kind]: { name }, message: message.id, reason: error }),
    counterEntry('rolloutMessageEnded', policy, receiver.format, 'failed'),
  ];
}

/** Messages that some receiver never got. */
export function reportLostMessages(
  { about, type: kind }: Pick<MessageSource, 'about' | 'type'>,
  messages: readonly RolloutMessage[],
): readonly ReportEntry[] {
  const ids = messages.map(({ id }) => id).join(', ');
  const { name } = about.object.metadata;
  return [
    eventEntry({
      kind,
      about: about.object,
      type: 'Warning',
      reason: 'NotificationGivenUp',
      message: `not every receiver got ${ids} within a day; it is not tried any more`,
    }),
    logEntry('error', 'messages are given up', { [about.kind]: { name }, messages: ids }),
    ...messages.map(() => counterEntry('rolloutMessageEnded', policyOfMessage(about), '', 'givenUp')),
  ];
}
