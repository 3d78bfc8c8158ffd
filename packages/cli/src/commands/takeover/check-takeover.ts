import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { TakeoverFlags } from './flags.ts';
import { judgeTakeover } from './judge-takeover.ts';
import { observeTakeover } from './observe-takeover.ts';
import { listBlocked, answerWithFindings } from './print-takeover.ts';

export async function checkTakeover(this: CliContext, flags: TakeoverFlags): Promise<void> {
  const findings = await withCluster(flags, async ({ client, now }) =>
    judgeTakeover(await observeTakeover(client, flags, now)),
  );
  writeAnswer(this, flags.output, answerWithFindings(findings));
  const blocked = listBlocked(findings).length;
  if (blocked > 0) throw new NotNowError(`${blocked} findings stand against a takeover`);
}
