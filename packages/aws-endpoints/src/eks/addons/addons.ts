import { byTextOf, instant, type Instant, seconds } from '@nodewright/apis';
import type { Clock, Ledger, Random } from '@nodewright/runtime';
import type { AddonUpdate, ClusterAddon } from './cluster-addon.ts';

type AddonsDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly ledger: Ledger;
  /** EKS calls it when it begins to install, change or remove an add-on [no listener]. */
  readonly onChange?: ((addon: ClusterAddon) => void) | undefined;
};

/** How long EKS takes to install, change or remove an add-on. */
const addonTakes = { leastMs: seconds(15), spreadMs: seconds(30) };

/** The add-ons of the clusters of the account, and their updates. What follows in a cluster is left to `onChange`. */
export class Addons {
  readonly #deps: AddonsDeps;
  /** By cluster and name. */
  readonly #addons: Map<string, ClusterAddon>;
  /** By id, oldest first. */
  readonly #updates: Map<string, AddonUpdate>;

  constructor(deps: AddonsDeps) {
    this.#deps = deps;
    this.#addons = deps.ledger.map('eks/addons');
    this.#updates = deps.ledger.map('eks/addon-updates');
  }

  now(): Instant {
    return this.#deps.clock.now();
  }

  newId(): string {
    return this.#deps.random.uuid();
  }

  /** When EKS is done with what it begins now. */
  chooseEnd(): Instant {
    return instant(this.now() + addonTakes.leastMs + this.#deps.random.integer(addonTakes.spreadMs));
  }

  /** Of one cluster, by name. */
  listOf(clusterName: string): readonly ClusterAddon[] {
    return [...this.#addons.values()]
      .filter((addon) => addon.clusterName === clusterName)
      .flatMap((addon) => settleAddon(addon, this.now()) ?? [])
      .toSorted(byTextOf(({ name }) => name));
  }

  find(clusterName: string, name: string): ClusterAddon | undefined {
    const kept = this.#addons.get(keyOfAddon(clusterName, name));
    return kept && settleAddon(kept, this.now());
  }

  keep(addon: ClusterAddon): ClusterAddon {
    this.#addons.set(keyOfAddon(addon.clusterName, addon.name), addon);
    this.#deps.onChange?.(addon);
    return addon;
  }

  /** Forgets the add-ons of a cluster that is deleted. */
  forgetCluster(clusterName: string): void {
    for (const [key, addon] of this.#addons) if (addon.clusterName === clusterName) this.#addons.delete(key);
    for (const [id, update] of this.#updates) if (update.clusterName === clusterName) this.#updates.delete(id);
  }

  keepUpdate(update: AddonUpdate): AddonUpdate {
    this.#updates.set(update.id, update);
    return update;
  }

  findUpdate(id: string): AddonUpdate | undefined {
    return this.#updates.get(id);
  }

  /** Of one add-on, oldest first. */
  listUpdates(clusterName: string, addonName: string): readonly AddonUpdate[] {
    return [...this.#updates.values()].filter(
      (each) => each.clusterName === clusterName && each.addonName === addonName,
    );
  }
}

const keyOfAddon = (clusterName: string, name: string): string => `${clusterName}/${name}`;

/** Returns the add-on as it is now, or `undefined` when its deletion has ended. */
function settleAddon(addon: ClusterAddon, now: Instant): ClusterAddon | undefined {
  const { moving, ...rest } = addon;
  if (moving === undefined || now < moving.until) return addon;
  if (moving.as === 'DELETING') return undefined;
  return { ...rest, ...moving.change };
}
