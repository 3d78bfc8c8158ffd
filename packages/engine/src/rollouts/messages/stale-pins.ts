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
import { wantsMessage } from './due-messages.ts';

/** An image that the spec of a source names, so that no newer release takes its place. */
export type PinnedRelease = {
  /** `EC2NodeClass/NAME` or `NodeGroup/NAME`. */
  readonly source: string;
  readonly release: string;
  readonly releasedAt: Instant;
};

/** A pin is told of when its release is as old as this, and again each time. */
const staleAfterDays = [30, 60, 90, 180, 365];
const mostPinMessages = 50;

type PinQuestion = {
  readonly pins: readonly PinnedRelease[];
  readonly receivers: readonly RolloutReceiver[];
  readonly now: Instant;
};

/** The messages of a policy with one for each pin that has grown old and was not told of yet. Those of other pins go. */
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

const pinKey = ({ source, release }: PinnedRelease): string => `pin-stale/${source}/${release}`;

function pinMessage(pin: PinnedRelease, now: Instant): Pick<RolloutMessage, 'id' | 'event' | 'text'> | undefined {
  const age = (now - pin.releasedAt) / days(1);
  const step = staleAfterDays.findLast((limit) => age >= limit);
  if (step === undefined) return undefined;
  const text = `${pin.source} pins ${pin.release}, which came out ${Math.floor(age)} days ago: no newer release reaches its nodes`;
  return { id: `${pinKey(pin)}/${step}`, event: 'PinStale', text };
}

/** When a pin is told of next. */
export const nextPinMessage = (pins: readonly PinnedRelease[], now: Instant): Instant | undefined =>
  earliest(
    ...pins
      .flatMap(({ releasedAt }) => staleAfterDays.map((limit) => instant(releasedAt + days(limit))))
      .filter((at) => at > now),
  );
