import { type Instant, type NodeRollout, type VariantImage, byNumberOf, inReverse } from '@nodewright/apis';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

/** An instance of a node group, with the image that it runs. */
export type GroupedInstance = {
  readonly id: string;
  readonly zone: string;
  readonly image: string;
  readonly launchedAt: Instant;
  /** It is on its way out, or is being drained. */
  readonly leaving: boolean;
  /** The node that it has become. */
  readonly node?: string;
  /** The instance in whose place it was launched. */
  readonly replaces?: string;
};

/** What the controller of a NodeGroup has seen last, for the rollouts that lead the group. */
export type GroupReading = {
  readonly uid: string | undefined;
  /** The kind of node that it has; absent while the group is not there. */
  readonly variant?: string;
  /** What it would run without a policy. */
  readonly wanted: readonly VariantImage[];
  /** Names of the ImageRules that this was decided with. */
  readonly rules: readonly string[];
  readonly kubernetesVersion: string;
  /** Images of the rollout that EC2 does not have any more, or that their family has replaced by an older one. */
  readonly gone: readonly string[];
  readonly withdrawn: readonly string[];
  readonly instances: readonly GroupedInstance[];
  /** Whether its nodes go one after the other. */
  readonly moves: 'byNode' | 'whole';
  readonly isUpdating: boolean;
  /** What keeps an update from beginning, whatever the policy says. */
  readonly obstacle?: { readonly because: string; readonly until: Instant };
};

/**
 * What is known of the instances and images of each NodeGroup. It lives in memory: after a restart nothing is known until
 * the group was looked at again, and rollouts wait for that.
 */
export class GroupReadings {
  readonly #readings = new Map<string, GroupReading>();
  readonly #places = new Map<string, { readonly group: string; readonly instance: GroupedInstance }>();
  readonly #handlers: ((group: string) => void)[] = [];

  /** Called with the name of a NodeGroup when something else was seen of it. */
  onRecord(handler: (group: string) => void): void {
    this.#handlers.push(handler);
  }

  /** An obstacle counts until its time is over, also where the next look finds none. */
  record(group: string, reading: GroupReading, now: Instant): void {
    const before = this.#readings.get(group);
    const kept = before?.obstacle !== undefined && before.obstacle.until > now ? { obstacle: before.obstacle } : {};
    const after = before?.uid === reading.uid ? { ...kept, ...reading } : reading;
    if (isEqualDiffValue(before, after)) return;
    this.#forgetPlaces(group);
    this.#readings.set(group, after);
    for (const instance of after.instances) this.#places.set(instance.id, { group, instance });
    for (const handler of this.#handlers) handler(group);
  }

  forget(group: string): void {
    if (!this.#readings.has(group)) return;
    this.#forgetPlaces(group);
    this.#readings.delete(group);
    for (const handler of this.#handlers) handler(group);
  }

  of(group: string): GroupReading | undefined {
    return this.#readings.get(group);
  }

  /** The group of an instance. */
  placeOf(instanceId: string): { readonly group: string; readonly instance: GroupedInstance } | undefined {
    return this.#places.get(instanceId);
  }

  #forgetPlaces(group: string): void {
    for (const { id } of this.#readings.get(group)?.instances ?? []) this.#places.delete(id);
  }
}

/** The rollout that an instance of a source was launched for: it runs the target, and is no older than the rollout. */
export function rolloutOfInstance(
  rollouts: readonly NodeRollout[],
  source: string,
  { image, launchedAt }: Pick<GroupedInstance, 'image' | 'launchedAt'>,
): string | undefined {
  return rollouts
    .filter(({ spec, metadata }) => {
      const leadsHere = spec.to.some((target) => target.source === source && target.image === image);
      const wasHere = spec.from.some((proven) => proven.source === source && proven.image === image);
      return leadsHere && !wasHere && launchedAt >= Date.parse(metadata.creationTimestamp ?? '');
    })
    .toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))[0]?.metadata.name;
}
