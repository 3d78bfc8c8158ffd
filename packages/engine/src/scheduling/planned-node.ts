import { kubernetesLabels } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import { incompatibility } from '../requirements/compatibility.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { countMinValues, relaxMinValues } from '../requirements/min-values.ts';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { takenPort } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import type { Resources } from './instance-type.ts';
import type { NodeTemplate, TypeOption } from './node-template.ts';
import type { PodClass, PodForm } from './pod-class.ts';
import type { Obstacle } from './reasons.ts';
import { addRows, largestOf, sumFits } from './resource-rows.ts';
import type { ResourceRow } from './resource-rows.ts';
import { addResources, noResources } from './resources.ts';
import { untoleratedTaint } from './tolerations.ts';
import { placeInTopology, recordInTopology } from './topology/topology-placement.ts';
import { remainingOptions, unmetCriteria } from './type-filter.ts';

/** What a planned node becomes when a pod is put on it. */
export type NodeChange = {
  readonly requirements: Requirements;
  readonly options: readonly TypeOption[];
  readonly total: ResourceRow;
  readonly minValuesRelaxed: boolean;
};

export type PlacementAnswer<Change> =
  | { readonly kind: 'fits'; readonly change: Change }
  /** `forGood`: this pod in this form will never fit here, whatever else is placed. */
  | { readonly kind: 'refused'; readonly obstacle: Obstacle; readonly forGood: boolean };

const refused = (obstacle: Obstacle, forGood = true) => ({ kind: 'refused', obstacle, forGood }) as const;

/** A node that will be launched: filled pod by pod, its instance types narrowing as it fills. */
export class PlannedNode {
  readonly template: NodeTemplate;
  readonly hostname: string;
  readonly pods: Pod[] = [];
  #requirements: Requirements;
  #options: readonly TypeOption[];
  #total: ResourceRow;
  #largest: ResourceRow;
  #requests: Resources = noResources;
  #hostPorts: readonly HostPort[] = [];
  #minValuesRelaxed = false;
  readonly #mayBeUndefined: ReadonlySet<string>;
  readonly #refusedForGood = new Map<PodForm, Obstacle>();

  constructor(from: {
    readonly template: NodeTemplate;
    readonly hostname: string;
    /** Those of the template's options that its pool's limits leave. */
    readonly options: readonly TypeOption[];
    readonly emptyRow: ResourceRow;
    readonly wellKnownLabels: ReadonlySet<string>;
  }) {
    this.template = from.template;
    this.hostname = from.hostname;
    const host = requirementsOfLabels({ [kubernetesLabels.hostname]: from.hostname });
    this.#requirements = intersectSets(from.template.requirements, host);
    this.#options = from.options;
    this.#total = from.emptyRow;
    this.#largest = this.#largestAvailable();
    this.#mayBeUndefined = from.wellKnownLabels;
  }

  get requirements(): Requirements {
    return this.#requirements;
  }

  get options(): readonly TypeOption[] {
    return this.#options;
  }

  /** What its pods take, without daemons. */
  get requests(): Resources {
    return this.#requests;
  }

  get minValuesRelaxed(): boolean {
    return this.#minValuesRelaxed;
  }

  /** Whether a pod fits, and what that would make of the node. Changes nothing. */
  consider(podClass: PodClass, form: PodForm, minValues: 'Strict' | 'BestEffort'): PlacementAnswer<NodeChange> {
    const before = this.#refusedForGood.get(form);
    if (before !== undefined) return refused(before);
    const answer = this.#judge(podClass, form, minValues);
    if (answer.kind === 'refused' && answer.forGood) this.#refusedForGood.set(form, answer.obstacle);
    return answer;
  }

  #judge(podClass: PodClass, form: PodForm, minValues: 'Strict' | 'BestEffort'): PlacementAnswer<NodeChange> {
    if (this.pods.length > 0 && !sumFits(this.#total, podClass.row, this.#largest)) {
      return refused({ kind: 'resources', requests: podClass.requests });
    }
    const taint = untoleratedTaint(this.template.taints, form.constraints.tolerations);
    if (taint !== undefined) return refused({ kind: 'taint', taint });
    const port = takenPort(podClass.hostPorts, this.#hostPorts);
    if (port !== undefined) return refused({ kind: 'hostPort', port });
    const why = incompatibility(this.#requirements, form.requirements, this.#mayBeUndefined);
    if (why !== undefined) return refused({ kind: 'requirements', why });
    return this.#judgePlaces(podClass, form, minValues);
  }

  /** The first alternative of the pod's volumes for which topology and instance types leave something. */
  #judgePlaces(podClass: PodClass, form: PodForm, minValues: 'Strict' | 'BestEffort'): PlacementAnswer<NodeChange> {
    const wanted = intersectSets(this.#requirements, form.requirements);
    let last: PlacementAnswer<NodeChange> = refused({ kind: 'resources', requests: podClass.requests });
    for (const volumes of podClass.volumeAlternatives) {
      last = this.#judgePlace(podClass, form, { wanted, volumes, minValues });
      if (last.kind === 'fits') return last;
    }
    // One alternative may be refused for good while another may open up.
    return podClass.volumeAlternatives.length === 1 ? last : { ...last, forGood: false };
  }

  #judgePlace(
    podClass: PodClass,
    form: PodForm,
    place: {
      readonly wanted: Requirements;
      readonly volumes: Requirements;
      readonly minValues: 'Strict' | 'BestEffort';
    },
  ): PlacementAnswer<NodeChange> {
    const why = incompatibility(place.wanted, place.volumes, this.#mayBeUndefined);
    if (why !== undefined) return refused({ kind: 'volume', why });
    const answer = placeInTopology(form, this.#asCandidate(intersectSets(place.wanted, place.volumes)));
    if (answer.kind === 'refused') return answer;
    // Where a group sends the pod may change with what it counts, so what follows is final only without groups.
    return this.#judgeTypes(podClass, answer.requirements, {
      minValues: place.minValues,
      forGood: form.stakes.length === 0,
    });
  }

  #judgeTypes(
    podClass: PodClass,
    requirements: Requirements,
    { minValues, forGood }: { readonly minValues: 'Strict' | 'BestEffort'; readonly forGood: boolean },
  ): PlacementAnswer<NodeChange> {
    const total = addRows(this.#total, podClass.row);
    const hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    const demand = { requirements, total, hostPorts };
    const options = remainingOptions(this.#options, this.#requirements, demand);
    if (options.length === 0) {
      const requests = addResources(this.#requests, podClass.requests);
      return refused(
        { kind: 'instanceTypes', unmet: unmetCriteria(this.#options, demand), requirements, requests },
        forGood,
      );
    }
    const { short } = countMinValues(
      requirements,
      options.map(({ type }) => type),
    );
    if (short.length === 0) return { kind: 'fits', change: { requirements, options, total, minValuesRelaxed: false } };
    if (minValues === 'Strict' || this.pods.length > 0) return refused({ kind: 'minValues', short }, forGood);
    return { kind: 'fits', change: lowered({ requirements, options, total }, short) };
  }

  /** Puts a pod here, as considered just before. */
  add(pod: Pod, podClass: PodClass, change: NodeChange): void {
    this.pods.push(pod);
    const narrowed = change.options.length !== this.#options.length;
    this.#requirements = change.requirements;
    this.#options = change.options;
    this.#total = change.total;
    this.#requests = addResources(this.#requests, podClass.requests);
    this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    this.#minValuesRelaxed ||= change.minValuesRelaxed;
    if (narrowed) this.#largest = this.#largestAvailable();
    recordInTopology(podClass.counting, podClass.keepingAway, this.#asCandidate(change.requirements));
  }

  #largestAvailable(): ResourceRow {
    return largestOf(
      this.#options.map(({ available }) => available),
      this.#total.length,
    );
  }

  #asCandidate(requirements: Requirements) {
    return { requirements, taints: this.template.taints, mayBeUndefined: this.#mayBeUndefined };
  }
}

const lowered = (change: Omit<NodeChange, 'minValuesRelaxed'>, short: readonly MinValuesShortfall[]): NodeChange => ({
  ...change,
  requirements: relaxMinValues(change.requirements, short),
  minValuesRelaxed: true,
});
