import { byTextOf, oncePerObject, type Pod, type RequirementWithMinValues, type ResourceList } from '@nodewright/apis';
import { nodeNameOf } from '../cluster/node-state.ts';
import { podName } from '../pods/pod-state.ts';
import { requirementsIntersect, writeRequirements } from '@nodewright/requirements';
import type { InstanceType, Offering } from '../instance-types/instance-type.ts';
import type { ExistingPlacement, NewNode, SchedulingResult, UnschedulablePod } from '../solve/problem.ts';
import { printedReasons, printedTogether } from '../solve/why/printed-reasons.ts';
import { toResourceList } from '../instance-types/resources.ts';

/** The answer to a problem file, without what a run took. Every pod of the problem is in it exactly once. */
export type SolutionFile = {
  readonly newNodes: readonly WrittenNewNode[];
  readonly existing: readonly { readonly node: string; readonly pods: readonly string[] }[];
  readonly errors: readonly UnplacedInFile[];
  /** US dollars per hour. */
  readonly stats: { readonly nodes: number; readonly totalCheapestPrice: number };
};

/** `message`: all that stands against the pod; `reasons`: the same, a line for each thing. */
type UnplacedInFile = { readonly pod: string; readonly message: string; readonly reasons?: readonly string[] };

export type WrittenNewNode = {
  readonly nodePool: string;
  readonly instanceTypes: readonly string[];
  /** Zones, capacity types and the cheapest price (US dollars per hour) are taken over the available offerings that the requirements admit. */
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly requirements: readonly RequirementWithMinValues[];
  readonly requests: ResourceList;
  /** `namespace/name` */
  readonly pods: readonly string[];
  readonly cheapestPrice: number;
};

/** A result in the interchange format: names sorted, equal for equal results. */
export function writtenSolution(result: SchedulingResult): SolutionFile {
  const { newNodes, existing, unschedulable, deferred, unreached } = result;
  const launched = newNodes.map(writtenNewNode);
  const errors = [...unschedulable.map(writtenError), ...deferred.map(writeDeferred), ...unreached.map(withoutTime)];
  return {
    newNodes: launched,
    existing: existing.map(writtenExisting).toSorted(byTextOf(({ node }) => node)),
    errors: errors.toSorted(byTextOf(({ pod }) => pod)),
    stats: {
      nodes: launched.length,
      totalCheapestPrice: launched.reduce((sum, { cheapestPrice }) => sum + cheapestPrice, 0),
    },
  };
}

function writtenNewNode(node: NewNode): WrittenNewNode {
  const offers = offersOf(node.instanceTypes).filter((offer) =>
    requirementsIntersect(node.requirements, offer.requirements),
  );
  return {
    nodePool: node.nodePool.metadata.name,
    instanceTypes: node.instanceTypes.map(({ name }) => name),
    zones: distinctNames(offers.map(({ zone }) => zone)),
    capacityTypes: distinctNames(offers.map(({ capacityType }) => capacityType)),
    requirements: writeRequirements(node.requirements),
    requests: toResourceList(node.requests),
    pods: node.pods.map(podName).toSorted(),
    cheapestPrice: offers.reduce((cheapest, { microUsd }) => Math.min(cheapest, microUsd), Infinity) / 1_000_000,
  };
}

/** Available offerings of several types that the same requirements admit, with the lowest of their prices. */
type EqualOffers = Pick<Offering, 'zone' | 'capacityType' | 'requirements'> & { microUsd: number };

/** Nodes that are launched from the same types share the list, and types are bought in few different ways. */
const offersOf = oncePerObject((types: readonly InstanceType[]): readonly EqualOffers[] => {
  const offers = new Map<string, EqualOffers>();
  for (const { offerings } of types) {
    for (const offering of offerings) {
      if (!offering.available) continue;
      const { zone, capacityType, requirements, priceMicroUsdPerHour } = offering;
      const key = keyOfOffering(offering);
      const equal = offers.get(key);
      if (equal === undefined) offers.set(key, { zone, capacityType, requirements, microUsd: priceMicroUsdPerHour });
      else equal.microUsd = Math.min(equal.microUsd, priceMicroUsdPerHour);
    }
  }
  return [...offers.values()];
});

const keyOfOffering = oncePerObject(({ zone, capacityType, requirements }: Offering): string =>
  JSON.stringify([zone, capacityType, writeRequirements(requirements)]),
);

const distinctNames = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();

const writtenExisting = ({ node, pods }: ExistingPlacement) => ({
  node: nodeNameOf(node),
  pods: pods.map(podName).toSorted(),
});

const writtenError = ({ pod, reasons }: UnschedulablePod): UnplacedInFile => {
  const message = printedTogether(reasons);
  const lines = printedReasons(reasons);
  return { pod: podName(pod), message, ...(lines.length > 1 ? { reasons: lines } : {}) };
};

const writeDeferred = (pod: Pod): UnplacedInFile => ({
  pod: podName(pod),
  message: 'waits for reserved capacity: what is left of it is promised to other nodes of this round',
});

const withoutTime = (pod: Pod): UnplacedInFile => ({ pod: podName(pod), message: 'not reached in time' });
