import { byNumberOf, byText } from '@nodewright/apis';
import type {
  Dashboard,
  GroupProgressRow,
  NodeRow,
  NotificationRow,
  ParkedNodeRow,
  PolicyRow,
  RolloutRow,
  WaitingRow,
} from '../rows/dashboard-rows.ts';
import type { AttentionItem } from './attention-item.ts';
import { attendBlockers } from './attend-blockers.ts';
import { adviseOnCause } from './group-causes.ts';

const urgencies: readonly AttentionItem['urgency'][] = ['broken', 'waitsForPerson', 'goesOn'];

/** What a person on call has to know, the most urgent first. */
export function listAttention(dashboard: Dashboard): readonly AttentionItem[] {
  const items = [
    ...dashboard.rollouts.flatMap(attendRollout),
    ...dashboard.policies.flatMap(attendPolicy),
    ...dashboard.nodeGroups.flatMap(attendNodeGroup),
    ...attendNodes(dashboard.nodes),
    ...attendNodeClasses(dashboard),
    ...dashboard.waiting.flatMap(attendPods),
    ...dashboard.notifications.flatMap(attendReceivers),
    ...attendBlockers(dashboard),
  ];
  return items.toSorted(byNumberOf(({ urgency }) => urgencies.indexOf(urgency)));
}

/** What is led to where, how far it is, and what it waits for. */
function attendRollout(rollout: RolloutRow): readonly AttentionItem[] {
  const { id, change, halted, waits, parked = [], commands, endedAt, updated, total } = rollout;
  if (endedAt !== undefined) return [];
  const needed = commands.flatMap(({ command, isNeeded = false }) => (isNeeded ? [command] : []));
  const item = { id: `rollout ${id}`, commands: needed, view: 'rollouts', explain: rollout.explain } as const;
  const standing = `${updated} of ${total} nodes updated${change === '' ? '' : `, ${change}`}`;
  const [first] = waits;
  if (halted !== undefined)
    return [{ ...item, urgency: 'broken', what: `Rollout ${id} is halted: ${standing}`, why: halted }];
  if (first === undefined && parked[0] !== undefined)
    return [{ ...item, ...attendParked(rollout, parked[0]), what: `Rollout ${id}: ${standing}` }];
  if (first === undefined)
    return [{ ...item, urgency: 'goesOn', what: `Rollout ${id}: ${standing}`, why: describeProgress(rollout) }];
  return [
    {
      ...item,
      urgency: needed.length > 0 ? 'waitsForPerson' : 'goesOn',
      what: `Rollout ${id} waits: ${standing}`,
      why: first.message,
      ...(first.since === undefined ? {} : { since: first.since }),
    },
  ];
}

/** Parked nodes are tried again by themselves, in vain where nothing changes: a person is needed when no other node is left. */
function attendParked(
  { parked = [], remaining }: RolloutRow,
  { node, since, message, budget }: ParkedNodeRow,
): Pick<AttentionItem, 'urgency' | 'why' | 'since' | 'todo'> {
  const others = parked.length - 1;
  const more = others === 0 ? '' : `, and ${others} more ${others === 1 ? 'node is' : 'nodes are'} parked`;
  const advice =
    budget === undefined
      ? 'take the annotation do-not-disrupt away when its reason is over'
      : adviseOnCause({ cause: 'eviction', message, object: { kind: 'PodDisruptionBudget', name: budget } });
  return {
    urgency: parked.length >= remaining ? 'waitsForPerson' : 'goesOn',
    why: `${node} is parked: ${message}${more}`,
    since,
    ...(advice === undefined ? {} : { todo: advice }),
  };
}

/** Words of the kinds of notes that say what the policy does then. */
const noteWords: ReadonlyMap<string, string> = new Map([
  ['NotReady', 'governs nothing'],
  ['BackingOff', 'cannot replace nodes'],
  ['EvidenceNotPublished', 'cannot tell other clusters what it has proven'],
  ['NodeClassShared', 'does not govern NodePools that share an EC2NodeClass'],
  ['EqualWeight', 'has the same weight as another one'],
  ['MaxAgeTooTight', 'cannot let nodes go before they end'],
  ['WaitingUpstream', 'waits for another cluster'],
  ['FailedBefore', 'does not try an image again that failed'],
]);

const attendPolicy = ({ id, notes }: PolicyRow): readonly AttentionItem[] =>
  notes.map(({ kind, urgency, message, since }) => ({
    id: `policy ${id} ${kind} ${message}`,
    urgency,
    what: `NodeRolloutPolicy ${id} ${noteWords.get(kind) ?? kind}`,
    why: message,
    ...(since === undefined ? {} : { since }),
    commands: [],
    view: 'rollouts',
  }));

const groupUrgencies = { Failed: 'broken', Blocked: 'waitsForPerson', Updating: 'goesOn' } as const;
const groupPhaseWords = { Failed: ' has failed', Blocked: ' is blocked', Updating: '' } as const;

/** A NodeGroup whose update is under way: how far it is. What holds its nodes is among the blockers, too. */
function attendNodeGroup({
  id,
  phase,
  reason,
  target,
  updated,
  total,
  startedAt,
}: GroupProgressRow): readonly AttentionItem[] {
  if (phase !== 'Failed' && phase !== 'Blocked' && phase !== 'Updating') return [];
  return [
    {
      id: `group ${id}`,
      urgency: groupUrgencies[phase],
      what: `NodeGroup ${id}${groupPhaseWords[phase]}: ${updated} of ${total} nodes updated${target === undefined ? '' : `, to ${target}`}`,
      why: reason,
      ...(startedAt === undefined ? {} : { since: startedAt }),
      commands: [],
      view: 'rollouts',
    },
  ];
}

/** `wave canary: 2 of 2 seats taken, soaked until 2024-03-01T20:00:00Z; expected end 2024-03-02T08:00:00Z`. */
function describeProgress({ wave, waves, state, expectedEnd }: RolloutRow): string {
  const current = waves.find(({ name }) => name === wave);
  const soak = current?.soakedUntil === undefined ? '' : `, soaked until ${current.soakedUntil}`;
  const place =
    current === undefined ? state : `wave ${current.name}: ${current.taken} of ${current.seats} seats taken${soak}`;
  return expectedEnd === undefined ? place : `${place}; expected end ${expectedEnd}`;
}

const writtenTimes = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Of answers that differ in their times alone, the one with the earliest time. */
const earliestAnswer = (nodes: readonly NodeRow[]): string =>
  nodes.map(({ answer }) => answer).toSorted(byText)[0] ?? '';

/** Nodes that do not work for the same reason are told of together, since whenever that is. */
function attendNodes(nodes: readonly NodeRow[]): readonly AttentionItem[] {
  const groups = new Map<string, NodeRow[]>();
  for (const node of nodes) {
    if (node.stage !== 'troubled') continue;
    const cause = node.answer.replaceAll(writtenTimes, '');
    const group = groups.get(cause);
    if (group === undefined) groups.set(cause, [node]);
    else group.push(node);
  }
  return [...groups].map(([cause, group]) => ({
    id: `nodes ${cause}`,
    urgency: 'broken',
    what: group.length === 1 ? `Node ${group[0]?.id ?? ''} does not work` : `${group.length} nodes do not work`,
    why: `${group.length === 1 ? 'it' : 'each'} ${earliestAnswer(group)}`,
    commands: [],
    view: 'fleet',
    explain: group[0]?.explain ?? '',
  }));
}

const attendNodeClasses = ({ nodeClasses }: Dashboard): readonly AttentionItem[] =>
  nodeClasses
    .filter(({ isStuck }) => isStuck)
    .map(({ id, answer, explain }) => ({
      id: `class ${id}`,
      urgency: 'broken',
      what: `EC2NodeClass ${id} has no image to launch`,
      why: `it ${answer}`,
      commands: [],
      view: 'images',
      explain,
    }));

function attendPods({ id, stage, pods, answer, reasons, since, explain }: WaitingRow): readonly AttentionItem[] {
  if (stage !== 'noPlace' && stage !== 'held') return [];
  const [first] = reasons;
  return [
    {
      id: `pods ${id}`,
      urgency: 'broken',
      what: pods === 1 ? '1 pod has no node' : `${pods} pods have no node`,
      why: first ?? `${pods === 1 ? 'it' : 'each'} ${answer}`,
      ...(since === undefined ? {} : { since }),
      commands: [],
      view: 'pods',
      explain,
    },
  ];
}

/** Whoever is to be told and is not, does not learn of what goes wrong next. */
const attendReceivers = ({ id: policy, receivers }: NotificationRow): readonly AttentionItem[] =>
  receivers.flatMap(({ id, words, trouble }) =>
    trouble === undefined
      ? []
      : [
          {
            id: `receiver ${policy} ${id}`,
            urgency: 'broken',
            what: `${words} is not told of the rollouts of NodeRolloutPolicy ${policy}`,
            why: `${trouble.failures === 1 ? '1 attempt has' : `${trouble.failures} attempts have`} failed: ${trouble.error}`,
            since: trouble.since,
            todo: 'put its address or its Secret right, then test it in the view of rollouts',
            commands: [],
            view: 'rollouts',
          } as const,
        ],
  );
