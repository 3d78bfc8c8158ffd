import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { keepWatching, type WatchDeps } from './watch.ts';
import { Watched } from './watched.ts';

/** One watch per kind, shared by all that read it. A watch begins when the first reader asks for it. */
export class Watches {
  readonly #deps: WatchDeps;
  readonly #watched = new Map<string, Watched<KubernetesObject>>();

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  of<T extends KubernetesObject>(type: ResourceType<T>): Watched<T> {
    const name = `${type.plural}.${type.group}`;
    const known = this.#watched.get(name) as Watched<T> | undefined;
    if (known !== undefined) return known;
    const watched = new Watched<T>();
    // The map holds every kind; each entry was made for the type that its name stands for.
    this.#watched.set(name, watched as unknown as Watched<KubernetesObject>);
    void keepWatching(this.#deps, type, watched);
    return watched;
  }

  /** True once every watch that was asked for has seen what there is. */
  get synced(): boolean {
    return [...this.#watched.values()].every((watched) => watched.synced);
  }
}
