import {
  byTextOf,
  karpenterLabels,
  kubernetesLabels,
  type Namespace,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceList,
} from '@nodewright/apis';
import { requireOneOf, requirementSet, type Requirements } from '@nodewright/requirements';
import type { CapacityType, InstanceType, Offering } from '../instance-types/instance-type.ts';
import type { SchedulingOptions, SchedulingProblem } from '../solve/problem.ts';
import { resourcesOf, subtractResources, toResourceList } from '../instance-types/resources.ts';

/**
 * A scheduling problem as plain data: manifests as Kubernetes writes them, instance types with
 * prices in US dollars. Two schedulers can be held side by side on it.
 */
export type ProblemFile = {
  /** Labels that instance types define, beyond the core's own. */
  readonly wellKnownLabels?: readonly string[];
  readonly instanceTypes: readonly WrittenInstanceType[];
  readonly nodePools: readonly NodePool[];
  readonly pods: readonly Pod[];
  /** What each DaemonSet would run on a new node. */
  readonly daemonSetPods?: readonly Pod[] | null;
  readonly nodes?: readonly WrittenNode[] | null;
  readonly namespaces?: readonly Namespace[] | null;
  readonly options?: Partial<Pick<SchedulingOptions, 'preferencePolicy' | 'minValuesPolicy'>>;
};

type WrittenNode = { readonly node?: Node; readonly nodeClaim?: NodeClaim; readonly pods?: readonly Pod[] | null };

type WrittenInstanceType = {
  readonly name: string;
  /** Several values mean any of them; none that the label does not exist. */
  readonly requirements: Readonly<Record<string, readonly string[]>>;
  readonly capacity: ResourceList;
  readonly overhead: ResourceList;
  readonly offerings: readonly WrittenOffering[];
};

type WrittenOffering = {
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** US dollars per hour. */
  readonly price: number;
  readonly available: boolean;
  /** What a node bought this way has instead of what the type says, resource by resource. */
  readonly capacityOverride?: ResourceList;
  readonly overheadOverride?: ResourceList;
};

const coreLabels: readonly string[] = [
  kubernetesLabels.zone,
  kubernetesLabels.region,
  kubernetesLabels.instanceType,
  kubernetesLabels.arch,
  kubernetesLabels.os,
  kubernetesLabels.windowsBuild,
  karpenterLabels.capacityType,
  karpenterLabels.nodePool,
];

/**
 * The problem of a file. All NodePools see all instance types.
 * @throws ValueError for amounts that are no quantities
 */
export function problemFrom(file: ProblemFile): SchedulingProblem {
  const { instanceTypes, wellKnownLabels } = catalogueFrom(file);
  return {
    nodePools: file.nodePools.map((nodePool) => ({ nodePool, instanceTypes })),
    nodes: (file.nodes ?? []).map((state) => ({ ...state, pods: state.pods ?? [] })),
    pods: file.pods,
    daemonPods: file.daemonSetPods ?? [],
    namespaces: file.namespaces ?? [],
    options: {
      preferencePolicy: 'Respect',
      minValuesPolicy: 'Strict',
      ...file.options,
      wellKnownLabels,
    },
  };
}

/** The instance types of a file and the labels that they make known. */
export const catalogueFrom = (file: Pick<ProblemFile, 'instanceTypes' | 'wellKnownLabels'>) => ({
  instanceTypes: file.instanceTypes.map(instanceTypeFrom),
  wellKnownLabels: new Set([...coreLabels, ...(file.wellKnownLabels ?? [])]),
});

const instanceTypeFrom = (written: WrittenInstanceType): InstanceType => {
  const capacity = resourcesOf(written.capacity);
  return {
    name: written.name,
    requirements: requirementSet(
      Object.entries(written.requirements).map(([key, values]) => requireOneOf(key, values)),
    ),
    capacity,
    allocatable: subtractResources(capacity, resourcesOf(written.overhead)),
    offerings: written.offerings.map(offeringFrom),
  };
};

const offeringFrom = ({ zone, capacityType, price, available, ...own }: WrittenOffering): Offering => ({
  zone,
  capacityType,
  // Not rounded: what is paid must come out as it was written.
  priceMicroUsdPerHour: price * 1_000_000,
  available,
  requirements: requirementSet([
    requireOneOf(kubernetesLabels.zone, [zone]),
    requireOneOf(karpenterLabels.capacityType, [capacityType]),
  ]),
  ...overridesFrom(own),
});

type WrittenOverrides = Pick<WrittenOffering, 'capacityOverride' | 'overheadOverride'>;

const overridesFrom = ({
  capacityOverride: capacity,
  overheadOverride: overhead,
}: WrittenOverrides): Pick<Offering, 'overrides'> =>
  capacity === undefined && overhead === undefined
    ? {}
    : {
        overrides: {
          ...(capacity === undefined ? {} : { capacity: resourcesOf(capacity) }),
          ...(overhead === undefined ? {} : { overhead: resourcesOf(overhead) }),
        },
      };

const writtenOverrides = ({ overrides: { capacity, overhead } = {} }: Offering): WrittenOverrides => ({
  ...(capacity === undefined ? {} : { capacityOverride: toResourceList(capacity) }),
  ...(overhead === undefined ? {} : { overheadOverride: toResourceList(overhead) }),
});

/** The reverse of `problemFrom`: a problem to keep, to send or to solve elsewhere. Instance types are those of all pools, once each by name. */
export function writtenProblem(problem: SchedulingProblem): ProblemFile {
  const types = new Map(
    problem.nodePools.flatMap(({ instanceTypes }) => instanceTypes.map((type) => [type.name, type])),
  );
  const { preferencePolicy, minValuesPolicy, wellKnownLabels = new Set<string>() } = problem.options;
  return {
    wellKnownLabels: [...wellKnownLabels].filter((label) => !coreLabels.includes(label)).toSorted(),
    instanceTypes: [...types.values()].toSorted(byTextOf(({ name }) => name)).map(writtenInstanceType),
    nodePools: problem.nodePools.map(({ nodePool }) => nodePool),
    pods: problem.pods,
    daemonSetPods: problem.daemonPods,
    nodes: problem.nodes.map(({ node, nodeClaim, pods }) => ({
      ...(node === undefined ? {} : { node }),
      ...(nodeClaim === undefined ? {} : { nodeClaim }),
      pods,
    })),
    namespaces: problem.namespaces,
    options: { preferencePolicy, minValuesPolicy },
  };
}

const writtenInstanceType = ({ name, requirements, capacity, allocatable, offerings }: InstanceType) => ({
  name,
  requirements: writtenLabels(requirements),
  capacity: toResourceList(capacity),
  overhead: toResourceList(subtractResources(capacity, allocatable)),
  offerings: offerings.map((offering) => ({
    zone: offering.zone,
    capacityType: offering.capacityType,
    price: offering.priceMicroUsdPerHour / 1_000_000,
    available: offering.available,
    ...writtenOverrides(offering),
  })),
});

/** A label that the type leaves open is left out: the format lists values only. */
const writtenLabels = (requirements: Requirements): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...requirements.values()]
      .filter(({ complement }) => !complement)
      .map(({ key, values }) => [key, [...values].toSorted()] as const)
      .toSorted(byTextOf(([name]) => name)),
  );
