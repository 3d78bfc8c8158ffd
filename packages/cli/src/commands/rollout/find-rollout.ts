import {
  type NodeRollout,
  type NodeRolloutPolicy,
  nodeRolloutPolicies,
  nodeRollouts,
  byNumberOf,
  byTextOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { InputError } from '../../terminal/exit-status.ts';

/** All rollouts: by policy, the newest of each one first. */
export async function listRollouts(client: KubernetesClient): Promise<readonly NodeRollout[]> {
  const { items } = await asRolloutsInstalled(() => client.list(nodeRollouts));
  return items.toSorted(
    inOrder(
      byTextOf(({ spec }) => spec.policy),
      inReverse(byNumberOf(({ spec }) => spec.number)),
    ),
  );
}

/** All policies, by name. */
export async function listRolloutPolicies(client: KubernetesClient): Promise<readonly NodeRolloutPolicy[]> {
  return (await asRolloutsInstalled(() => client.list(nodeRolloutPolicies))).items;
}

/** @throws InputError where the definitions are not installed */
export async function asRolloutsInstalled<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 404) throw failure;
    const hint = 'the cluster has no NodeRollouts: `nodewright crds | kubectl apply -f -` installs them';
    throw new InputError(hint, { cause: failure });
  }
}

export const isUnderWay = ({ status }: NodeRollout): boolean => status?.endedAt === undefined;

/**
 * The rollout of that name; else the one under way of the policy of that name, or its last one. Without a name the only
 * one under way, or the last one of the only policy.
 * @throws InputError when there is none, or more than one
 */
export function findRollout(all: readonly NodeRollout[], name: string | undefined): NodeRollout {
  const exact = all.find(({ metadata }) => metadata.name === name);
  if (exact !== undefined) return exact;
  const candidates = name === undefined ? all : all.filter(({ spec }) => spec.policy === name);
  if (candidates.length === 0) throw new InputError(absence(all, name));
  const underWay = candidates.filter(isUnderWay);
  const [first, ...others] = underWay.length > 0 ? underWay : newestOfEachPolicy(candidates);
  if (first !== undefined && others.length === 0) return first;
  const names = [first, ...others].flatMap((each) => each?.metadata.name ?? []).join(', ');
  throw new InputError(
    underWay.length > 0
      ? `several rollouts are under way, name one: ${names}`
      : `none is under way, name one: ${names}`,
  );
}

const newestOfEachPolicy = (rollouts: readonly NodeRollout[]): readonly NodeRollout[] =>
  rollouts.filter(({ spec }, at) => rollouts.findIndex((each) => each.spec.policy === spec.policy) === at);

function absence(all: readonly NodeRollout[], name: string | undefined): string {
  if (all.length === 0) {
    return 'there is no rollout yet: one begins when a policy governs nodes and another image is wanted for them; `nodewright rollout plan` tells which images a policy does not let in yet';
  }
  const known = all.map(({ metadata }) => metadata.name).join(', ');
  return `there is no NodeRollout and no NodeRolloutPolicy "${name ?? ''}" with one; there are ${known}`;
}
