import {
  conditionOf,
  type KubernetesObject,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicy,
  readOwn,
} from '@nodewright/apis';
import type { Happening, ObservedWrite } from '../invariants/invariant.ts';
import { hasDeletionTime, poolNameOf } from '../invariants/observed-objects.ts';
import { type FleetName, fleetNames, fleetOf } from './fleet-manifests.ts';
import type { FleetOutcome } from './fleet.ts';

type FleetCounts = {
  readonly claims: Set<string>;
  readonly ready: Set<string>;
  readonly touched: Set<string>;
  readonly tried: Map<string, string>;
  before: ReadonlySet<string>;
  readonly moved: Set<string>;
  fewestReadyPods: number;
  mostNodes: number;
};

const emptyCounts = (): FleetCounts => ({
  claims: new Set(),
  ready: new Set(),
  touched: new Set(),
  tried: new Map(),
  before: new Set(),
  moved: new Set(),
  fewestReadyPods: Infinity,
  mostNodes: 0,
});

/** Follows two fleets from write to write, so that nothing of the worst moment is missed and nothing has to be listed. */
export class FleetTally {
  readonly #fleets: Readonly<Record<FleetName, FleetCounts>> = { free: emptyCounts(), governed: emptyCounts() };
  readonly #tried = new Set<string>();
  readonly #told = new Set<string>();
  #halted: string | undefined;

  /** The incident begins: what is there now is what there was before. */
  begin(): void {
    for (const name of fleetNames) {
      const counts = this.#fleets[name];
      counts.before = new Set(counts.claims);
      counts.fewestReadyPods = counts.ready.size;
      counts.mostNodes = counts.claims.size;
    }
  }

  /** Images that came out in the incident. */
  addTried(...images: readonly string[]): void {
    for (const image of images) this.#tried.add(image);
  }

  see(happening: Happening): void {
    if (happening.kind !== 'written') return;
    switch (happening.collection) {
      case 'nodeclaims.karpenter.sh':
        return this.#seeClaim(happening);
      case 'nodes':
        return this.#seeGroupNode(happening);
      case 'pods':
        return this.#seePod(happening);
      case 'noderollouts.nodewright.dev':
        this.#halted ??= (happening.after as NodeRollout | undefined)?.status?.halted?.reason;
        return this.#seeMessages(happening);
      case 'noderolloutpolicies.nodewright.dev':
        return this.#seeMessages(happening);
      default:
    }
  }

  readyPods(name: FleetName): number {
    return this.#fleets[name].ready.size;
  }

  outcome(name: FleetName): FleetOutcome {
    const { claims, ready, touched, tried, moved, fewestReadyPods, mostNodes } = this.#fleets[name];
    return {
      touched: touched.size,
      left: [...claims].filter((claim) => tried.has(claim)).length,
      moved: moved.size,
      readyPods: ready.size,
      fewestReadyPods,
      mostNodes,
      halted: name === 'governed' ? this.#halted : undefined,
      told: name === 'governed' ? [...this.#told].toSorted() : [],
    };
  }

  #seeMessages({ after }: ObservedWrite): void {
    const { messages = [] } = (after as NodeRollout | NodeRolloutPolicy | undefined)?.status ?? {};
    for (const { event } of messages) this.#told.add(event);
  }

  #countsOf(
    object: KubernetesObject | undefined,
    label: (object: KubernetesObject) => string,
  ): FleetCounts | undefined {
    const name = object === undefined ? undefined : fleetOf(label(object));
    return name && this.#fleets[name];
  }

  #seeClaim({ before, after }: ObservedWrite): void {
    const counts = this.#countsOf(after ?? before, poolNameOf);
    const name = (after ?? before)?.metadata.name ?? '';
    if (counts === undefined) return;
    if (after === undefined) counts.claims.delete(name);
    else counts.claims.add(name);
    const isLeaving = after === undefined || hasDeletionTime(after);
    if (isLeaving && counts.before.has(name)) counts.moved.add(name);
    counts.mostNodes = Math.max(counts.mostNodes, counts.claims.size);
    const { imageID = '', providerID } = (after as NodeClaim | undefined)?.status ?? {};
    if (providerID === undefined || !this.#tried.has(imageID)) return;
    counts.touched.add(providerID);
    counts.tried.set(name, imageID);
  }

  /** A node of a managed group counts as a NodeClaim does. Its labels name the image. */
  #seeGroupNode({ before, after }: ObservedWrite): void {
    const labelOf = (object: KubernetesObject | undefined, label: string): string =>
      readOwn(object?.metadata.labels, label) ?? '';
    const counts = this.#countsOf(after ?? before, (object) => labelOf(object, 'eks.amazonaws.com/nodegroup'));
    const name = (after ?? before)?.metadata.name ?? '';
    if (counts === undefined) return;
    if (after === undefined) counts.claims.delete(name);
    else counts.claims.add(name);
    if (after === undefined && counts.before.has(name)) counts.moved.add(name);
    counts.mostNodes = Math.max(counts.mostNodes, counts.claims.size);
    const image = labelOf(after, 'eks.amazonaws.com/nodegroup-image');
    if (!this.#tried.has(image)) return;
    counts.touched.add(name);
    counts.tried.set(name, image);
  }

  #seePod({ before, after }: ObservedWrite): void {
    const counts = this.#countsOf(after ?? before, ({ metadata }) => metadata.labels?.['app'] ?? '');
    const { metadata } = after ?? before ?? { metadata: { name: '' } };
    if (counts === undefined) return;
    const isReady = after !== undefined && conditionOf(after, 'Ready')?.status === 'True';
    if (isReady) counts.ready.add(metadata.name);
    else counts.ready.delete(metadata.name);
    counts.fewestReadyPods = Math.min(counts.fewestReadyPods, counts.ready.size);
  }
}
