import type { NodeGroup } from '@nodewright/apis';
import { type NodeStanding, readNodeGroup } from '@nodewright/operator';
import { CloudError } from '@nodewright/ports';
import type { CliContext } from '../../terminal/context.ts';
import { needStoredGroup } from './named-group.ts';
import { printStatus } from './print-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { NodeGroupFlags } from './flags.ts';

export async function showNodeGroup(this: CliContext, flags: NodeGroupFlags, name: string): Promise<void> {
  const { nodeGroup, nodes, why } = await withWorld(flags, async (world) => {
    const found = await needStoredGroup(world, name);
    return { nodeGroup: found, ...(await standingsOf(world, found)) };
  });
  if (why !== undefined) this.process.stderr.write(`nodes not listed: ${why}\n`);
  const { record: _, ...update } = nodeGroup.status?.update ?? {};
  const status = { ...nodeGroup.status, ...(nodeGroup.status?.update === undefined ? {} : { update }) };
  const object = { kind: 'NodeGroupStatus', name: nodeGroup.metadata.name, spec: nodeGroup.spec, status, nodes };
  writeAnswer(this, flags.output, { object, text: printStatus(nodeGroup, nodes) });
}

/** What the controller said stands, even where AWS does not answer the one who asks. */
async function standingsOf(
  world: ReadableWorld,
  nodeGroup: NodeGroup,
): Promise<{ readonly nodes: readonly NodeStanding[]; readonly why?: string }> {
  try {
    return { nodes: (await readNodeGroup(world, nodeGroup, new AbortController().signal)).nodes };
  } catch (failure) {
    if (!(failure instanceof CloudError)) throw failure;
    return { nodes: [], why: failure.message };
  }
}
