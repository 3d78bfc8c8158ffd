import type { CliContext } from '../../terminal/context.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { findRollout, listRollouts } from './find-rollout.ts';
import type { RolloutFlags } from './flags.ts';
import { printRollout } from './print-rollout.ts';

export async function showRollout(this: CliContext, flags: RolloutFlags, name?: string): Promise<void> {
  const rollout = await withCluster(flags, async ({ client }) => findRollout(await listRollouts(client), name));
  writeAnswer(this, flags.output, { object: { ...rollout, kind: 'NodeRollout' }, text: printRollout(rollout) });
}
