import type { KubernetesObject, NodeRolloutPolicyStatus, NodeRolloutStatus } from '@nodewright/apis';
import { type CachedCollection, isConflictAnswer } from '../objects/collection.ts';
import type { Objects } from './objects.ts';

/** How often a write is repeated that met another one of the same status. */
const mostStatusWrites = 5;

/** Changes what the API server has now: the plan of a rollout, its messages and its checks write one status. */
export const saveRolloutStatus = (
  { rollouts }: Pick<Objects, 'rollouts'>,
  name: string,
  change: (status: NodeRolloutStatus) => NodeRolloutStatus,
): Promise<void> => changeStatus(rollouts, name, (rollout) => ({ ...rollout, status: change(rollout.status ?? {}) }));

/** The same for a policy: its messages are written beside its plan. */
export const savePolicyStatus = (
  { rolloutPolicies }: Pick<Objects, 'rolloutPolicies'>,
  name: string,
  change: (status: NodeRolloutPolicyStatus) => NodeRolloutPolicyStatus,
): Promise<void> =>
  changeStatus(rolloutPolicies, name, (policy) => ({ ...policy, status: change(policy.status ?? {}) }));

async function changeStatus<T extends KubernetesObject>(
  collection: CachedCollection<T>,
  name: string,
  change: (object: T) => T,
): Promise<void> {
  for (let left = mostStatusWrites; left > 0; left -= 1) {
    const object = await collection.read({ name });
    if (object === undefined) return;
    try {
      await collection.save(object, change(object));
      return;
    } catch (error) {
      if (left === 1 || !isConflictAnswer(error)) throw error;
    }
  }
}
