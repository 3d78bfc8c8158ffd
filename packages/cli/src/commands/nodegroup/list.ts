import { type NodeGroup, byTextOf } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import type { CliContext } from '../../terminal/context.ts';
import { groupNameOf, type GroupSources, storedGroups } from './named-group.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { withWorld } from '../../reading/read-world.ts';
import { printTable } from '../../terminal/table.ts';
import type { NodeGroupFlags } from './flags.ts';

type NodeGroupRow = {
  readonly name: string;
  readonly kind: 'eks' | 'autoScalingGroup';
  /** The NodeGroup that keeps it; absent for a group without one. */
  readonly nodeGroup?: string;
  readonly phase: string;
  readonly updated?: number;
  readonly nodes?: number;
  readonly image?: string;
  /** Of EKS. */
  readonly release?: string;
  readonly reason?: string;
};

export async function listNodeGroups(this: CliContext, flags: NodeGroupFlags): Promise<void> {
  const { rows, unlisted } = await withWorld(flags, readGroupRows);
  const cells = rows.map(({ name, kind, nodeGroup = '-', phase, updated, nodes, image = '-', release = image }) => {
    const counts = nodes === undefined ? '-' : `${updated ?? '-'}/${nodes}`;
    return [name, kind === 'eks' ? 'EKS' : 'Auto Scaling', nodeGroup, phase, counts, release];
  });
  const text =
    rows.length === 0
      ? 'no node groups'
      : printTable(['GROUP', 'KIND', 'NODEGROUP', 'PHASE', 'UPDATED', 'RUNS OR GETS'], cells);
  const object = { kind: 'NodeGroupSummaryList', items: rows, unlisted };
  writeAnswer(this, flags.output, { object, text });
  for (const { kind, why } of unlisted) {
    this.process.stderr.write(`${kind === 'eks' ? 'managed node groups' : 'Auto Scaling groups'} not listed: ${why}\n`);
  }
}

/** What one service does not tell is no reason to leave out what the other does. */
type Unlisted = { readonly kind: NodeGroupRow['kind']; readonly why: string };
type ListedGroups = { readonly names: readonly string[]; readonly unlisted: readonly Unlisted[] };

async function listGroupsOf(kind: NodeGroupRow['kind'], port: Lister): Promise<ListedGroups> {
  try {
    return { names: await port.list(new AbortController().signal), unlisted: [] };
  } catch (failure) {
    if (!(failure instanceof CloudError)) throw failure;
    return { names: [], unlisted: [{ kind, why: failure.message }] };
  }
}

type Lister = { list(signal: AbortSignal): Promise<readonly string[]> };

/** A row for each group, by name: what the controller said of those with a NodeGroup, what AWS says of the others. */
export async function readGroupRows(world: GroupSources) {
  const stored = await storedGroups(world);
  const kept = new Set(stored.map((each) => `${kindOfGroup(each)}/${groupNameOf(each)}`));
  const managed = await listGroupsOf('eks', world.cloud.managedGroups);
  const plain = await listGroupsOf('autoScalingGroup', world.cloud.scalingGroups);
  const all = [
    ...managed.names.map((name) => ({ name, kind: 'eks' as const })),
    ...plain.names.map((name) => ({ name, kind: 'autoScalingGroup' as const })),
  ];
  const unkept = all.filter(({ kind, name }) => !kept.has(`${kind}/${name}`));
  const rows = stored.map(rowOfNodeGroup);
  for (const group of unkept) rows.push(await unkeptRow(world, group));
  return {
    rows: rows.toSorted(byTextOf(({ name, kind }) => `${name} ${kind}`)),
    unlisted: [...managed.unlisted, ...plain.unlisted],
  };
}

/** What a group runs that no NodeGroup keeps, as far as its service tells. */
async function unkeptRow(
  { cloud }: Pick<GroupSources, 'cloud'>,
  group: Pick<NodeGroupRow, 'name' | 'kind'>,
): Promise<NodeGroupRow> {
  const { signal } = new AbortController();
  try {
    const managed = group.kind === 'eks' ? await cloud.managedGroups.describe(group.name, signal) : undefined;
    const scaling = await cloud.scalingGroups.describe(managed?.scalingGroup ?? group.name, signal);
    const image = scaling?.template?.imageId;
    const nodes = scaling === undefined ? {} : { nodes: scaling.instances.length };
    const release = managed === undefined ? {} : { release: managed.release };
    return { ...group, phase: 'NotKept', ...nodes, ...(image === undefined ? {} : { image }), ...release };
  } catch (failure) {
    if (!(failure instanceof CloudError)) throw failure;
    return { ...group, phase: 'NotKept', reason: failure.message };
  }
}

const kindOfGroup = ({ spec }: NodeGroup): NodeGroupRow['kind'] =>
  spec.eks === undefined ? 'autoScalingGroup' : 'eks';

function rowOfNodeGroup(nodeGroup: NodeGroup): NodeGroupRow {
  const { phase = 'Pending', nodes, target, reason } = nodeGroup.status ?? {};
  return {
    name: groupNameOf(nodeGroup),
    kind: kindOfGroup(nodeGroup),
    nodeGroup: nodeGroup.metadata.name,
    phase,
    ...(nodes === undefined ? {} : { updated: nodes.updated, nodes: nodes.total }),
    ...(target === undefined ? {} : { image: target.image }),
    ...(target?.release === undefined ? {} : { release: target.release }),
    ...(reason === undefined ? {} : { reason }),
  };
}
