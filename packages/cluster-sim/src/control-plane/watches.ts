import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { type Informer, startInformer } from '@nodewright/runtime';
import type { ClusterControllerOptions } from './controller-options.ts';
import { Watched } from './watched.ts';

type WatchEntry = { readonly informer: Informer<KubernetesObject>; readonly watched: Watched<KubernetesObject> };

/** Watches are renewed this often: seldom, for a month of virtual time is short. */
const watchSeconds = 6 * 3600;

/** One watch per kind, shared by all that read it. A watch begins when the first reader asks for it. */
export class ClusterWatches {
  readonly #options: ClusterControllerOptions;
  readonly #entries = new Map<string, WatchEntry>();

  constructor(options: ClusterControllerOptions) {
    this.#options = options;
  }

  of<T extends KubernetesObject>(type: ResourceType<T>): Watched<T> {
    const name = `${type.plural}.${type.group}`;
    const known = this.#entries.get(name) ?? this.#start(name, type);
    // The map holds every kind; each entry was made for the type that its name stands for.
    return known.watched as unknown as Watched<T>;
  }

  /** True once every watch that was asked for has seen what there is. */
  get synced(): boolean {
    return [...this.#entries.values()].every(({ informer }) => informer.hasSynced());
  }

  /** Resolves once every watch that has been asked for so far is level. */
  async whenSynced(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ informer }) => informer.synced()));
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
