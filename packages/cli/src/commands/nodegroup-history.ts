import type { CliContext } from '../context.ts';
import { needStoredGroup } from '../node-groups/named-group.ts';
import { printHistory } from '../node-groups/print-status.ts';
import { writeAnswer } from '../output.ts';
import { withWorld } from '../reading/read-world.ts';
import type { NodeGroupFlags } from './nodegroup-flags.ts';

export async function showHistory(this: CliContext, flags: NodeGroupFlags, name: string): Promise<void> {
  const { metadata, status } = await withWorld(flags, (world) => needStoredGroup(world, name));
  const items = status?.history ?? [];
  const object = { kind: 'NodeGroupHistory', name: metadata.name, items };
  writeAnswer(this, flags.output, { object, text: printHistory(items) });
}
