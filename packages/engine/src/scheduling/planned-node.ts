import { kubernetesLabels } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import { isCompatible } from '../requirements/compatibility.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { countMinValues, relaxMinValues } from '../requirements/min-values.ts';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { bothAttached } from '../volumes/attached-volumes.ts';
import type { AttachedVolume } from '../volumes/attached-volumes.ts';
import { isEmptySet, sameBits } from './bit-set.ts';
import type { BitSet } from './bit-set.ts';
import { takenPort } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import type { Resources } from './instance-type.ts';
import type { NodeTemplate, TypeOption } from './node-template.ts';
import type { PodClass, PodForm } from './pod-class.ts';
import type { Reservations } from './reservations.ts';
import { holdableOf, withoutReserved } from './reserved-capacity.ts';
import { addRows, sumFits } from './resource-rows.ts';
import type { ResourceRow } from './resource-rows.ts';
import { addResources, noResources } from './resources.ts';
import { untoleratedTaint } from './tolerations.ts';
import { placeInTopology, placesInTopology, recordInTopology } from './topology/topology-placement.ts';
import { narrowedTypes } from './type-filter.ts';

/** What a planned node becomes when a pod is put on it. */
export type NodeChange = {
  readonly requirements: Requirements;
  readonly types: BitSet;
  readonly total: ResourceRow;
  readonly minValuesRelaxed: boolean;
  /** Ids of the capacity reservations it would hold a place in. */
  readonly held: readonly string[];
};

/** `later`: not as things are. `never`: whatever else is placed, this pod in this form will not fit here. */
export type Refusal = 'later' | 'never';

/** Reserved capacity that the node could be bought with is promised to others: worth another round, but no other price. */
export type Deferral = 'deferred';

const noIds: readonly string[] = [];

/** What decides whether a pod fits beside what it asks for. */
export type ReservedPolicy = { readonly reservations: Reservations; readonly policy: 'Strict' | 'Fallback' };

/** A node that will be launched: filled pod by pod, its instance types narrowing as it fills. */
export class PlannedNode {
  readonly template: NodeTemplate;
  readonly hostname: string;
  readonly pods: Pod[] = [];
  #requirements: Requirements;
  #types: BitSet;
  #total: ResourceRow;
  #largest: ResourceRow;
  #requests: Resources = noResources;
  #hostPorts: readonly HostPort[] = [];
  #attached: readonly AttachedVolume[] = [];
  #held: readonly string[] = noIds;
  #minValuesRelaxed = false;
  readonly #reserved: ReservedPolicy;
  readonly #mayBeUndefined: ReadonlySet<string>;

  constructor(from: {
    readonly template: NodeTemplate;
    readonly hostname: string;
    /** Those of the template's types that its pool's limits leave. */
    readonly types: BitSet;
    readonly emptyRow: ResourceRow;
    readonly wellKnownLabels: ReadonlySet<string>;
    readonly reserved: ReservedPolicy;
  }) {
    this.template = from.template;
    this.hostname = from.hostname;
    const host = requirementsOfLabels({ [kubernetesLabels.hostname]: from.hostname });
    this.#requirements = intersectSets(from.template.requirements, host);
    this.#types = from.types;
    this.#total = from.emptyRow;
    this.#largest = from.template.table.largestAvailable(from.types);
    this.#mayBeUndefined = from.wellKnownLabels;
    this.#reserved = from.reserved;
  }

  get requirements(): Requirements {
    return this.#requirements;
  }

  /** Those of its template's types that it may still be launched as. */
  get types(): BitSet {
    return this.#types;
  }

  get options(): readonly TypeOption[] {
    return this.template.table.members(this.#types);
  }

  /** What its pods take, without daemons. */
  get requests(): Resources {
    return this.#requests;
  }

  /** Ids of the capacity reservations that it holds a place in. */
  get held(): readonly string[] {
    return this.#held;
  }

  get minValuesRelaxed(): boolean {
    return this.#minValuesRelaxed;
  }

  /** What a pod would make of the node, or that it does not fit. Changes nothing. */
  consider(podClass: PodClass, form: PodForm, minValues: 'Strict' | 'BestEffort'): NodeChange | Refusal | Deferral {
    if (!sumFits(this.#total, podClass.row, this.#largest)) return 'never';
    if (untoleratedTaint(this.template.taints, form.constraints.tolerations) !== undefined) return 'never';
    if (takenPort(podClass.hostPorts, this.#hostPorts) !== undefined) return 'never';
    if (!isCompatible(this.#requirements, form.requirements, this.#mayBeUndefined)) return 'never';
    return this.#considerPlaces(podClass, form, minValues);
  }

  /** The first alternative of the pod's volumes for which topology and instance types leave something. */
  #considerPlaces(
    podClass: PodClass,
    form: PodForm,
    minValues: 'Strict' | 'BestEffort',
  ): NodeChange | Refusal | Deferral {
    const wanted = this.#narrowedBy(form.requirements);
    let last: Refusal | Deferral = 'never';
    for (const volumes of podClass.volumeAlternatives) {
      if (!isCompatible(wanted, volumes, this.#mayBeUndefined)) continue;
      const requirements = intersectSets(wanted, volumes);
      const answer = placeInTopology(form, this.#asCandidate(requirements));
      if (answer.kind === 'refused' && answer.forGood) continue;
      const change =
        (answer.kind === 'allowed' ? this.#considerTypes(podClass, answer.requirements, minValues) : undefined) ??
        this.#considerChoices(podClass, form, { requirements, minValues });
      if (change === 'deferred') last = change;
      else if (change !== undefined) return change;
      // Where a group sends the pod may change with what it counts, so this is final only without groups.
      else if (form.stakes.length > 0 && last === 'never') last = 'later';
    }
    return last;
  }

  /** The first joint choice of domains for which a type is left, when the groups' own choices did not go together. */
  #considerChoices(
    podClass: PodClass,
    form: PodForm,
    at: { readonly requirements: Requirements; readonly minValues: 'Strict' | 'BestEffort' },
  ): NodeChange | Deferral | undefined {
    for (const requirements of placesInTopology(form, this.#asCandidate(at.requirements))) {
      const change = this.#considerTypes(podClass, requirements, at.minValues);
      if (change !== undefined) return change;
    }
    return undefined;
  }

  /**
   * The node with what a pod asks. A label that no node of the pool will carry stays without a word:
   * that one pod is content with its absence must not make it look defined to the next.
   */
  #narrowedBy(asked: Requirements): Requirements {
    for (const key of asked.keys()) {
      if (!this.#requirements.has(key) && !this.#mayBeUndefined.has(key)) {
        const defined = [...asked].filter(([each]) => this.#requirements.has(each) || this.#mayBeUndefined.has(each));
        return intersectSets(this.#requirements, new Map(defined));
      }
    }
    return intersectSets(this.#requirements, asked);
  }

  #considerTypes(
    podClass: PodClass,
    requirements: Requirements,
    minValues: 'Strict' | 'BestEffort',
  ): NodeChange | Deferral | undefined {
    const { table } = this.template;
    const total = addRows(this.#total, podClass.row);
    const hostPorts = podClass.hostPorts.length === 0 ? this.#hostPorts : [...this.#hostPorts, ...podClass.hostPorts];
    const attached = bothAttached(this.#attached, podClass.attached);
    const demand = { before: this.#requirements, requirements, total, hostPorts, attached };
    const types = narrowedTypes(table, this.#types, demand);
    if (isEmptySet(types)) return undefined;
    const change = { requirements, types, total, minValuesRelaxed: false, held: noIds };
    const short = shortOf(requirements, () => table.members(types));
    if (short.length === 0) return this.#holding(change);
    if (minValues === 'Strict' || this.pods.length > 0) return undefined;
    return this.#holding({ ...change, requirements: relaxMinValues(requirements, short), minValuesRelaxed: true });
  }

  /** The change with the reservations the node would hold; it must not lose, nor go without, what could be had reserved. */
  #holding(change: NodeChange): NodeChange | Deferral | undefined {
    const { table } = this.template;
    if (table.reserved.length === 0) return change;
    const { reservations, policy } = this.#reserved;
    const { offered, holdable } = holdableOf(table, change, (id) => reservations.canHold(this.hostname, id));
    if (holdable.length > 0) return { ...change, held: holdable };
    if (!offered && this.#held.length === 0) return change;
    if (policy === 'Strict') return 'deferred';
    const otherwise = withoutReserved(table, change);
    return isEmptySet(otherwise.types) ? undefined : otherwise;
  }

  /** Puts a pod here, as considered just before. */
  add(pod: Pod, podClass: PodClass, change: NodeChange): void {
    this.pods.push(pod);
    const narrowed = !sameBits(change.types, this.#types);
    this.#requirements = change.requirements;
    this.#types = change.types;
    this.#total = change.total;
    this.#requests = addResources(this.#requests, podClass.requests);
    if (podClass.hostPorts.length > 0) this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    this.#attached = bothAttached(this.#attached, podClass.attached);
    if (change.held.length > 0 || this.#held.length > 0) this.#reserved.reservations.hold(this.hostname, change.held);
    this.#held = change.held;
    this.#minValuesRelaxed ||= change.minValuesRelaxed;
    if (narrowed) this.#largest = this.template.table.largestAvailable(change.types);
    recordInTopology(podClass.counting, podClass.keepingAway, this.#asCandidate(change.requirements));
  }

  #asCandidate(requirements: Requirements) {
    return { requirements, taints: this.template.taints, mayBeUndefined: this.#mayBeUndefined };
  }
}

/** The minimum counts that the types do not meet; most nodes have none to meet. */
export function shortOf(
  requirements: Requirements,
  options: () => readonly TypeOption[],
): readonly MinValuesShortfall[] {
  for (const r of requirements.values()) {
    if (r.minValues !== undefined)
      return countMinValues(
        requirements,
        options().map(({ type }) => type),
      ).short;
  }
  return [];
}
