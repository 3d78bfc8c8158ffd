import type { NodeOverlay, NodePool } from '@nodewright/apis';
import { overlaidTypes, type InstanceType } from '@nodewright/engine';

/** Which overlays count, the heaviest first, and for which NodePools that was found out. */
export type StandingOverlays = { readonly accepted: readonly NodeOverlay[]; readonly pools: ReadonlySet<string> };

type KnownOverlay = {
  readonly generation: number | undefined;
  readonly types: readonly InstanceType[];
  readonly overlaid: readonly InstanceType[];
};

/** What NodePools can launch, at the prices and with the resources that NodeOverlays give it. */
export class OverlaidTypes {
  readonly #isOn: boolean;
  #standing: StandingOverlays = { accepted: [], pools: new Set() };
  #known = new Map<string, KnownOverlay>();
  readonly #listeners: (() => void)[] = [];

  /** @param isOn the gate `NodeOverlay`; without it every list stays as it is */
  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** From now on these count, for all pools at once. */
  stand(standing: StandingOverlays): void {
    this.#standing = standing;
    this.#known = new Map();
    for (const tell of this.#listeners) tell();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * The types of a pool as overlays leave them: the same list as long as nothing changed.
   * @returns `undefined` before overlays were held against the pool: nothing may be launched from it yet
   */
  of(nodePool: NodePool, types: readonly InstanceType[]): readonly InstanceType[] | undefined {
    if (!this.#isOn) return types;
    const { name, generation } = nodePool.metadata;
    if (!this.#standing.pools.has(name)) return undefined;
    const known = this.#known.get(name);
    if (known?.types === types && known.generation === generation) return known.overlaid;
    const overlaid = overlaidTypes(nodePool, types, this.#standing.accepted);
    this.#known.set(name, { generation, types, overlaid });
    return overlaid;
  }
}
