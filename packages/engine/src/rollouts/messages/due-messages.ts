import {
  type Instant,
  type NodeRollout,
  type NodeRolloutStatus,
  type RolloutMessage,
  type RolloutMessageEvent,
  type RolloutReceiver,
  type RolloutWaveStatus,
  toTimestamp,
} from '@nodewright/apis';
import { printMovedNode } from '../comparison-node.ts';
import { printDrainKeeper } from '../drain-keeper.ts';
import { imagesBeyond } from '../image-set.ts';
import { isRollback } from '../view.ts';

/** Nodes that cannot be drained are reported at the first one, the tenth and so on, not one by one. */
const parkedSteps = [1, 10, 100, 1_000];
const mostMessages = 100;
const longestText = 1_000;

type MessageQuestion = {
  readonly rollout: NodeRollout;
  /** What is about to be stored. */
  readonly status: NodeRolloutStatus;
  readonly receivers: readonly RolloutReceiver[];
  readonly now: Instant;
};

/**
 * The status with a message for everything that receivers ask for, has happened and is not noted yet.
 *
 * Guarantees: what has happened is read from the status alone, and its message is stored in the same write. So a
 * controller that dies neither forgets a message nor notes one twice. A rollout has one message for each wave that ends
 * or waits, and one for each other happening, however many nodes it moves.
 */
export function noteMessages({ rollout, status, receivers, now }: MessageQuestion): NodeRolloutStatus {
  const { messages = [] } = status;
  const known = new Set(messages.map(({ id }) => id));
  const fresh = listDueMessages(rollout, status)
    .filter(({ id, event }) => !known.has(id) && receivers.some((receiver) => wantsMessage(receiver, event)))
    .map(({ id, event, text }) => ({ id, event, text: text.slice(0, longestText), at: toTimestamp(now), told: [] }));
  if (fresh.length === 0) return status;
  return { ...status, messages: [...messages, ...fresh].slice(0, mostMessages) };
}

/** A receiver that names no events gets all. */
export const wantsMessage = ({ events }: RolloutReceiver, event: RolloutMessageEvent): boolean =>
  events === undefined || events.includes(event);

type DueMessage = Pick<RolloutMessage, 'id' | 'event' | 'text'>;

function listDueMessages(rollout: NodeRollout, status: NodeRolloutStatus): readonly DueMessage[] {
  const { waves = [], state } = status;
  const { name } = rollout.metadata;
  return [
    ...(status.startedAt === undefined ? [] : [startedMessage(rollout)]),
    ...waves.filter(({ endedAt }) => endedAt !== undefined).map((wave) => waveMessage(name, wave)),
    ...parkedMessages(name, status),
    ...(state === 'WaitingForApproval' ? [waitingMessage(name, status)] : []),
    ...haltedMessages(name, status),
    ...(state === 'Stalled' ? [stalledMessage(name, status)] : []),
    ...(state === 'Complete' ? [endMessage(rollout, status)] : []),
  ];
}

function startedMessage({ metadata, spec }: NodeRollout): DueMessage {
  const images = imagesBeyond(spec.from, spec.to);
  const releases = [...new Set(images.map(({ release, image }) => release ?? image))].toSorted();
  const target = releases.length === 0 ? 'the proven images' : releases.join(', ');
  const text = `${metadata.name} has started (${spec.cause}): ${countOfNodes(spec.members)} to move to ${target}`;
  return { id: 'started', event: 'Started', text };
}

const waveMessage = (name: string, { name: wave, outcome, healthy, failed }: RolloutWaveStatus): DueMessage => ({
  id: `wave-done/${wave}`,
  event: 'WaveDone',
  text: `${name}: wave ${wave} is over (${outcome ?? 'Proven'}): ${healthy} healthy, ${failed} failed`,
});

function parkedMessages(name: string, { parked = [] }: NodeRolloutStatus): readonly DueMessage[] {
  const told = parked.filter(({ notified }) => notified === true);
  const step = parkedSteps.findLast((count) => told.length >= count);
  const [first] = told;
  if (step === undefined || first === undefined) return [];
  const text = `${name}: ${countOfNodes(told.length)} cannot be drained, such as ${printMovedNode(first)}: ${printDrainKeeper(first)} since ${first.firstAt}`;
  return [{ id: `parked/${step}`, event: 'Parked', text }];
}

function waitingMessage(name: string, { wave = '', conditions = [] }: NodeRolloutStatus): DueMessage {
  const message = conditions.find(({ type }) => type === 'WaitingForApproval')?.message ?? '';
  return { id: `waiting/${wave}`, event: 'WaitingForApproval', text: `${name} waits for a person: ${message}` };
}

/** A rollout that halts again after a person resumed it, or halts for further variants, is reported again. */
function haltedMessages(name: string, { halted }: NodeRolloutStatus): readonly DueMessage[] {
  if (halted === undefined) return [];
  const { at, reason, message, variants } = halted;
  const id = ['halted', at, ...variants].join('/');
  return [{ id, event: 'Halted', text: `${name} has halted (${reason}): ${message}` }];
}

const stalledMessage = (name: string, { remaining = 0 }: NodeRolloutStatus): DueMessage => ({
  id: 'stalled',
  event: 'Stalled',
  text: `${name} takes longer than finishWithin: ${countOfNodes(remaining)} remain`,
});

function endMessage(rollout: NodeRollout, { updated = 0 }: NodeRolloutStatus): DueMessage {
  const { name } = rollout.metadata;
  return isRollback(rollout)
    ? { id: 'complete', event: 'RolledBack', text: `${name} is complete: no node runs the image that it takes back` }
    : { id: 'complete', event: 'Complete', text: `${name} is complete: ${countOfNodes(updated)} run the new image` };
}

const countOfNodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);
