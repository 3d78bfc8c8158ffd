import type { CliContext } from '../../terminal/context.ts';
import { needStoredGroup } from './named-group.ts';
import { printHistory } from './print-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { withWorld } from '../../reading/read-world.ts';
import type { NodeGroupFlags } from './flags.ts';

export async function showHistory(this: CliContext, flags: NodeGroupFlags, name: string): Promise<void> {
  const { metadata, status } = await withWorld(flags, (world) => needStoredGroup(world, name));
  const items = status?.history ?? [];
  const object = { kind: 'NodeGroupHistory', name: metadata.name, items };
  writeAnswer(this, flags.output, { object, text: printHistory(items) });
}
