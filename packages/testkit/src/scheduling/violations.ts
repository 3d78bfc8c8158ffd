import {
  labelSelectorPredicate,
  type NodeSelectorRequirement,
  type Pod,
  readOwn,
  type Taint,
  type Toleration,
} from '@nodewright/apis';
import {
  nodeNameOf,
  type NodeState,
  type InstanceType,
  type Offering,
  type NewNode,
  type SchedulingProblem,
  type SchedulingResult,
} from '@nodewright/engine';

type Labels = Readonly<Record<string, string>>;

/** A node with its pods, and every set of labels it may come to have. */
type Place = {
  readonly name: string;
  readonly possible: readonly Labels[];
  readonly taints: readonly Taint[];
  readonly pods: readonly Pod[];
  /** Pods that this round has put there. */
  readonly placed: readonly Pod[];
};

const hostname = 'kubernetes.io/hostname';

/**
 * Every rule of Kubernetes that a solution breaks, as sentences; none for a good one. Knows nothing
 * of how the solver works: it looks at all labels each node may come to have. Spreads are held at
 * the end, so all pods that one counts must state it too.
 */
export function violations(problem: SchedulingProblem, result: SchedulingResult): readonly string[] {
  const places = [
    ...result.newNodes.map((node, index) => newPlace(node, index)),
    ...problem.nodes.map((state) => existingPlace(state, result)),
  ];
  return [
    ...places.flatMap(brokenOnNode),
    ...places.flatMap((place) => brokenAffinity(place, places)),
    ...brokenSpreads(places),
    ...brokenLimits(problem, result),
  ];
}

const newPlace = (node: NewNode, index: number): Place => ({
  name: `new-${index}`,
  possible: node.instanceTypes.flatMap((type) => waysToBe(node, type, `new-${index}`)),
  taints: node.nodePool.spec.template.spec.taints ?? [],
  pods: node.pods,
  placed: node.pods,
});

function existingPlace(state: NodeState, { existing }: SchedulingResult): Place {
  const labels = (state.node ?? state.nodeClaim)?.metadata.labels ?? {};
  const placed = existing.find(({ node }) => node === state)?.pods ?? [];
  return {
    name: nodeNameOf(state),
    possible: [{ [hostname]: nodeNameOf(state), ...labels }],
    taints: state.node?.spec?.taints ?? state.nodeClaim?.spec.taints ?? [],
    pods: [...state.pods, ...placed],
    placed,
  };
}

/** One label set per way to buy the type within the node's requirements. */
function waysToBe({ requirements, nodePool }: NewNode, type: InstanceType, name: string): readonly Labels[] {
  const single = (key: string, values: ReadonlySet<string>) => {
    const asked = requirements.get(key);
    const allowed = [...values].filter((value) => asked === undefined || asked.values.has(value) !== asked.complement);
    return [key, allowed.toSorted()[0] ?? ''] as const;
  };
  const own = [...type.requirements.values()].filter(({ values }) => values.size > 0);
  const custom = [...requirements.values()].filter(({ complement, values }) => !complement && values.size === 1);
  const base = {
    ...nodePool.spec.template.metadata?.labels,
    ...Object.fromEntries(custom.map(({ key, values }) => single(key, values))),
    ...Object.fromEntries(own.map(({ key, values }) => single(key, values))),
    [hostname]: name,
  };
  return type.offerings
    .filter((offering) => isBought(offering, requirements))
    .map((offering) => ({
      ...base,
      'topology.kubernetes.io/zone': offering.zone,
      'karpenter.sh/capacity-type': offering.capacityType,
    }));
}

const isBought = ({ available, zone, capacityType }: Offering, requirements: NewNode['requirements']): boolean =>
  available &&
  [['topology.kubernetes.io/zone', zone] as const, ['karpenter.sh/capacity-type', capacityType] as const].every(
    ([key, value]) => {
      const asked = requirements.get(key);
      return asked === undefined || asked.values.has(value) !== asked.complement;
    },
  );

function brokenOnNode({ name, possible, taints, placed }: Place): readonly string[] {
  if (possible.length === 0) return [`${name} cannot be bought`];
  return placed.flatMap((pod) => [
    ...taints
      .filter((taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, pod.spec.tolerations ?? []))
      .map((taint) => `${pod.metadata.name} does not tolerate ${taint.key} of ${name}`),
    ...possible
      .filter((labels) => !admits(labels, pod))
      .slice(0, 1)
      .map((labels) => `${pod.metadata.name} is on ${name}, which may be ${JSON.stringify(labels)}`),
  ]);
}

const isTolerated = (taint: Taint, tolerations: readonly Toleration[]): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );

function admits(labels: Labels, { spec }: Pod): boolean {
  const selector = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => readOwn(labels, key) === value);
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    selector &&
    (terms === undefined || terms.some(({ matchExpressions = [] }) => matchExpressions.every((e) => holds(labels, e))))
  );
}

function holds(labels: Labels, { key, operator, values = [] }: NodeSelectorRequirement): boolean {
  const value = readOwn(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return true;
  }
}

const domainsOf = ({ possible }: Place, key: string): ReadonlySet<string> =>
  new Set(possible.flatMap((labels) => readOwn(labels, key) ?? []));

const soleDomain = (place: Place, key: string): string | undefined => {
  const [domain, ...others] = domainsOf(place, key);
  return others.length === 0 ? domain : undefined;
};

function brokenAffinity(place: Place, places: readonly Place[]): readonly string[] {
  return place.placed.flatMap((pod) => {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const together = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const apart = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const matching = (selector: Parameters<typeof labelSelectorPredicate>[0]) => {
      const matches = labelSelectorPredicate(selector);
      return places.flatMap((other) =>
        other.pods.filter((each) => each !== pod && matches(each.metadata.labels)).map((each) => ({ each, other })),
      );
    };
    return [
      ...apart
        .filter(({ topologyKey, labelSelector }) =>
          matching(labelSelector).some(({ other }) => mayShare(place, other, topologyKey)),
        )
        .map(({ topologyKey }) => `${pod.metadata.name} may share ${topologyKey} with what it keeps away from`),
      ...together
        .filter(({ topologyKey, labelSelector }) => {
          const others = matching(labelSelector);
          const isFirst = others.length === 0 && labelSelectorPredicate(labelSelector)(pod.metadata.labels);
          return !isFirst && !others.some(({ other }) => other === place) && !surelyBeside(place, others, topologyKey);
        })
        .map(({ topologyKey }) => `${pod.metadata.name} is not surely in one ${topologyKey} with what it belongs to`),
    ];
  });
}

const mayShare = (a: Place, b: Place, key: string): boolean => {
  const there = domainsOf(b, key);
  return a === b ? there.size > 0 : [...domainsOf(a, key)].some((domain) => there.has(domain));
};

/** Wherever the node comes to be, one of the others is sure to be there. */
function surelyBeside(place: Place, others: readonly { readonly other: Place }[], key: string): boolean {
  const domains = [...domainsOf(place, key)];
  return domains.length > 0 && domains.every((domain) => others.some(({ other }) => soleDomain(other, key) === domain));
}

function brokenSpreads(places: readonly Place[]): readonly string[] {
  return places.flatMap((place) =>
    place.placed.flatMap((pod) =>
      (pod.spec.topologySpreadConstraints ?? [])
        .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
        .flatMap(({ topologyKey, labelSelector, maxSkew }) => {
          const matches = labelSelectorPredicate(labelSelector);
          const counts = new Map<string, number>();
          for (const each of places) {
            const domain = soleDomain(each, topologyKey);
            const count = each.pods.filter(({ metadata }) => matches(metadata.labels)).length;
            if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + count);
            else if (count > 0)
              return [`${pod.metadata.name} is spread over ${topologyKey}, but where ${each.name} is stays open`];
          }
          const most = Math.max(...counts.values());
          const least = topologyKey === hostname ? 0 : Math.min(...counts.values());
          const allowed = topologyKey === hostname ? maxSkew : maxSkew + least;
          return most > allowed
            ? [`${topologyKey} of ${pod.metadata.name} is skewed: ${JSON.stringify([...counts])}`]
            : [];
        }),
    ),
  );
}

/** Limits on the number of nodes, and on cpu if every node came as the smallest it may be. */
function brokenLimits({ nodePools, nodes }: SchedulingProblem, { newNodes }: SchedulingResult): readonly string[] {
  return nodePools.flatMap(({ nodePool }) => {
    const { name } = nodePool.metadata;
    const limit = nodePool.spec.limits?.['nodes'];
    const launched = newNodes.filter((node) => node.nodePool === nodePool);
    const standing = nodes.filter(
      ({ node, nodeClaim }) => (node ?? nodeClaim)?.metadata.labels?.['karpenter.sh/nodepool'] === name,
    );
    const cpu = launched.reduce((sum, node) => sum + mostCpuOf(node), 0);
    const cpuLimit = nodePool.spec.limits?.['cpu'];
    return [
      ...(limit !== undefined && launched.length > 0 && launched.length + standing.length > Number(limit)
        ? [`${name} has more than ${limit} nodes`]
        : []),
      ...(cpuLimit !== undefined && cpu > Number(cpuLimit) * 1000 ? [`${name} may come to have ${cpu}m cpu`] : []),
    ];
  });
}

/** An offering may have another capacity than its type. */
const mostCpuOf = ({ instanceTypes, requirements }: NewNode): number =>
  Math.max(
    ...instanceTypes.flatMap(({ capacity, offerings }) =>
      offerings
        .filter((offering) => isBought(offering, requirements))
        .map(({ overrides }) => overrides?.capacity?.['cpu'] ?? capacity['cpu'] ?? 0),
    ),
  );
