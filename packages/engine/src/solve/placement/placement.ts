import { kubernetesLabels } from '@nodewright/apis';
import { bitSet, withBit, type BitSet } from '../bit-set.ts';
import type { ExistingNode } from '../nodes/existing/existing-node.ts';
import type { ExistingNodes } from '../nodes/existing/existing-nodes.ts';
import { FewestFirst, type NodeExclusion } from './fewest-first.ts';
import type { NodeTemplate } from '../nodes/node-template.ts';
import { ExcludedNodes } from './excluded-nodes.ts';
import type { PlacementQueue } from '../pods/placement-queue.ts';
import { PlannedDomains } from './planned-domains.ts';
import { PlannedNode, type PlannedNodeChange } from '../nodes/planned-node.ts';
import type { ClassifiedPod, PodClass, PodForm } from '../pods/pod-class.ts';
import type { PoolLimits } from '../nodes/pool-limits.ts';
import type { SchedulingOptions } from '../problem.ts';
import { priceRise, type PlannedNodePreference } from './node-choice.ts';
import type { Reservations } from '../nodes/reservations.ts';
import type { ResourceRow } from '../../instance-types/resource-rows.ts';
import type { Topology } from '../topology/topology.ts';
import { SpareRoom } from './spare-room.ts';
import { workOf, type WorkMeter } from '../work-meter.ts';
import { UnforeseenDomains } from '../topology/unforeseen-domains.ts';

/** The nodes, pools and rules on which a round places pods. */
export type PlacementGround = {
  readonly existing: ExistingNodes;
  readonly templates: readonly NodeTemplate[];
  readonly limits: PoolLimits;
  readonly reservations: Reservations;
  readonly topology: Topology;
  readonly emptyRow: ResourceRow;
  /** Names of the resources, in the order of rows. */
  readonly names: readonly string[];
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly options: SchedulingOptions;
  readonly nodeChoice: PlannedNodePreference;
  /** Counts the work of the round. */
  readonly meter: WorkMeter;
};

/**
 * What a round may come to: its nodes, what they cost together, in millionths of a dollar per hour, and how many questions
 * to nodes it takes.
 */
export type RoundTotals = { readonly nodes: number; readonly price: number; readonly asked: number };

/** `deferred`: the pod could use reserved capacity that other nodes hold, so the round opens no other node for it. */
export type PlacementOutcome = 'placed' | 'refused' | 'deferred';

/** The state of a round: existing, planned and possible nodes, and the placements so far. */
export class RoundPlacement {
  readonly ground: PlacementGround;
  readonly planned: PlannedNode[] = [];
  readonly unforeseen: UnforeseenDomains;
  /** How many preferences the placed pods of a class have given up. Classes that gave up none are absent. */
  readonly givenUp = new Map<PodClass, number>();
  /** The number of times that the round asked a node whether it takes a pod. It measures the work of a strategy. */
  asked = 0;
  /** What the planned nodes cost at least, once they are finished, in millionths of a dollar per hour. It never falls. */
  #lowestTotal = 0;
  readonly #order = new FewestFirst();
  readonly #spare = new SpareRoom();
  readonly #domains: PlannedDomains;
  readonly #exclusions = new Map<PodForm, ExcludedNodes>();
  /** Nodes that will never take a pod, by class and by the number of its form. */
  readonly #refusing = new Map<PodClass, RefusingNode[]>();
  /** The planned node that took the last pod without a relaxed preference and without a topology rule. */
  #plainly: PlannedNode | undefined;
  /** The next node of each pool, while no pod is on it. */
  readonly #blank = new Map<NodeTemplate, PlannedNode | undefined>();

  constructor(ground: PlacementGround) {
    this.ground = ground;
    this.#domains = new PlannedDomains(ground.topology.domains);
    const spreads = [...ground.topology.strictSpreads].filter(({ spec }) => spec.key !== kubernetesLabels.hostname);
    this.unforeseen = new UnforeseenDomains(spreads);
  }

  /**
   * Places one pod on the first node that takes it: existing nodes, then planned nodes with the fewest
   * pods or the least rise of price, then a new node of the first suitable pool. Gives up one preference at a time until
   * a node fits. A pod that waits for reserved capacity gives up no preference.
   */
  place(candidate: ClassifiedPod): PlacementOutcome {
    this.#plainly = undefined;
    for (let form = 0; form < candidate.podClass.forms.length; form++) {
      const attempt = this.#attempt(candidate, form);
      const isPlaced = this.#placeOnExisting(attempt) || this.#placeOnPlanned(attempt);
      const outcome = isPlaced ? 'placed' : this.#placeOnNew(attempt);
      if (outcome === 'placed' && form > 0) this.#noteGivenUp(candidate.podClass, form);
      if (outcome !== 'refused') return outcome;
    }
    return 'refused';
  }

  /**
   * Places a pod on the node that is promised to it and gives up as few preferences as possible.
   * @returns `taken` when others have taken its room or the place that a rule about other pods leaves; `notAdmitted` when the node as it is now admits no such pod
   */
  placeAsPromised({ pod, podClass }: ClassifiedPod, node: ExistingNode): 'placed' | 'taken' | 'notAdmitted' {
    for (const [form, wanted] of podClass.forms.entries()) {
      if (node.consider(podClass, wanted) !== 'fits') continue;
      node.add(pod, podClass);
      if (form > 0) this.#noteGivenUp(podClass, form);
      return 'placed';
    }
    if (!node.hasRoomFor(podClass)) return 'taken';
    return podClass.forms.some((form) => node.admits(podClass, form)) ? 'taken' : 'notAdmitted';
  }

  #noteGivenUp(podClass: PodClass, preferences: number): void {
    this.givenUp.set(podClass, (this.givenUp.get(podClass) ?? 0) + preferences);
  }

  /**
   * Puts pods of the class that was placed last beside the last one, as far as each of them would go there by itself:
   * nodes that refused it refuse them too, and until a node that may take them has fewer pods this one comes first.
   * @returns how many were placed, taken off the queue
   */
  placeMore(podClass: PodClass, queue: PlacementQueue): number {
    const node = this.#plainly;
    if (this.ground.nodeChoice !== 'fewestPods') return 0;
    const most = node === undefined ? 0 : Math.min(node.roomFor(podClass), this.#leadOf(node, podClass));
    const pods = most === 0 ? [] : queue.takeEquals(podClass, most);
    if (node === undefined || pods.length === 0) return 0;
    const from = node.pods.length;
    node.addMore(pods, podClass);
    this.ground.meter.add(workOf.placement);
    this.#order.move(node.index, { from, to: node.pods.length });
    return pods.length;
  }

  /** How many pods of a class the node takes one by one before another suitable node comes first. */
  #leadOf({ index, pods }: PlannedNode, podClass: PodClass): number {
    const exclusion = this.#exclusionsFor(podClass.forms[0] as PodForm);
    exclusion.refresh(this.#refusingOf(podClass, 0).planned);
    const next = this.#order.find(exclusion, (other) => other !== index);
    if (next === undefined) return Infinity;
    const lead = (this.planned[next]?.pods.length ?? 0) - pods.length;
    return Math.max(0, index < next ? lead + 1 : lead);
  }

  #placeOnExisting({ pod, podClass, form, refusing }: PlacementAttempt): boolean {
    const { existing } = this.ground;
    if (existing.count === 0) return false;
    const found = existing.find(podClass, refusing.existing, (node, number) => {
      this.asked += 1;
      this.ground.meter.add(workOf.question);
      const answer = node.consider(podClass, form);
      if (answer === 'never') refusing.existing = withBit(refusing.existing, number);
      return answer === 'fits';
    });
    found?.add(pod, podClass);
    return found !== undefined;
  }

  #placeOnPlanned(attempt: PlacementAttempt): boolean {
    const exclusion = this.#exclusionsFor(attempt.form);
    if (this.planned.length === 0 || !exclusion.refresh(attempt.refusing.planned)) return false;
    const choice = this.#choosePlanned(attempt, exclusion);
    if (choice === undefined) return false;
    this.#put(attempt, choice.node, choice.change);
    this.#order.move(choice.node.index, { from: choice.node.pods.length - 1, to: choice.node.pods.length });
    return true;
  }

  /** The planned node that takes the pod, by the preference of the round. Nodes that need not become dearer are asked first. */
  #choosePlanned(attempt: PlacementAttempt, exclusion: ExcludedNodes): PlannedChoice | undefined {
    const { nodeChoice } = this.ground;
    const takesFirst = nodeChoice !== 'leastRise';
    if (nodeChoice !== 'fewestPods') {
      const among = this.#spare.within(exclusion, attempt.podClass.row);
      const choice = this.#askPlanned(attempt, { exclusion, among, takesFirst });
      if (choice !== undefined && (takesFirst || choice.rise <= 0)) return choice;
    }
    return this.#askPlanned(attempt, { exclusion, among: exclusion, takesFirst });
  }

  /**
   * Asks planned nodes in their order. With `takesFirst` the first node that takes the pod is chosen. Without it, the node
   * whose price rises least is chosen, and the search ends at one whose price does not rise.
   * @param asked.among the nodes to ask
   */
  #askPlanned(
    { podClass, form, refusing }: PlacementAttempt,
    asked: { readonly exclusion: ExcludedNodes; readonly among: NodeExclusion; readonly takesFirst: boolean },
  ): PlannedChoice | undefined {
    let choice: PlannedChoice | undefined;
    this.#order.find(asked.among, (index) => {
      this.asked += 1;
      this.ground.meter.add(workOf.question);
      const node = this.planned[index];
      if (node !== undefined && isPoolClosed(node.template, podClass)) {
        refusing.planned = withBit(refusing.planned, index);
        return false;
      }
      const answer = node?.consider(podClass, form, 'Strict') ?? 'never';
      if (node !== undefined && typeof answer === 'object') {
        const rise = asked.takesFirst ? 0 : priceRise(node, answer);
        if (choice === undefined || rise < choice.rise) choice = { node, change: answer, rise };
        return rise <= 0;
      }
      if (answer === 'never') asked.exclusion.refuse(index);
      if (answer === 'tooMuch') refusing.planned = withBit(refusing.planned, index);
      return false;
    });
    return choice;
  }

  /** Opens a node of the first pool that can take the pod. A pool with reserved capacity worth waiting for defers the pod. */
  #placeOnNew(attempt: PlacementAttempt): PlacementOutcome {
    const { podClass, form } = attempt;
    const { templates, limits, options } = this.ground;
    for (const template of templates) {
      const node = isPoolClosed(template, podClass) ? undefined : this.#blankOf(template);
      if (node === undefined) continue;
      this.ground.meter.add(workOf.newNode);
      const change = node.consider(podClass, form, options.minValuesPolicy);
      if (change === 'deferred') return change;
      if (typeof change === 'string') continue;
      this.planned.push(node);
      this.#blank.clear();
      this.#put(attempt, node, change);
      limits.spend(template, () => node.types);
      this.#order.move(node.index, { from: 0, to: 1 });
      return 'placed';
    }
    return 'refused';
  }

  #put({ pod, podClass, form }: PlacementAttempt, node: PlannedNode, change: PlannedNodeChange): void {
    const before = node.requirements;
    const costsBefore = this.#costOf(node);
    node.add(pod, podClass, change);
    this.#lowestTotal += this.#costOf(node) - costsBefore;
    if (this.ground.nodeChoice !== 'fewestPods') this.#spare.note(node);
    this.ground.meter.add(workOf.placement);
    if (form === podClass.forms[0] && form.stakes.length === 0) this.#plainly = node;
    this.#domains.note(node.index, node.pods.length === 1 ? undefined : before, node.requirements);
  }

  /** Whether the finished nodes will be more, or cost more, than these, wherever the other pods go, or take too long to find. */
  exceeds({ nodes, price, asked }: RoundTotals): boolean {
    return this.planned.length > nodes || this.#lowestTotal > price || this.asked > asked;
  }

  /**
   * The lowest price of a node with pods; 0 where it is not looked for: offerings of split types are chosen when a node
   * is finished, and the first strategy has nothing that it is compared with.
   */
  #costOf(node: PlannedNode): number {
    const isLookedFor = this.ground.nodeChoice !== 'fewestPods' && node.pods.length > 0 && !node.template.table.isSplit;
    return isLookedFor ? node.cheapest.price : 0;
  }

  /** The nodes that a pod could open, in the order in which pools are tried. */
  blankNodes(): readonly PlannedNode[] {
    return this.ground.templates.flatMap((template) => this.#blankOf(template) ?? []);
  }

  /** A new, empty node of a pool; `undefined` when the pool has no types or its limits leave no room. */
  #openNode(template: NodeTemplate): PlannedNode | undefined {
    const types = this.ground.limits.admitted(template);
    return 'exceeded' in types ? undefined : this.emptyNode(template, types);
  }

  /** The next node of a pool with these types. */
  emptyNode(template: NodeTemplate, types: BitSet): PlannedNode {
    const { emptyRow, wellKnownLabels, reservations, options } = this.ground;
    const reserved = { reservations, policy: options.reservedCapacity ?? 'Strict' };
    const { planned, unforeseen } = this;
    return new PlannedNode({
      template,
      index: planned.length,
      types,
      emptyRow,
      wellKnownLabels,
      reserved,
      unforeseen,
    });
  }

  #blankOf(template: NodeTemplate): PlannedNode | undefined {
    if (!this.#blank.has(template)) this.#blank.set(template, this.#openNode(template));
    return this.#blank.get(template);
  }

  #attempt({ pod, podClass }: ClassifiedPod, number: number): PlacementAttempt {
    const form = podClass.forms[number] as PodForm;
    return { pod, podClass, form, refusing: this.#refusingOf(podClass, number) };
  }

  #refusingOf(podClass: PodClass, number: number): RefusingNode {
    let all = this.#refusing.get(podClass);
    if (all === undefined) {
      all = podClass.forms.map(() => ({ existing: noRefusals, planned: noRefusals }));
      this.#refusing.set(podClass, all);
    }
    return all[number] as RefusingNode;
  }

  #exclusionsFor(form: PodForm): ExcludedNodes {
    let exclusion = this.#exclusions.get(form);
    if (exclusion === undefined) {
      exclusion = new ExcludedNodes(form.stakes, this.#domains);
      this.#exclusions.set(form, exclusion);
    }
    return exclusion;
  }
}

const isPoolClosed = ({ nodePool }: NodeTemplate, { held }: PodClass): boolean =>
  held?.closed.has(nodePool.metadata.name) ?? false;

/** A node that takes a pod, and by how much its price rises, in millionths of a dollar per hour. */
type PlannedChoice = { readonly node: PlannedNode; readonly change: PlannedNodeChange; readonly rise: number };

type RefusingNode = { existing: BitSet; planned: BitSet };

/** A pod in one of its forms that looks for a node. */
type PlacementAttempt = ClassifiedPod & { readonly form: PodForm; readonly refusing: RefusingNode };

const noRefusals: BitSet = bitSet(0);
