import { byTextOf, type Pod, type RequirementWithMinValues, type ResourceList } from '@nodewright/apis';
import { nodeNameOf } from '../cluster/node-state.ts';
import { podName } from '../pods/pod-state.ts';
import { requirementsIntersect, writeRequirements } from '@nodewright/requirements';
import type { Offering } from '../instance-types/instance-type.ts';
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
  const offerings = admittedOfferings(node);
  return {
    nodePool: node.nodePool.metadata.name,
    instanceTypes: node.instanceTypes.map(({ name }) => name),
    zones: distinctNames(offerings.map(({ zone }) => zone)),
    capacityTypes: distinctNames(offerings.map(({ capacityType }) => capacityType)),
    requirements: writeRequirements(node.requirements),
    requests: toResourceList(node.requests),
    pods: node.pods.map(podName).toSorted(),
    cheapestPrice: cheapestTypeOf(offerings) / 1_000_000,
  };
}

const admittedOfferings = ({ instanceTypes, requirements }: NewNode): readonly Offering[] =>
  instanceTypes
    .flatMap(({ offerings }) => offerings)
    .filter((offering) => offering.available && requirementsIntersect(requirements, offering.requirements));

const cheapestTypeOf = (offerings: readonly Offering[]): number =>
  offerings.reduce((cheapest, { priceMicroUsdPerHour }) => Math.min(cheapest, priceMicroUsdPerHour), Infinity);

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
