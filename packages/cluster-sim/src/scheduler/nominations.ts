import type { Pod } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { Assigned, SchedulerCluster } from './cluster.ts';
import { priorityOf } from './preemption.ts';

/** Pods for which pods of lower priority leave a node. The scheduler keeps that room for them. */
export class Nominations {
  readonly #nominated = new Map<string, Assigned>();

  begin(assigned: Assigned): void {
    this.#nominated.set(objectKeyText(assigned.pod), assigned);
  }

  /** @returns whether there was one */
  end(key: string): boolean {
    return this.#nominated.delete(key);
  }

  /** A pod as the API has it, where a scheduler before this one may have nominated it. */
  see(pod: Pod): void {
    const nodeName = pod.status?.nominatedNodeName;
    if (nodeName === undefined) this.end(objectKeyText(pod));
    else this.begin({ pod, nodeName });
  }

  /** Nominated pods of the same or a higher priority. The pod must not take their room. */
  before(pod: Pod): readonly Assigned[] {
    const key = objectKeyText(pod);
    return [...this.#nominated]
      .filter(([other, assigned]) => other !== key && priorityOf(assigned.pod) >= priorityOf(pod))
      .map(([, assigned]) => assigned);
  }

  /** Nominated pods of less priority look for another node. */
  endLesser(pod: Pod, nodeName: string): readonly string[] {
    const lesser = [...this.#nominated]
      .filter(([, other]) => other.nodeName === nodeName && priorityOf(other.pod) < priorityOf(pod))
      .map(([key]) => key);
    for (const key of lesser) this.end(key);
    return lesser;
  }

  /** Whether pods that leave for this pod still exist. */
  isRoomBeingMade(pod: Pod, cluster: SchedulerCluster): boolean {
    const nodeName = this.#nominated.get(objectKeyText(pod))?.nodeName;
    const there = nodeName === undefined ? undefined : cluster.node(nodeName);
    return [...(there?.pods.values() ?? [])].some(
      ({ pod: other }) => other.metadata.deletionTimestamp !== undefined && priorityOf(other) < priorityOf(pod),
    );
  }
}
