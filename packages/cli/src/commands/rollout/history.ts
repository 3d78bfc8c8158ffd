import { printRolloutTarget } from '@nodewright/engine';
import type { NodeRollout, NodeRolloutPolicy } from '@nodewright/apis';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import { isUnderWay, listRolloutPolicies, listRollouts } from './find-rollout.ts';
import type { RolloutFlags } from './flags.ts';

/** What a policy has proven, and how its rollouts ended. */
export async function showRolloutHistory(this: CliContext, flags: RolloutFlags, name?: string): Promise<void> {
  const { policy, rollouts } = await withCluster(flags, async ({ client }) => {
    const all = await listRollouts(client);
    const chosen = choosePolicy(await listRolloutPolicies(client), all, name);
    return { policy: chosen, rollouts: all.filter(({ spec }) => spec.policy === chosen.metadata.name) };
  });
  const { baseline = [], history = [] } = policy.status ?? {};
  const object = { kind: 'NodeRolloutHistory', policy: policy.metadata.name, baseline, history, rollouts };
  writeAnswer(this, flags.output, { object, text: printHistory(policy, rollouts) });
}

/** The policy of that name, or that of the rollout of that name, or the only one. */
function choosePolicy(
  policies: readonly NodeRolloutPolicy[],
  rollouts: readonly NodeRollout[],
  name: string | undefined,
): NodeRolloutPolicy {
  const known = policies.map(({ metadata }) => metadata.name).join(', ') || 'none';
  const [only, ...others] = policies;
  if (name === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw new InputError(`name a NodeRolloutPolicy; there are ${known}`);
  }
  const rollout = rollouts.find(({ metadata }) => metadata.name === name);
  const wanted = rollout?.spec.policy ?? name;
  const found = policies.find(({ metadata }) => metadata.name === wanted);
  if (found === undefined) throw new InputError(`there is no NodeRolloutPolicy "${wanted}"; there are ${known}`);
  return found;
}

function printHistory({ metadata, status = {} }: NodeRolloutPolicy, rollouts: readonly NodeRollout[]): string {
  const { baseline = [], history = [] } = status;
  const proven = baseline.map(({ source, variant, release, image }) => [source, variant, release ?? '-', image]);
  const earlier = history.map(({ endedAt, rollout = '-', images }) => [
    endedAt,
    rollout,
    [...new Set(images.map(({ release, image }) => release ?? image))].join(','),
  ]);
  const ended = rollouts.map((rollout) => [
    rollout.metadata.name,
    printRolloutTarget(rollout.spec),
    rollout.spec.cause,
    isUnderWay(rollout) ? (rollout.status?.state ?? 'Pending') : (rollout.status?.state ?? 'Ended'),
    rollout.status?.startedAt ?? '-',
    rollout.status?.endedAt ?? '-',
  ]);
  return [
    proven.length === 0
      ? `NodeRolloutPolicy ${metadata.name} has proven no images yet`
      : printTable(['PROVEN FOR', 'VARIANT', 'RELEASE', 'IMAGE'], proven),
    earlier.length === 0 ? '' : printTable(['PROVEN UNTIL', 'ROLLOUT', 'IMAGES'], earlier),
    ended.length === 0 ? '' : printTable(['ROLLOUT', 'TO', 'CAUSE', 'STATE', 'STARTED', 'ENDED'], ended),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}
