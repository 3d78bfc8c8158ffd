import {
  earliest,
  fromTimestamp,
  hours,
  instant,
  type Instant,
  minutes,
  type NodeRolloutStatus,
  type ReceiverTrouble,
  type RolloutMessage,
  type RolloutReceiver,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import { structuralHash } from '../../drift/structural-hash.ts';
import { wantsMessage } from './due-messages.ts';

/** A message that is to be sent now. */
export type Delivery = {
  readonly message: RolloutMessage;
  readonly receiver: RolloutReceiver;
  readonly key: string;
};

export type DeliveryPlan = {
  /** One message that each receiver lacks, as far as it may be tried now. */
  readonly due: readonly Delivery[];
  /** Messages that some receiver did not get for too long. */
  readonly givenUp: readonly RolloutMessage[];
  /** When the next attempt is due, if none is now. */
  readonly nextAt?: Instant;
};

/** How long a message is tried. */
const longestMs = hours(24);
const firstDeliveryRetryMs = seconds(10);
const lastDeliveryRetryMs = minutes(30);

/** Tells a receiver from others by its settings: a message goes to the receivers that are set up now, also after a change. */
export const receiverKey = ({ url, format, secretRef }: RolloutReceiver): string =>
  structuralHash({ url, format, secret: [secretRef?.namespace, secretRef?.name, secretRef?.key] });

/** The messages of a rollout or a policy, and the receivers that could not be reached. */
export type MessageStatus = Pick<NodeRolloutStatus, 'messages' | 'receiverTroubles'>;

export type DeliveryQuestion = {
  readonly status: MessageStatus | undefined;
  readonly receivers: readonly RolloutReceiver[];
  readonly now: Instant;
};

/** Which messages are sent now. Each receiver gets them one by one, in the order in which they were noted unless it fails. */
export function planDeliveries({ status = {}, receivers, now }: DeliveryQuestion): DeliveryPlan {
  const open = (status.messages ?? []).filter(({ givenUp }) => givenUp !== true);
  const due: Delivery[] = [];
  const givenUp = new Set<RolloutMessage>();
  const later: Instant[] = [];
  for (const receiver of receivers) {
    const key = receiverKey(receiver);
    const lacking = open.filter((message) => wantsMessage(receiver, message.event) && !message.told.includes(key));
    for (const message of lacking.filter((each) => isMessageOverdue(each, now))) givenUp.add(message);
    const trouble = status.receiverTroubles?.find((each) => each.receiver === key);
    const first = nextMessage(
      lacking.filter((message) => !isMessageOverdue(message, now)),
      trouble?.failures,
    );
    const retryAt = trouble === undefined ? now : fromTimestamp(trouble.nextAt);
    if (first === undefined) continue;
    if (retryAt <= now) due.push({ message: first, receiver, key });
    else later.push(retryAt);
  }
  const nextAt = earliest(...later);
  return { due, givenUp: [...givenUp], ...(nextAt === undefined ? {} : { nextAt }) };
}

/** A receiver that fails is tried with one message after the other: it may refuse the first of them alone. */
const nextMessage = (messages: readonly RolloutMessage[], failures = 0): RolloutMessage | undefined =>
  messages[messages.length === 0 ? 0 : failures % messages.length];

const isMessageOverdue = ({ at }: RolloutMessage, now: Instant): boolean => now - fromTimestamp(at) >= longestMs;

/** What came of an attempt: `error` says why a receiver did not take a message. */
export type DeliveryOutcome = {
  readonly key: string;
  readonly message: string;
  readonly now: Instant;
  readonly error?: string;
};

/** The status after an attempt. A receiver that fails is tried again after 10 s, twice as long each time, 30 min at most. */
export function recordDelivery<T extends MessageStatus>(status: T, { key, message, now, error }: DeliveryOutcome): T {
  const { receiverTroubles = [] } = status;
  const others = receiverTroubles.filter(({ receiver }) => receiver !== key);
  if (error !== undefined) {
    const before = receiverTroubles.find(({ receiver }) => receiver === key);
    return { ...status, receiverTroubles: [...others, troubleAfter(before, { key, error, now })] };
  }
  const messages = (status.messages ?? []).map((each) =>
    each.id === message && !each.told.includes(key) ? { ...each, told: [...each.told, key] } : each,
  );
  return { ...status, messages, receiverTroubles: others };
}

function troubleAfter(
  before: ReceiverTrouble | undefined,
  { key, error, now }: { readonly key: string; readonly error: string; readonly now: Instant },
): ReceiverTrouble {
  const failures = (before?.failures ?? 0) + 1;
  const waitMs = Math.min(lastDeliveryRetryMs, firstDeliveryRetryMs * 2 ** Math.min(failures - 1, 20));
  return {
    receiver: key,
    failures,
    since: before?.since ?? toTimestamp(now),
    nextAt: toTimestamp(instant(now + waitMs)),
    error: error.slice(0, 500),
  };
}

/** The status without messages that are no longer sent. */
export function giveUpMessages<T extends MessageStatus>(status: T, ids: readonly string[]): T {
  const gone = new Set(ids);
  const messages = (status.messages ?? []).map((each) => (gone.has(each.id) ? { ...each, givenUp: true } : each));
  return { ...status, messages };
}
