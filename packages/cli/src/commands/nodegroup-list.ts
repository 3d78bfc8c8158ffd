import type { NodeGroup } from '@nodewright/apis';
import type { Context } from '../context.ts';
import { groupNameOf, storedGroups } from '../node-groups/named-group.ts';
import { writeAnswer } from '../output.ts';
import { type ReadableWorld, withWorld } from '../reading/read-world.ts';
import { printTable } from '../table.ts';
import type { NodeGroupFlags } from './nodegroup-flags.ts';

type Row = {
  readonly name: string;
  readonly kind: 'eks' | 'autoScalingGroup';
  /** The NodeGroup that keeps it; absent for one that nobody keeps. */
  readonly nodeGroup?: string;
  readonly phase: string;
  readonly updated?: number;
  readonly nodes?: number;
  readonly image?: string;
  readonly reason?: string;
};

export async function listNodeGroups(this: Context, flags: NodeGroupFlags): Promise<void> {
  const rows = await withWorld(flags, rowsOf);
  const cells = rows.map(({ name, kind, nodeGroup = '-', phase, updated, nodes, image = '-' }) => {
    const counts = nodes === undefined ? '-' : `${updated ?? 0}/${nodes}`;
    return [name, kind === 'eks' ? 'EKS' : 'Auto Scaling', nodeGroup, phase, counts, image];
  });
  const text =
    rows.length === 0
      ? 'no node groups'
      : printTable(['GROUP', 'KIND', 'NODEGROUP', 'PHASE', 'UPDATED', 'IMAGE'], cells);
  const object = { kind: 'NodeGroupSummaryList', items: rows };
  writeAnswer(this, flags.output, { object, text });
}

async function rowsOf(world: ReadableWorld): Promise<readonly Row[]> {
  const { signal } = new AbortController();
  const stored = await storedGroups(world);
  const kept = new Set(stored.map((each) => `${kindOf(each)}/${groupNameOf(each)}`));
  const managed = (await world.cloud.managedGroups.list(signal)).map((name) => ({ name, kind: 'eks' as const }));
  const plain = (await world.cloud.scalingGroups.list(signal)).map((name) => ({
    name,
    kind: 'autoScalingGroup' as const,
  }));
  const unkept = [...managed, ...plain].filter(({ kind, name }) => !kept.has(`${kind}/${name}`));
  return [...stored.map(rowOf), ...unkept.map((group): Row => ({ ...group, phase: 'NotKept' }))].toSorted((a, b) =>
    `${a.name} ${a.kind}` < `${b.name} ${b.kind}` ? -1 : 1,
  );
}

const kindOf = ({ spec }: NodeGroup): Row['kind'] => (spec.eks === undefined ? 'autoScalingGroup' : 'eks');

function rowOf(nodeGroup: NodeGroup): Row {
  const { phase = 'Pending', nodes, target, reason } = nodeGroup.status ?? {};
  return {
    name: groupNameOf(nodeGroup),
    kind: kindOf(nodeGroup),
    nodeGroup: nodeGroup.metadata.name,
    phase,
    ...(nodes === undefined ? {} : { updated: nodes.updated, nodes: nodes.total }),
    ...(target === undefined ? {} : { image: target.image }),
    ...(reason === undefined ? {} : { reason }),
  };
}
