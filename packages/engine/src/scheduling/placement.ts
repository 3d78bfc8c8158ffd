import { addBit, bitSet, hasBit, withRoomFor } from './bit-set.ts';
import type { BitSet } from './bit-set.ts';
import type { ExistingNode } from './existing-node.ts';
import { FewestFirst } from './fewest-first.ts';
import type { NodeTemplate } from './node-template.ts';
import { PlannedNode } from './planned-node.ts';
import type { NodeChange } from './planned-node.ts';
import type { ClassifiedPod, PodForm } from './pod-class.ts';
import type { PoolLimits } from './pool-limits.ts';
import type { SchedulingOptions } from './problem.ts';
import type { Reservations } from './reservations.ts';
import type { ResourceRow } from './resource-rows.ts';
import type { Topology } from './topology/topology.ts';

/** What a round has to place pods on. */
export type Ground = {
  readonly existing: readonly ExistingNode[];
  readonly templates: readonly NodeTemplate[];
  readonly limits: PoolLimits;
  readonly reservations: Reservations;
  readonly topology: Topology;
  readonly emptyRow: ResourceRow;
  /** Names of the resources, in the order of rows. */
  readonly names: readonly string[];
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly options: SchedulingOptions;
};

/** `deferred`: it could use reserved capacity that others hold, so nothing else was looked for. */
export type PlacementOutcome = 'placed' | 'refused' | 'deferred';

/** All that pods can be put on, and what is decided about it so far. */
export class Placement {
  readonly ground: Ground;
  readonly planned: PlannedNode[] = [];
  readonly #order = new FewestFirst();
  /** Nodes that will never take a pod in this form. */
  readonly #refusing = new Map<PodForm, { existing: BitSet; planned: BitSet }>();

  constructor(ground: Ground) {
    this.ground = ground;
  }

  /**
   * Puts one pod on the first node that takes it: existing ones, then planned ones with the fewest
   * pods first, then a new one of the first pool that can. Gives up one preference at a time until
   * something fits; for the sake of reserved capacity no preference is given up.
   */
  place(candidate: ClassifiedPod): PlacementOutcome {
    for (const form of candidate.podClass.forms) {
      if (this.#placeOnExisting(candidate, form)) return 'placed';
      if (this.#placeOnPlanned(candidate, form)) return 'placed';
      const outcome = this.#placeOnNew(candidate, form);
      if (outcome !== 'refused') return outcome;
    }
    return 'refused';
  }

  #placeOnExisting({ pod, podClass }: ClassifiedPod, form: PodForm): boolean {
    const { existing } = this.ground;
    if (existing.length === 0) return false;
    const refusing = this.#refusingOf(form);
    for (const [index, node] of existing.entries()) {
      if (hasBit(refusing.existing, index)) continue;
      const answer = node.consider(podClass, form);
      if (answer === 'fits') {
        node.add(pod, podClass);
        return true;
      }
      if (answer === 'never') addBit(refusing.existing, index);
    }
    return false;
  }

  #placeOnPlanned({ pod, podClass }: ClassifiedPod, form: PodForm): boolean {
    const refusing = this.#refusingOf(form);
    let change: NodeChange | undefined;
    const found = this.#order.find(refusing.planned, (index) => {
      const answer = this.planned[index]?.consider(podClass, form, 'Strict') ?? 'never';
      if (answer === 'never') addBit(refusing.planned, index);
      if (typeof answer === 'string') return false;
      change = answer;
      return true;
    });
    const node = found === undefined ? undefined : this.planned[found];
    if (found === undefined || node === undefined || change === undefined) return false;
    node.add(pod, podClass, change);
    this.#order.move(found, { from: node.pods.length - 1, to: node.pods.length });
    return true;
  }

  /** Opens a node of the first pool that can take the pod; a pool whose reserved capacity is worth waiting for is not passed over. */
  #placeOnNew({ pod, podClass }: ClassifiedPod, form: PodForm): PlacementOutcome {
    const { templates, limits, options } = this.ground;
    for (const template of templates) {
      const node = this.openNode(template);
      if (node === undefined) continue;
      const change = node.consider(podClass, form, options.minValuesPolicy);
      if (change === 'deferred') return change;
      if (typeof change === 'string') continue;
      node.add(pod, podClass, change);
      limits.spend(template, node.types);
      this.planned.push(node);
      this.#order.move(this.planned.length - 1, { from: 0, to: 1 });
      return 'placed';
    }
    return 'refused';
  }

  /** A new, empty node of a pool; `undefined` when the pool has no types or its limits leave no room. */
  openNode(template: NodeTemplate): PlannedNode | undefined {
    const { limits, topology, emptyRow, wellKnownLabels, reservations, options } = this.ground;
    const types = limits.admitted(template);
    if ('exceeded' in types) return undefined;
    const hostname = `hostname-placeholder-${String(this.planned.length + 1).padStart(8, '0')}`;
    topology.addHostname(hostname);
    const reserved = { reservations, policy: options.reservedCapacity ?? 'Strict' };
    return new PlannedNode({ template, hostname, types, emptyRow, wellKnownLabels, reserved });
  }

  #refusingOf(form: PodForm): { existing: BitSet; planned: BitSet } {
    let refusing = this.#refusing.get(form);
    if (refusing === undefined) {
      refusing = { existing: bitSet(this.ground.existing.length), planned: bitSet(this.planned.length) };
      this.#refusing.set(form, refusing);
    }
    refusing.planned = withRoomFor(refusing.planned, this.planned.length);
    return refusing;
  }
}
