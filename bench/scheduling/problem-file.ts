import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { kubernetesLabels, karpenterLabels, wellKnownLabels } from '@nodewright/apis';
import type { Namespace, NodeClaim, NodePool, Pod, ResourceList, Node } from '@nodewright/apis';
import { requirementSet, oneOf, resourcesOf, subtractResources } from '@nodewright/engine';
import type { CapacityType, InstanceType, SchedulingOptions, SchedulingProblem } from '@nodewright/engine';

/** A scheduling problem as the interchange format writes it. */
type ProblemFile = {
  readonly wellKnownLabels: readonly string[];
  readonly instanceTypes: readonly WrittenInstanceType[];
  readonly nodePools: readonly NodePool[];
  readonly pods: readonly Pod[];
  readonly daemonSetPods?: readonly Pod[];
  readonly nodes?: readonly { readonly node?: Node; readonly nodeClaim?: NodeClaim; readonly pods?: readonly Pod[] }[];
  readonly namespaces?: readonly Namespace[];
  readonly options?: Partial<SchedulingOptions>;
};

type WrittenInstanceType = {
  readonly name: string;
  readonly requirements: Readonly<Record<string, readonly string[]>>;
  readonly capacity: ResourceList;
  readonly overhead: ResourceList;
  readonly offerings: readonly {
    readonly zone: string;
    readonly capacityType: CapacityType;
    readonly price: number;
    readonly available: boolean;
  }[];
};

/** Reads a `.json` or `.json.gz` problem. Daemon pods that name no owner are taken as what DaemonSets would run. */
export function readProblem(path: string, options: Partial<SchedulingOptions> = {}): SchedulingProblem {
  const bytes = readFileSync(path);
  const file = JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as ProblemFile;
  const instanceTypes = file.instanceTypes.map(instanceType);
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
      ...options,
      wellKnownLabels: new Set([...wellKnownLabels, ...file.wellKnownLabels]),
    },
  };
}

const instanceType = (written: WrittenInstanceType): InstanceType => {
  const capacity = resourcesOf(written.capacity);
  return {
    name: written.name,
    requirements: requirementSet(Object.entries(written.requirements).map(([key, values]) => oneOf(key, values))),
    capacity,
    allocatable: subtractResources(capacity, resourcesOf(written.overhead)),
    offerings: written.offerings.map(({ zone, capacityType, price, available }) => ({
      zone,
      capacityType,
      priceMicroUsdPerHour: Math.round(price * 1_000_000),
      available,
      requirements: requirementSet([
        oneOf(kubernetesLabels.zone, [zone]),
        oneOf(karpenterLabels.capacityType, [capacityType]),
      ]),
    })),
  };
};
