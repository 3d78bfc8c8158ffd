import {
  days,
  earliest,
  instant,
  type Instant,
  type NodeRolloutPolicyStatus,
  type RolloutMessage,
  type RolloutReceiver,
  toTimestamp,
} from '@nodewright/apis';
import type { SourcePin } from '../source-pin.ts';
import { wantsMessage } from './due-messages.ts';

/** A pin is reported when its release is as old as this, and again after each such time. */
const staleAfterDays = [30, 60, 90, 180, 365];
const mostPinMessages = 50;

type PinQuestion = {
  readonly pins: readonly SourcePin[];
  readonly receivers: readonly RolloutReceiver[];
  readonly now: Instant;
};

/** The messages of a policy, with a new one for each pin that has grown old. Messages about other pins are dropped. */
export function notePinMessages(
  { messages = [] }: Pick<NodeRolloutPolicyStatus, 'messages'>,
  { pins, receivers, now }: PinQuestion,
): readonly RolloutMessage[] {
  if (!receivers.some((receiver) => wantsMessage(receiver, 'PinStale'))) return messages;
  const due = pins.flatMap((pin) => pinMessage(pin, now) ?? []);
  const known = new Map(messages.map((message) => [message.id, message]));
  const open = messages.filter(({ id }) => pins.some((pin) => id.startsWith(`${pinKey(pin)}/`)));
  const fresh = due
    .filter(({ id }) => !known.has(id))
    .map((message) => ({ ...message, at: toTimestamp(now), told: [] }));
  return [...open, ...fresh].slice(-mostPinMessages);
}

const pinKey = ({ source, release }: SourcePin): string => `pin-stale/${source}/${release}`;

function pinMessage(pin: SourcePin, now: Instant): Pick<RolloutMessage, 'id' | 'event' | 'text'> | undefined {
  const age = (now - pin.releasedAt) / days(1);
  const step = staleAfterDays.findLast((limit) => age >= limit);
  if (step === undefined) return undefined;
  const text = `${pin.source} pins ${pin.release}, which came out ${Math.floor(age)} days ago: no newer release reaches its nodes`;
  return { id: `${pinKey(pin)}/${step}`, event: 'PinStale', text };
}

/** When a pin is reported next. */
export const nextPinMessage = (pins: readonly SourcePin[], now: Instant): Instant | undefined =>
  earliest(
    ...pins
      .flatMap(({ releasedAt }) => staleAfterDays.map((limit) => instant(releasedAt + days(limit))))
      .filter((at) => at > now),
  );
