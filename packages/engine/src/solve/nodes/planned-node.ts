import { kubernetesLabels, type Pod } from '@nodewright/apis';
import {
  isCompatible,
  intersectSets,
  countMinValues,
  relaxMinValues,
  type MinValuesShortfall,
  requireOneOf,
  type Requirements,
} from '@nodewright/requirements';
import { bothAttached, type AttachedVolume } from '../../volumes/attached-volumes.ts';
import { isEmptySet, type BitSet } from '../bit-set.ts';
import { takenPort, type PodHostPort } from '../../pods/host-ports.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import type { NodeTemplate } from './node-template.ts';
import type { TypeOption } from '../types/type-option.ts';
import type { PodClass, PodForm } from '../pods/pod-class.ts';
import type { Reservations } from './reservations.ts';
import { holdableOf, withoutReserved } from './reserved-capacity.ts';
import { addRows, fitsRow, sumFits, timesFitting, type ResourceRow } from '../../instance-types/resource-rows.ts';
import { untoleratedTaint } from '../../pods/tolerations.ts';
import { placeInTopology, placesInTopology, recordInTopology } from '../topology/topology-placement.ts';
import { UncountedPods } from '../topology/uncounted-pods.ts';
import type { UnforeseenDomains } from '../topology/unforeseen-domains.ts';
import { narrowedTypes } from '../types/type-filter.ts';
import type { CheapestMember } from '../types/type-table.ts';

/** What a planned node becomes when a pod is put on it. */
export type PlannedNodeChange = {
  readonly requirements: Requirements;
  /** Absent when only the existence of a suitable type is known. */
  readonly types?: BitSet;
  readonly total: ResourceRow;
  readonly minValuesRelaxed: boolean;
  /** Ids of the capacity reservations in which it would hold a place. */
  readonly held: readonly string[];
};

/**
 * `later`: not as things are. `never`: whatever else is placed, no pod of this form will fit here;
 * `tooMuch`: none that asks for as much.
 */
export type PlacementRefusal = 'later' | 'never' | 'tooMuch';

/** Other nodes hold the reserved capacity that the node could use: the pod waits for another round instead of a dearer node. */
export type PlacementDeferral = 'deferred';

const placeholder = 'hostname-placeholder-';

/** Whether a host name is the placeholder of a planned node. */
export const isPlaceholder = (hostname: string): boolean => hostname.startsWith(placeholder);

const noIds: readonly string[] = [];

/** What decides whether a pod fits beside what it asks for. */
export type ReservedPolicy = { readonly reservations: Reservations; readonly policy: 'Strict' | 'Fallback' };

/** A node that will be launched: filled pod by pod, its instance types narrowing as it fills. */
export class PlannedNode {
  readonly template: NodeTemplate;
  /** Its number among the nodes that this round plans. */
  readonly index: number;
  readonly hostname: string;
  readonly pods: Pod[] = [];
  #requirements: Requirements;
  /** May hold types on which the pods no longer fit; reading `types` removes them. */
  #types: BitSet;
  #total: ResourceRow;
  /** The most of each resource that some type has, or more. */
  #largest: ResourceRow;
  /** The type with the most room. While the pods fit it, a suitable type exists. */
  #roomiest: TypeOption | undefined;
  /** The requests of its pods, each list once. */
  readonly #asked = new Set<Resources>();
  #hostPorts: readonly PodHostPort[] = [];
  #attached: readonly AttachedVolume[] = [];
  #held: readonly string[] = noIds;
  #minValuesRelaxed = false;
  /** Absent until it is asked for. */
  #cheapest: CheapestMember | undefined;
  readonly #reserved: ReservedPolicy;
  readonly #mayBeUndefined: ReadonlySet<string>;
  readonly #unforeseen: UnforeseenDomains;
  readonly #uncounted = new UncountedPods();

  constructor(from: {
    readonly template: NodeTemplate;
    readonly index: number;
    /** The types of the template that the limits of its pool leave. */
    readonly types: BitSet;
    readonly emptyRow: ResourceRow;
    readonly wellKnownLabels: ReadonlySet<string>;
    readonly reserved: ReservedPolicy;
    readonly unforeseen: UnforeseenDomains;
  }) {
    this.template = from.template;
    this.index = from.index;
    this.hostname = `${placeholder}${String(from.index + 1).padStart(8, '0')}`;
    const host = requireOneOf(kubernetesLabels.hostname, [this.hostname]);
    this.#requirements = intersectSets(from.template.requirements, new Map([[host.key, host]]));
    this.#types = from.types;
    this.#total = from.emptyRow;
    this.#largest = from.template.table.largestAvailable(from.types);
    this.#roomiest = from.template.table.roomiest(from.types);
    this.#mayBeUndefined = from.wellKnownLabels;
    this.#reserved = from.reserved;
    this.#unforeseen = from.unforeseen;
  }

  get requirements(): Requirements {
    return this.#requirements;
  }

  /** The types of the template that the node may still become. */
  get types(): BitSet {
    this.template.table.keepFitting(this.#total, this.#types);
    return this.#types;
  }

  /** The cheapest type that the node may still become. */
  get cheapest(): CheapestMember {
    this.#cheapest ??= this.template.table.cheapestIn(this.types, this.#requirements);
    return this.#cheapest;
  }

  /** What its pods take of each resource, without daemons, in the order of rows. */
  get total(): ResourceRow {
    return this.#total;
  }

  /** The requests of its pods, each list once. */
  get asked(): Iterable<Resources> {
    return this.#asked;
  }

  /** Ids of the capacity reservations in which it holds a place. */
  get held(): readonly string[] {
    return this.#held;
  }

  get minValuesRelaxed(): boolean {
    return this.#minValuesRelaxed;
  }

  /** How a pod would change the node, or why it does not fit. Changes nothing. */
  consider(
    podClass: PodClass,
    form: PodForm,
    minValues: 'Strict' | 'BestEffort',
  ): PlannedNodeChange | PlacementRefusal | PlacementDeferral {
    if (!sumFits(this.#total, podClass.row, this.#largest)) return 'tooMuch';
    if (untoleratedTaint(this.template.taints, form.constraints.tolerations) !== undefined) return 'never';
    if (takenPort(podClass.hostPorts, this.#hostPorts) !== undefined) return 'never';
    if (!isCompatible(this.#requirements, form.requirements, this.#mayBeUndefined)) return 'never';
    const answer = this.#considerPlaces(podClass, form, minValues);
    const isNew = typeof answer === 'object' && (answer.requirements !== this.#requirements || this.pods.length === 0);
    return isNew && this.#unforeseen.refuses(this.#asCandidate(answer.requirements)) ? 'later' : answer;
  }

  /** The first alternative of the pod's volumes that topology and instance types admit. */
  #considerPlaces(
    podClass: PodClass,
    form: PodForm,
    minValues: 'Strict' | 'BestEffort',
  ): PlannedNodeChange | PlacementRefusal | PlacementDeferral {
    const wanted = this.#narrowedBy(form.requirements);
    let last: PlacementRefusal | PlacementDeferral = 'never';
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
      // Groups choose domains by their counts, which change, so this answer is final only without groups.
      else if (form.stakes.length > 0 && last !== 'deferred') last = 'later';
      else if (last === 'never') last = 'tooMuch';
    }
    return last;
  }

  /** The first joint choice of domains for which a type is left, when the groups' own choices did not go together. */
  #considerChoices(
    podClass: PodClass,
    form: PodForm,
    at: { readonly requirements: Requirements; readonly minValues: 'Strict' | 'BestEffort' },
  ): PlannedNodeChange | PlacementDeferral | undefined {
    for (const requirements of placesInTopology(form, this.#asCandidate(at.requirements))) {
      const change = this.#considerTypes(podClass, requirements, at.minValues);
      if (change !== undefined) return change;
    }
    return undefined;
  }

  /**
   * The requirements of the node and a pod together. A label that no node of the pool will carry stays undefined:
   * a pod that accepts its absence must not define it for the next pod.
   */
  #narrowedBy(asked: Requirements): Requirements {
    if (asked.size === 0) return this.#requirements;
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
  ): PlannedNodeChange | PlacementDeferral | undefined {
    const { table, countsValues } = this.template;
    const total = addRows(this.#total, podClass.row);
    if (
      this.#isUpToRoom(podClass, requirements) &&
      this.#roomiest !== undefined &&
      fitsRow(total, this.#roomiest.available)
    )
      return { requirements, total, minValuesRelaxed: false, held: noIds };
    const hostPorts = podClass.hostPorts.length === 0 ? this.#hostPorts : [...this.#hostPorts, ...podClass.hostPorts];
    const attached = bothAttached(this.#attached, podClass.attached);
    const demand = { before: this.#requirements, requirements, total, hostPorts, attached };
    const types = narrowedTypes(table, this.#types, demand);
    if (isEmptySet(types)) return undefined;
    const change = { requirements, types, total, minValuesRelaxed: false, held: noIds };
    if (!countsValues) return this.#holding(change);
    const short = shortOf(requirements, () => table.members(types));
    if (short.length === 0) return this.#holding(change);
    if (minValues === 'Strict' || this.pods.length > 0) return undefined;
    return this.#holding({ ...change, requirements: relaxMinValues(requirements, short), minValuesRelaxed: true });
  }

  /** Whether a pod takes nothing from the node but resources. */
  #isUpToRoom({ hostPorts, attached }: PodClass, requirements: Requirements): boolean {
    const { table, countsValues } = this.template;
    const asksNothingElse = requirements === this.#requirements && hostPorts.length === 0 && attached.length === 0;
    return asksNothingElse && !countsValues && table.reserved.length === 0;
  }

  /** The change with the reservations that the node would hold. The node must not lose or miss reserved capacity that it could use. */
  #holding<T extends PlannedNodeChange & { readonly types: BitSet }>(
    change: T,
  ): PlannedNodeChange | PlacementDeferral | undefined {
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

  /** Places a pod on the node. The caller has called `consider` just before. */
  add(pod: Pod, podClass: PodClass, change: PlannedNodeChange): void {
    if (change.requirements !== this.#requirements || this.pods.length === 0)
      this.#unforeseen.register(this.#asCandidate(change.requirements));
    this.#cheapest = undefined;
    this.pods.push(pod);
    this.#requirements = change.requirements;
    this.#total = change.total;
    if (change.types !== undefined) this.#narrowTo(change.types);
    this.#asked.add(podClass.requests);
    if (podClass.hostPorts.length > 0) this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    this.#attached = bothAttached(this.#attached, podClass.attached);
    if (change.held.length > 0 || this.#held.length > 0) this.#reserved.reservations.hold(this.hostname, change.held);
    this.#held = change.held;
    this.#minValuesRelaxed ||= change.minValuesRelaxed;
    const { counting, keepingAway } = podClass;
    if (counting.length + keepingAway.length > 0 || !this.#uncounted.isEmpty)
      recordInTopology(counting, keepingAway, this.#asCandidate(change.requirements), this.#uncounted);
  }

  /** How many more pods of the class placed last have room; 0 where more than room decides. */
  roomFor(podClass: PodClass): number {
    const isPlain = podClass.volumeAlternatives.length === 1 && this.#isUpToRoom(podClass, this.#requirements);
    return isPlain && this.#roomiest !== undefined
      ? timesFitting(podClass.row, this.#total, this.#roomiest.available)
      : 0;
  }

  /** Places further pods beside one of their class. The caller checks the room with `roomFor`. */
  addMore(pods: readonly Pod[], { row, counting, keepingAway }: PodClass): void {
    this.#cheapest = undefined;
    for (const pod of pods) this.pods.push(pod);
    this.#total = this.#total.map((amount, resource) => amount + (row[resource] ?? 0) * pods.length);
    if (counting.length + keepingAway.length === 0) return;
    for (const _ of pods)
      recordInTopology(counting, keepingAway, this.#asCandidate(this.#requirements), this.#uncounted);
  }

  #narrowTo(types: BitSet): void {
    const { table } = this.template;
    this.#types = types;
    this.#largest = table.largestAvailable(types);
    this.#roomiest = table.roomiest(types);
  }

  #asCandidate(requirements: Requirements) {
    return {
      requirements,
      taints: this.template.taints,
      mayBeUndefined: this.#mayBeUndefined,
      planned: this.index,
      uncounted: this.#uncounted,
    };
  }
}

/** The minimum counts that the types do not meet. Most nodes have no minimum counts. */
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
