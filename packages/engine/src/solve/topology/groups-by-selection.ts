import { type Pod, readOwn, byNumberOf } from '@nodewright/apis';
import type { TopologyGroup } from './topology-group.ts';

type Numbered = { readonly group: TopologyGroup; readonly number: number };

/** Groups by a label of the pods they select, so that a pod is compared only with groups that may select it. */
export class GroupsBySelection {
  readonly #byLabel = new Map<string, Map<string, Numbered[]>>();
  readonly #others: Numbered[] = [];
  #count = 0;

  add(group: TopologyGroup): void {
    const numbered = { group, number: this.#count };
    this.#count += 1;
    const { label } = group.spec.selection;
    if (label === undefined) {
      this.#others.push(numbered);
      return;
    }
    const values = this.#byLabel.get(label.key) ?? new Map<string, Numbered[]>();
    this.#byLabel.set(label.key, values);
    const present = values.get(label.value);
    if (present === undefined) values.set(label.value, [numbered]);
    else present.push(numbered);
  }

  /** The groups that select a pod, in the order in which they were added. */
  selecting(pod: Pod): readonly TopologyGroup[] {
    const found = this.#others.filter(({ group }) => group.spec.selection.selects(pod));
    const { labels } = pod.metadata;
    for (const key in labels) {
      const values = this.#byLabel.get(key);
      for (const numbered of values?.get(readOwn(labels, key) ?? '') ?? []) {
        if (numbered.group.spec.selection.selects(pod)) found.push(numbered);
      }
    }
    return found.toSorted(byNumberOf(({ number }) => number)).map(({ group }) => group);
  }
}
