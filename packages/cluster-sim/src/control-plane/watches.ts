import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { type Informer, startInformer } from '@nodewright/runtime';
import type { ClusterControllerOptions } from './controller-options.ts';
import { Watched } from './watched.ts';

type WatchEntry = { readonly informer: Informer<KubernetesObject>; readonly watched: Watched<KubernetesObject> };

/** How often a watch is renewed. Hardly ever: within the process nothing forgets it, and scenarios run through months. */
const watchSeconds = 30 * 24 * 3600;

/** One watch for each kind, shared by its readers. A watch begins when the first reader asks for it. */
export class ClusterWatches {
  readonly #options: ClusterControllerOptions;
  readonly #entries = new Map<string, WatchEntry>();

  constructor(options: ClusterControllerOptions) {
    this.#options = options;
  }

  of<T extends KubernetesObject>(type: ResourceType<T>): Watched<T> {
    const name = watchNameOf(type);
    const known = this.#entries.get(name) ?? this.#start(name, type);
    // The map holds every kind; each entry was made for the type that its name stands for.
    return known.watched as unknown as Watched<T>;
  }

  /** Whether every watch that was asked for has its first list. */
  get synced(): boolean {
    return [...this.#entries.values()].every(({ informer }) => informer.hasSynced());
  }

  /** Resolves once every watch that was asked for so far has its first list. */
  async whenSynced(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ informer }) => informer.synced()));
  }

  /** Ends the watch of a kind that is not served any more. */
  end(type: ResourceType): void {
    const name = watchNameOf(type);
    void this.#entries.get(name)?.informer.stop();
    this.#entries.delete(name);
  }

  stop(): void {
    for (const { informer } of this.#entries.values()) void informer.stop();
  }

  #start(name: string, type: ResourceType): WatchEntry {
    const { client, clock, random } = this.#options;
    const informer = startInformer({ client, clock, random: random.fork(`watch ${name}`), type, watchSeconds });
    const entry = { informer, watched: new Watched(informer) };
    this.#entries.set(name, entry);
    return entry;
  }
}

const watchNameOf = ({ plural, group }: ResourceType): string => `${plural}.${group}`;
