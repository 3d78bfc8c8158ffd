import {
  conditionOf,
  type NodeGroup,
  nodeGroups,
  nodes as nodeResources,
  nodewrightAnnotations,
} from '@nodewright/apis';
import { type NodeGroupReadingSources, type NodeStanding, readNodeGroup } from '@nodewright/operator';
import { CloudError } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';
import { isPassingFailure } from '../../reading/passing-failure.ts';
import { troubleOf } from './print-status.ts';
import { standingChanges } from './standing-changes.ts';

export type UpgradeEnd = { readonly kind: 'done' | 'blocked' | 'failed' | 'deleted' | 'timedOut' | 'asked' };

/** `clock` counts the wait: the time of the person who waits, and not the cluster's. */
type Following = { readonly clock: Clock; readonly timeoutMs: number; readonly tell: (line: string) => void };
type Followed = { readonly nodeGroup: NodeGroup; readonly end: UpgradeEnd };

const upgradePollMs = 1_000;
const hintAfterMs = 20_000;

/**
 * Tells every change until the update that was asked for is over, or cannot be had. An API server or a cloud
 * that does not answer for a while ends nothing: the controller does the work.
 */
export async function followUpgrade(
  world: NodeGroupReadingSources,
  asked: NodeGroup,
  { clock, timeoutMs, tell }: Following,
): Promise<Followed> {
  const begun = clock.now();
  const say = whenNew(tell);
  const lookAtNodes = nodeOnlooker(world, tell, say);
  let current = asked;
  for (;;) {
    try {
      const found = await world.client.get(nodeGroups, { name: asked.metadata.name });
      if (found === undefined) return { nodeGroup: current, end: { kind: 'deleted' } };
      current = found;
      say('phase', phaseWords(current));
      await lookAtNodes(current);
    } catch (failure) {
      if (!isPassingFailure(failure)) throw failure;
      say('answer', `no answer for now: ${failure.message}`);
    }
    const end = endOfUpgrade(current, asked);
    if (end !== undefined) return { nodeGroup: current, end };
    const waited = clock.now() - begun;
    if (waited >= timeoutMs) return { nodeGroup: current, end: { kind: 'timedOut' } };
    if (waited > hintAfterMs && !isObserved(current)) {
      say('hint', 'no controller has seen the request yet; does `nodewright controller` run on this cluster?');
    }
    await clock.sleep(upgradePollMs);
  }
}

type Say = (topic: string, line: string) => void;

/** A line about a topic is told when it differs from the last one about it. */
function whenNew(tell: (line: string) => void): Say {
  const said = new Map<string, string>();
  return (topic, line) => {
    if (said.get(topic) === line) return;
    said.set(topic, line);
    tell(line);
  };
}

/** Tells what becomes of nodes. AWS is asked about them only when something has changed; where it refuses, the rest is told. */
function nodeOnlooker(world: NodeGroupReadingSources, tell: (line: string) => void, say: Say) {
  let nodes: readonly NodeStanding[] = [];
  let seenMark = '';
  return async (nodeGroup: NodeGroup): Promise<void> => {
    const mark = await markOfNodes(world);
    if (mark === seenMark) return;
    try {
      const seen = (await readNodeGroup(world, nodeGroup, new AbortController().signal)).nodes;
      for (const line of standingChanges(nodes, seen)) tell(line);
      nodes = seen;
      seenMark = mark;
    } catch (failure) {
      if (!(failure instanceof CloudError)) throw failure;
      say('nodes', `nodes are not told of: ${failure.message}`);
    }
  };
}

/** Changes with what is told of nodes: AWS is asked about them only then. */
async function markOfNodes({ client }: NodeGroupReadingSources): Promise<string> {
  const { items } = await client.list(nodeResources);
  const traits = items.map((node) => [
    node.metadata.name,
    node.spec?.unschedulable,
    node.spec?.taints?.map(({ key }) => key),
    conditionOf(node, 'Ready')?.status,
  ]);
  return JSON.stringify(traits);
}

const requestOf = ({ metadata }: NodeGroup): string | undefined =>
  metadata.annotations?.[nodewrightAnnotations.upgradeRequest];

const isObserved = (nodeGroup: NodeGroup): boolean => nodeGroup.status?.observedRequest === requestOf(nodeGroup);

function phaseWords(nodeGroup: NodeGroup): string {
  const { status = {} } = nodeGroup;
  const { phase = 'Pending', update, nodes, reason = '' } = status;
  const counts = nodes === undefined ? '' : ` ${nodes.updated}/${nodes.total}`;
  const trouble = troubleOf(nodeGroup).map((message) => `; ${message}`);
  return `${(update?.phase ?? phase).padEnd(10)}${counts.padEnd(7)} ${reason}${trouble.join('')}`.trimEnd();
}

/** Nothing as long as the controller has not seen the request, or works on it. */
export function endOfUpgrade(current: NodeGroup, asked: NodeGroup): UpgradeEnd | undefined {
  const { status = {} } = current;
  if (!isObserved(current)) return undefined;
  if (status.servedRequest === requestOf(current)) return endOfServed(current, asked);
  const { phase } = status;
  return phase === 'Blocked' || phase === 'Pending' || phase === 'Outdated' ? { kind: 'blocked' } : undefined;
}

/** What the update that was begun for the request came to: the history tells, whatever the phase is by now. */
function endOfServed({ status = {} }: NodeGroup, asked: NodeGroup): UpgradeEnd | undefined {
  if (status.update !== undefined) return undefined;
  const [last] = status.history ?? [];
  if (last !== undefined && last.number > (asked.status?.history?.[0]?.number ?? 0)) {
    return { kind: last.outcome === 'Successful' ? 'done' : 'failed' };
  }
  switch (status.phase) {
    case 'UpToDate':
      return { kind: 'done' };
    case 'Blocked':
    case 'Pending':
    case 'Outdated':
      return { kind: 'blocked' };
    default:
      return undefined;
  }
}
