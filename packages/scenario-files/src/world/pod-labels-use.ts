import { labelSelectorPredicate, type Pod } from '@nodewright/apis';
import { type FilePlace, formatPlace } from '../reading/source-text.ts';

export type WatchedLabels = { readonly place: FilePlace; readonly labels: Readonly<Record<string, string>> };

/** Labels of pods that steps name, until a pod has them. Labels that no pod has are most likely misspelt. */
export class PodLabelsUse {
  readonly #unused = new Set<WatchedLabels>();

  /** @param pods the pods that are there already */
  watch(watched: WatchedLabels, pods: readonly Pod[]): void {
    this.#unused.add(watched);
    for (const pod of pods) this.see(pod);
  }

  see({ metadata }: Pod): void {
    for (const watched of this.#unused)
      if (labelSelectorPredicate({ matchLabels: watched.labels })(metadata.labels ?? {})) this.#unused.delete(watched);
  }

  /** A line for each step whose labels no pod has had since. */
  listUnused(): readonly string[] {
    return [...this.#unused].map(
      ({ place, labels }) => `${formatPlace(place)}: no pod has had the labels ${joinLabels(labels)} since this step`,
    );
  }
}

const joinLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
