import { readNodeGroup } from '@nodewright/operator';
import type { Context } from '../context.ts';
import { needStoredGroup } from '../node-groups/named-group.ts';
import { printStatus } from '../node-groups/print-status.ts';
import { writeAnswer } from '../output.ts';
import { withWorld } from '../reading/read-world.ts';
import type { NodeGroupFlags } from './nodegroup-flags.ts';

export async function showNodeGroup(this: Context, flags: NodeGroupFlags, name: string): Promise<void> {
  const { nodeGroup, nodes } = await withWorld(flags, async (world) => {
    const found = await needStoredGroup(world, name);
    const reading = await readNodeGroup(world, found, new AbortController().signal);
    return { nodeGroup: found, nodes: reading.nodes };
  });
  const { record: _, ...update } = nodeGroup.status?.update ?? {};
  const status = { ...nodeGroup.status, ...(nodeGroup.status?.update === undefined ? {} : { update }) };
  const object = { kind: 'NodeGroupStatus', name: nodeGroup.metadata.name, spec: nodeGroup.spec, status, nodes };
  writeAnswer(this, flags.output, { object, text: printStatus(nodeGroup, nodes) });
}
