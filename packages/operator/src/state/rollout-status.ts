import type { NodeRolloutStatus } from '@nodewright/apis';
import { isConflictAnswer } from '../objects/collection.ts';
import type { Objects } from './objects.ts';

/** How often a write is repeated that met another one of the same status. */
const mostStatusWrites = 5;

/** Changes what the API server has now: the plan of a rollout, its messages and its checks write one status. */
export async function saveRolloutStatus(
  { rollouts }: Pick<Objects, 'rollouts'>,
  name: string,
  change: (status: NodeRolloutStatus) => NodeRolloutStatus,
): Promise<void> {
  for (let left = mostStatusWrites; left > 0; left -= 1) {
    const rollout = await rollouts.read({ name });
    if (rollout === undefined) return;
    try {
      await rollouts.save(rollout, { ...rollout, status: change(rollout.status ?? {}) });
      return;
    } catch (error) {
      if (left === 1 || !isConflictAnswer(error)) throw error;
    }
  }
}
