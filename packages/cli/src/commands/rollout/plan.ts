import { readRolloutPlans } from '@nodewright/operator';
import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { asRolloutsInstalled } from './find-rollout.ts';
import type { RolloutFlags } from './flags.ts';
import { printPlan, writePlan } from './print-plan.ts';

/** What would happen next: the waves with their earliest times, and nodes in the order in which they go. */
export async function showRolloutPlan(this: CliContext, flags: RolloutFlags, name?: string): Promise<void> {
  const outlooks = await withCluster(flags, ({ client, now }) =>
    asRolloutsInstalled(() => readRolloutPlans(client, now)),
  );
  const chosen = outlooks.filter(
    ({ policy, snapshot }) =>
      name === undefined || policy === name || snapshot.rollouts.some(({ metadata }) => metadata.name === name),
  );
  if (chosen.length === 0) {
    if (name === undefined) throw new InputError('there is no NodeRolloutPolicy that governs something');
    const known = outlooks.map(({ policy }) => policy).join(', ') || 'none';
    throw new InputError(`there is no NodeRolloutPolicy "${name}" that governs something; there are ${known}`);
  }
  const object = { kind: 'NodeRolloutPlan', policies: chosen.map(writePlan) };
  writeAnswer(this, flags.output, { object, text: chosen.map(printPlan).join('\n\n') });
}
