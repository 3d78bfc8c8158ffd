import { kubernetesLabels, byNumberOf } from '@nodewright/apis';
import {
  conflictBetween,
  findIncompatibleLabel,
  requirementsIntersect,
  intersectSets,
  requirementsOfLabels,
  type Requirements,
} from '@nodewright/requirements';
import type { SchedulingProblem } from '@nodewright/engine';
import {
  addBit,
  addRows,
  bitSet,
  cheapestPrice,
  type ClassifiedPod,
  firstStrategy,
  fitsRow,
  type NodeTemplate,
  type PlacementGround,
  type PlacementOutcome,
  PlacementQueue,
  placeInTopology,
  placesInTopology,
  type PodForm,
  prepareRound,
  recordInTopology,
  type ResourceRow,
  toleratesAll,
  type TypeOption,
  UncountedPods,
} from '@nodewright/engine/inner';

type SimpleNode = {
  readonly template: NodeTemplate;
  readonly pods: string[];
  requirements: Requirements;
  options: readonly TypeOption[];
  total: ResourceRow;
  /** Ids of the capacity reservations it holds a place in. */
  held: readonly string[];
  readonly uncounted: UncountedPods;
};

type SimpleChange = Pick<SimpleNode, 'requirements' | 'options' | 'total' | 'held'>;

export type SimpleAnswer = {
  /** Names of the pods of each new node, and of its instance types. */
  readonly newNodes: readonly { readonly pods: readonly string[]; readonly types: readonly string[] }[];
  readonly unschedulable: readonly string[];
  readonly deferred: readonly string[];
};

/**
 * A second solver without the optimizations: every node is asked about every pod, every
 * instance type is checked by itself, nothing is remembered. For problems without host ports, volumes
 * and minimum counts. It is built from inner parts of the solver.
 */
export function simpleSchedule(problem: SchedulingProblem, way = firstStrategy): SimpleAnswer {
  const { placement, pods } = prepareRound(problem, way);
  const { ground } = placement;
  const nodes: SimpleNode[] = [];
  const queue = new PlacementQueue(pods, undefined, way.podOrder(pods, placement));
  const deferred = new Set<ClassifiedPod>();
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    const outcome = placeSimply(next, ground, nodes);
    deferred.delete(next);
    if (outcome === 'placed') continue;
    if (outcome === 'deferred') deferred.add(next);
    queue.pushBack(next);
  }
  return {
    newNodes: nodes.map((node) => ({ pods: node.pods, types: finalTypes(node) })),
    unschedulable: queue.left.filter((pod) => !deferred.has(pod)).map(({ pod }) => pod.metadata.name),
    deferred: queue.left.filter((pod) => deferred.has(pod)).map(({ pod }) => pod.metadata.name),
  };
}

function placeSimply(candidate: ClassifiedPod, ground: PlacementGround, nodes: SimpleNode[]): PlacementOutcome {
  const { pod, podClass } = candidate;
  for (const form of podClass.forms) {
    const existing = ground.existing.all.find((node) => node.consider(podClass, form) === 'fits');
    if (existing !== undefined) {
      existing.add(pod, podClass);
      return 'placed';
    }
    const open = nodes.toSorted(byNumberOf(({ pods }) => pods.length)).flatMap((node) => {
      const change = simpleChange(node, candidate, { form, ground, nodes });
      return change === undefined || change === 'deferred' ? [] : { node, change };
    });
    const chosen = choices[ground.nodeChoice](open);
    if (chosen !== undefined) {
      addToNode(chosen.node, candidate, { change: chosen.change, ground });
      return 'placed';
    }
    for (const node of ground.templates.flatMap((template) => openNode(template, ground, nodes.length))) {
      const change = simpleChange(node, candidate, { form, ground, nodes });
      if (change === 'deferred') return change;
      if (change === undefined) continue;
      addToNode(node, candidate, { change, ground });
      nodes.push(node);
      ground.limits.spend(node.template, () => typesOfNode(node));
      return 'placed';
    }
  }
  return 'refused';
}

type SimpleChoice = { readonly node: SimpleNode; readonly change: SimpleChange };

const choices: Readonly<
  Record<PlacementGround['nodeChoice'], (choices: readonly SimpleChoice[]) => SimpleChoice | undefined>
> = {
  fewestPods: ([first]) => first,
  roomToSpare: (open) => open.find(fitsCheapest) ?? open[0],
  leastRise: (open) => open.toSorted(byNumberOf(riseOf))[0],
};

/** Whether the node keeps its cheapest type, the first of equally cheap ones. */
function fitsCheapest({ node, change }: SimpleChoice): boolean {
  const price = lowestPrice(node);
  const cheapest = node.options.find(({ type }) => cheapestPrice(type, node.requirements) === price);
  return cheapest !== undefined && fitsRow(change.total, cheapest.available);
}

const riseOf = ({ node, change }: SimpleChoice): number => lowestPrice(change) - lowestPrice(node);

const lowestPrice = ({ options, requirements }: Pick<SimpleNode, 'options' | 'requirements'>): number =>
  Math.min(...options.map(({ type }) => cheapestPrice(type, requirements)));

/** A node that holds reservations comes from one of them. */
const finalTypes = ({ held, options, requirements }: SimpleNode): readonly string[] => [
  ...new Set(
    options
      .filter(
        (option) => held.length === 0 || reservationsOfOptions([option], requirements).some((id) => held.includes(id)),
      )
      .map(({ type }) => type.name),
  ),
];

const reservationsOfOptions = (options: readonly TypeOption[], requirements: Requirements): readonly string[] => [
  ...new Set(
    options
      .flatMap(({ type }) => type.offerings)
      .filter((offering) => offering.available && requirementsIntersect(requirements, offering.requirements))
      .flatMap(({ reservation }) => reservation?.id ?? []),
  ),
];

/** The reservations a node could hold beside all others; `deferred` when it suits some and can hold none. */
function holdable(node: SimpleNode, change: Omit<SimpleChange, 'held'>, nodes: readonly SimpleNode[]) {
  const suitable = reservationsOfOptions(change.options, change.requirements);
  const held = suitable.filter((id) => {
    const others = nodes.filter((other) => other !== node && other.held.includes(id)).length;
    return others < remainingIn(node.template.table.options, id);
  });
  return held.length === 0 && suitable.length + node.held.length > 0 ? 'deferred' : held;
}

const remainingIn = (options: readonly TypeOption[], id: string): number =>
  Math.min(
    ...options
      .flatMap(({ type }) => type.offerings)
      .flatMap(({ reservation }) => (reservation?.id === id ? reservation.remaining : [])),
  );

function openNode(template: NodeTemplate, { limits, emptyRow }: PlacementGround, count: number): readonly SimpleNode[] {
  const admitted = limits.admitted(template);
  if ('exceeded' in admitted) return [];
  const hostname = `hostname-placeholder-${String(count + 1).padStart(8, '0')}`;
  const requirements = intersectSets(
    template.requirements,
    requirementsOfLabels({ [kubernetesLabels.hostname]: hostname }),
  );
  const options = template.table.members(admitted);
  const uncounted = new UncountedPods();
  return [{ template, pods: [], requirements, options, total: emptyRow, held: [], uncounted }];
}

type SimpleAttempt = {
  readonly form: PodForm;
  readonly ground: PlacementGround;
  readonly nodes: readonly SimpleNode[];
};

function simpleChange(
  node: SimpleNode,
  { podClass }: ClassifiedPod,
  { form, ground, nodes }: SimpleAttempt,
): SimpleChange | 'deferred' | undefined {
  const { wellKnownLabels } = ground;
  if (!toleratesAll(node.template.taints, form.constraints.tolerations)) return undefined;
  if (findIncompatibleLabel(node.requirements, form.requirements, wellKnownLabels) !== undefined) return undefined;
  const defined = [...form.requirements].filter(([key]) => node.requirements.has(key) || wellKnownLabels.has(key));
  const candidate = {
    requirements: intersectSets(node.requirements, new Map(defined)),
    taints: node.template.taints,
    mayBeUndefined: wellKnownLabels,
    uncounted: node.uncounted,
  };
  const total = addRows(node.total, podClass.row);
  const first = placeInTopology(form, candidate);
  const choices = [...(first.kind === 'allowed' ? [first.requirements] : []), ...placesInTopology(form, candidate)];
  for (const requirements of choices) {
    const options = node.options.filter((option) => suitsOption(option, requirements, total));
    if (options.length === 0) continue;
    const held = holdable(node, { requirements, options, total }, nodes);
    return held === 'deferred' ? held : { requirements, options, total, held };
  }
  return undefined;
}

const suitsOption = ({ type, available }: TypeOption, requirements: Requirements, total: ResourceRow): boolean =>
  fitsRow(total, available) &&
  conflictBetween(requirements, type.requirements) === undefined &&
  type.offerings.some((offering) => offering.available && requirementsIntersect(requirements, offering.requirements));

function addToNode(
  node: SimpleNode,
  { pod, podClass }: ClassifiedPod,
  { change, ground }: { readonly change: SimpleChange; readonly ground: PlacementGround },
): void {
  Object.assign(node, change);
  node.pods.push(pod.metadata.name);
  const { requirements } = change;
  const { template, uncounted } = node;
  const { wellKnownLabels: mayBeUndefined } = ground;
  const candidate = { requirements, taints: template.taints, mayBeUndefined, uncounted };
  recordInTopology(podClass.counting, podClass.keepingAway, candidate, uncounted);
}

function typesOfNode({ template, options }: SimpleNode) {
  const types = bitSet(template.table.options.length);
  for (const option of options) addBit(types, template.table.options.indexOf(option));
  return types;
}
