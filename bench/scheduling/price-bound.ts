import { type Pod, type PodAffinityTerm, byNumberOf } from '@nodewright/apis';
import {
  podRequests,
  toleratesAll,
  type InstanceType,
  type PoolSupply,
  type SchedulingProblem,
} from '@nodewright/engine';
import { parseRequirements, requirementsIntersect, requirementsOfLabels } from '@nodewright/requirements';
import highsModule from 'highs';

/** The declarations of the package are those of its CommonJS form; the module that is imported is the function itself. */
const loadHighs = highsModule as unknown as typeof highsModule.default;

/**
 * A price in US dollars per hour that no answer for these pods can be below, when there are no nodes yet.
 *
 * It is the linear relaxation of the problem, solved by HiGHS: nodes and pods may be divided, the pods of a type take no more
 * of each resource than its nodes have. Requirements of pools, node selectors, daemons without a selector, the number of pods
 * of a node, and anti-affinity between hosts are part of it: the required one, and the preferred one where preferences are
 * respected, because they rank before the price. Spreads, affinities, anti-affinity between zones and whole nodes are not.
 */
export async function lowestPrice(problem: SchedulingProblem, pods: readonly Pod[]): Promise<number> {
  const program = programOf(problem, groupPods(problem, pods));
  if (program.groups.length === 0) return 0;
  const highs = await (loaded ??= loadHighs());
  const solution = highs.solve(writtenProgram(program), { output_flag: false });
  if (solution.Status !== 'Optimal') throw new Error(`the bound of the price: ${solution.Status}`);
  return solution.ObjectiveValue;
}

/** The solver, loaded when a bound is first asked for: it takes half a second. */
let loaded: ReturnType<typeof loadHighs> | undefined;

/** Requests above zero, one pod, and a host of its own where a pod keeps away from its like. */
type Wanted = ReadonlyMap<string, number>;

/** Pods that ask for the same. */
type PodGroup = { readonly pod: Pod; readonly wanted: Wanted; count: number };

function groupPods({ options }: SchedulingProblem, pods: readonly Pod[]): readonly PodGroup[] {
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    const wanted = wantedBy(pod, options.preferencePolicy === 'Respect');
    const text = JSON.stringify([[...wanted], pod.spec.nodeSelector, pod.spec.tolerations]);
    const known = groups.get(text);
    if (known === undefined) groups.set(text, { pod, wanted, count: 1 });
    else known.count += 1;
  }
  return [...groups.values()];
}

function wantedBy(pod: Pod, isRespectful: boolean): Wanted {
  const wanted = new Map(Object.entries(podRequests(pod)).filter(([, amount]) => amount > 0));
  wanted.set('pods', 1);
  const rules = pod.spec.affinity?.podAntiAffinity;
  const preferred = isRespectful ? (rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []) : [];
  const terms = [
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
  ];
  for (const term of terms) {
    const host = ownHost(pod, term);
    if (host !== undefined) wanted.set(host, 1);
  }
  return wanted;
}

/** The name of the place of which each host has one, for pods that keep away from their like. */
function ownHost({ metadata }: Pod, term: PodAffinityTerm): string | undefined {
  const labels = Object.entries(term.labelSelector?.matchLabels ?? {});
  const others = [term.labelSelector?.matchExpressions, term.namespaces, term.namespaceSelector];
  const isPlain = labels.length > 0 && others.every((each) => each === undefined);
  const isOwn = labels.every(([key, value]) => metadata.labels?.[key] === value);
  if (term.topologyKey !== 'kubernetes.io/hostname' || !isPlain || !isOwn) return undefined;
  return `${metadata.namespace ?? 'default'} ${JSON.stringify(labels)}`;
}

/** Nodes of one type at one of its prices, and the pods that may be on them. */
type PricedNodes = {
  readonly name: string;
  readonly price: number;
  readonly room: (resource: string) => number;
  readonly pods: PlacedPods[];
};

/** The pods of a group on nodes of one kind. */
type PlacedPods = { readonly name: string; readonly wanted: Wanted };

/** The pods of a group wherever they may be. */
type PlacedGroup = { readonly count: number; readonly pods: PlacedPods[] };

type Program = { readonly groups: readonly PlacedGroup[]; readonly nodes: readonly PricedNodes[] };

/** Which pods may be on which nodes. A group that fits nowhere is left out. */
function programOf(problem: SchedulingProblem, groups: readonly PodGroup[]): Program {
  const nodes = new Map<string, PricedNodes>();
  const placed = groups.map(({ count }): PlacedGroup => ({ count, pods: [] }));
  for (const [poolNumber, supply] of problem.nodePools.entries()) {
    const pool = poolOf(supply, problem);
    for (const [typeNumber, type] of supply.instanceTypes.entries()) {
      const room = roomOn(type, pool.overhead);
      for (const [number, group] of groups.entries()) {
        const price = pool.priceFor(group, type, room);
        if (price === undefined) continue;
        const name = `n_${poolNumber}_${typeNumber}_${price}`;
        const priced = nodes.get(name) ?? { name, price: price / 1e6, room, pods: [] };
        nodes.set(name, priced);
        const pods = { name: `p_${number}_${name}`, wanted: group.wanted };
        priced.pods.push(pods);
        placed[number]?.pods.push(pods);
      }
    }
  }
  return { nodes: [...nodes.values()], groups: placed.filter(({ pods }) => pods.length > 0) };
}

/** What a pool asks of its types, what its daemons take, and the least price at which pods get a type. */
function poolOf({ nodePool, instanceTypes }: PoolSupply, { daemonPods }: SchedulingProblem) {
  const { spec, metadata } = nodePool.spec.template;
  const own = parseRequirements(spec.requirements);
  const labels = requirementsOfLabels(metadata?.labels);
  const taints = spec.taints ?? [];
  const everywhere = daemonPods.filter(
    (daemon) =>
      daemon.spec.nodeSelector === undefined &&
      daemon.spec.affinity === undefined &&
      toleratesAll(taints, daemon.spec.tolerations ?? []),
  );
  const offered = new Map(
    instanceTypes.map((type) => [
      type,
      type.offerings
        .filter(({ available, requirements }) => available && requirementsIntersect(own, requirements))
        .toSorted(byNumberOf(({ priceMicroUsdPerHour }) => priceMicroUsdPerHour)),
    ]),
  );
  return {
    overhead: everywhere.map(podRequests),
    priceFor({ pod, wanted }: PodGroup, type: InstanceType, room: (resource: string) => number): number | undefined {
      const selector = requirementsOfLabels(pod.spec.nodeSelector);
      const suits = [own, selector].every((each) => requirementsIntersect(each, type.requirements));
      if (!suits || !requirementsIntersect(selector, labels)) return undefined;
      if (!toleratesAll(taints, pod.spec.tolerations ?? [])) return undefined;
      if ([...wanted].some(([resource, amount]) => amount > room(resource))) return undefined;
      return offered.get(type)?.find(({ requirements }) => requirementsIntersect(selector, requirements))
        ?.priceMicroUsdPerHour;
    },
  };
}

/** What pods can have of one node. A node is one host for each kind of pods that keep away from each other. */
function roomOn({ allocatable }: InstanceType, daemons: readonly Readonly<Record<string, number>>[]) {
  return (resource: string): number => {
    if (resource.includes(' ')) return 1;
    const taken = daemons.reduce((sum, daemon) => sum + (resource === 'pods' ? 1 : (daemon[resource] ?? 0)), 0);
    return (allocatable[resource] ?? 0) - taken;
  };
}

/** In the LP format of CPLEX: all nodes together cost least, all pods are placed, no node has more than it has room for. */
function writtenProgram({ groups, nodes }: Program): string {
  const price = sumOf(nodes.map((each) => [each.price, each.name]));
  const placed = groups.map(({ count, pods }) => `${sumOf(pods.map(({ name }) => [1, name]))} = ${count}`);
  const constraints = [...placed, ...nodes.flatMap(roomsOf)];
  return `Minimize\n${price}\nSubject To\n${constraints.join('\n')}\nEnd\n`;
}

/** For each resource, in shares of a node: what the pods take is at most the number of nodes. */
function roomsOf({ name, room, pods }: PricedNodes): readonly string[] {
  const resources = new Set(pods.flatMap(({ wanted }) => [...wanted.keys()]));
  return [...resources].map((resource) => {
    const shares = pods.flatMap(({ name: some, wanted }) => {
      const amount = wanted.get(resource);
      return amount === undefined ? [] : [[amount / room(resource), some] as const];
    });
    return `${sumOf([...shares, [-1, name]])} <= 0`;
  });
}

/** One term a line: the format allows no line of more than 560 characters. */
const sumOf = (terms: readonly (readonly [number, string])[]): string =>
  terms.map(([factor, name]) => `${factor < 0 ? '-' : '+'} ${Math.abs(factor)} ${name}`).join('\n');
