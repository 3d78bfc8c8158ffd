import { readNodeGroup } from '@nodewright/operator';
import type { CliContext } from '../../terminal/context.ts';
import { NotNowError } from '../../terminal/exit-status.ts';
import { groupNameOf, namedGroup } from './named-group.ts';
import { printForecast } from './print-forecast.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { withWorld } from '../../reading/read-world.ts';
import type { NodeGroupTargetFlags } from './flags.ts';

export async function planNodeGroupUpdate(this: CliContext, flags: NodeGroupTargetFlags, name: string): Promise<void> {
  const { group, forecast } = await withWorld(flags, async (world) => {
    const nodeGroup = await namedGroup(world, name, flags.image);
    const reading = await readNodeGroup(world, nodeGroup, new AbortController().signal, { askQuotas: true });
    return { group: groupNameOf(nodeGroup), forecast: reading.forecast };
  });
  const object = { kind: 'NodeGroupPlan', group, ...forecast };
  writeAnswer(this, flags.output, { object, text: printForecast(group, forecast) });
  const stands =
    forecast.obstacles.length > 0 || ['watched', 'noImage', 'wouldGoBack', 'mixed', 'later'].includes(forecast.verdict);
  if (stands) throw new NotNowError(`${group} cannot be updated now: ${forecast.why}`);
}
