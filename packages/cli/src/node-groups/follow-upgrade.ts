import {
  conditionOf,
  type NodeGroup,
  nodeGroups,
  nodes as nodeResources,
  nodewrightAnnotations,
} from '@nodewright/apis';
import { type NodeStanding, readNodeGroup } from '@nodewright/operator';
import { realTime } from '@nodewright/runtime';
import type { ReadableWorld } from '../reading/read-world.ts';
import { standingChanges } from './standing-changes.ts';

export type UpgradeEnd = { readonly kind: 'done' | 'blocked' | 'failed' | 'timedOut' | 'asked' };

type Following = { readonly timeoutMs: number; readonly tell: (line: string) => void };

const pollMs = 1_000;
const hintAfterMs = 20_000;

/** Tells every change until the update that was asked for is over, or cannot be had. */
export async function followUpgrade(
  world: ReadableWorld,
  asked: NodeGroup,
  { timeoutMs, tell }: Following,
): Promise<{ readonly nodeGroup: NodeGroup; readonly end: UpgradeEnd }> {
  const { clock } = realTime();
  const begun = clock.now();
  let current = asked;
  let said = '';
  let nodes: readonly NodeStanding[] = [];
  let seenMark = '';
  let hinted = false;
  for (;;) {
    current = (await world.client.get(nodeGroups, { name: asked.metadata.name })) ?? current;
    const words = phaseWords(current);
    if (words !== said) tell((said = words));
    const mark = await markOfNodes(world);
    if (mark !== seenMark) {
      const seen = (await readNodeGroup(world, current, new AbortController().signal)).nodes;
      for (const line of standingChanges(nodes, seen)) tell(line);
      nodes = seen;
      seenMark = mark;
    }
    const end = endOf(current, asked);
    if (end !== undefined) return { nodeGroup: current, end };
    const waited = clock.now() - begun;
    if (waited >= timeoutMs) return { nodeGroup: current, end: { kind: 'timedOut' } };
    if (!hinted && waited > hintAfterMs && !isObserved(current)) {
      tell('no controller has seen the request yet; does `nodewright controller` run on this cluster?');
      hinted = true;
    }
    await clock.sleep(pollMs);
  }
}

/** Changes with what is told of nodes: AWS is asked about them only then. */
async function markOfNodes({ client }: ReadableWorld): Promise<string> {
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

function phaseWords({ status = {} }: NodeGroup): string {
  const { phase = 'Pending', update, nodes, reason = '' } = status;
  const counts = nodes === undefined ? '' : ` ${nodes.updated}/${nodes.total}`;
  return `${(update?.phase ?? phase).padEnd(10)}${counts.padEnd(7)} ${reason}`.trimEnd();
}

/** Nothing as long as the controller has not seen the request, or works on it. */
export function endOf(current: NodeGroup, asked: NodeGroup): UpgradeEnd | undefined {
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
