import type { NodeRollout } from '@nodewright/apis';
import { readRolloutPlans, type RolloutOutlook } from '@nodewright/operator';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { findRollout, isUnderWay, listRollouts } from './find-rollout.ts';
import type { RolloutFlags } from './flags.ts';
import { printRollout } from './print-rollout.ts';

export async function showRollout(this: CliContext, flags: RolloutFlags, name?: string): Promise<void> {
  const { rollout, outlook } = await withCluster(flags, async ({ client, now }) => {
    const found = findRollout(await listRollouts(client), name);
    return { rollout: found, outlook: await findOutlook(found, { client, now }) };
  });
  const object = { ...rollout, kind: 'NodeRollout' };
  writeAnswer(this, flags.output, { object, text: printRollout(rollout, outlook) });
}

/** Nothing for a rollout that has ended, and for people who may read rollouts alone. */
async function findOutlook(
  rollout: NodeRollout,
  { client, now }: { readonly client: KubernetesClient; readonly now: Parameters<typeof readRolloutPlans>[1] },
): Promise<RolloutOutlook | undefined> {
  if (!isUnderWay(rollout)) return undefined;
  try {
    return (await readRolloutPlans(client, now)).find(({ policy }) => policy === rollout.spec.policy);
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 403) return undefined;
    throw failure;
  }
}
