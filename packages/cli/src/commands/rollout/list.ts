import { printRolloutTarget } from '@nodewright/engine';
import type { CliContext } from '../../terminal/context.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import { listRollouts } from './find-rollout.ts';
import type { RolloutFlags } from './flags.ts';

export async function showRollouts(this: CliContext, flags: RolloutFlags): Promise<void> {
  const items = await withCluster(flags, ({ client }) => listRollouts(client));
  const rows = items.map((rollout) => {
    const { metadata, spec, status = {} } = rollout;
    const { wave = '-', updated = 0, total = 0, failed = 0, state = 'Pending', startedAt = '-' } = status;
    return [
      metadata.name,
      spec.policy,
      printRolloutTarget(rollout.spec),
      wave,
      `${updated}/${total}`,
      String(failed),
      state,
      startedAt,
    ];
  });
  const header = ['NAME', 'POLICY', 'TO', 'WAVE', 'UPDATED', 'FAILED', 'STATE', 'STARTED'];
  const text = rows.length === 0 ? 'no rollouts' : printTable(header, rows);
  const object = { kind: 'NodeRolloutList', items };
  writeAnswer(this, flags.output, { object, text });
}
