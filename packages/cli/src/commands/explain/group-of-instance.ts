import type { UnkeptGroup } from '@nodewright/dashboard';
import { type Cloud, CloudError } from '@nodewright/ports';

/** The Auto Scaling group of the cluster that has an instance. Whoever may not read groups is told of the node without it. */
export async function findGroupOfInstance(
  { scalingGroups }: Pick<Cloud, 'scalingGroups'>,
  instanceId: string,
): Promise<UnkeptGroup | undefined> {
  const { signal } = new AbortController();
  try {
    for (const name of await scalingGroups.list(signal)) {
      const group = await scalingGroups.describe(name, signal);
      if (group?.instances.some(({ id }) => id === instanceId) === true) return group;
    }
    return undefined;
  } catch (failure) {
    if (failure instanceof CloudError) return undefined;
    throw failure;
  }
}
