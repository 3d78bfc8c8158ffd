import { karpenterLabels, kubernetesLabels, byTextOf } from '@nodewright/apis';
import {
  type BufferOutcome,
  bufferOutcomes,
  type CheaperTypes,
  type InstanceType,
  nodeLabelsOf,
  nodeNameOf,
  type NodeState,
  overlaysAtWork,
  printedOverlays,
  type SchedulingResult,
  type SolutionFile,
  whyNotCheaper,
  type WrittenNewNode,
} from '@nodewright/engine';
import type { ManifestProblem } from './manifest-problem.ts';
import { solveProblem, type SolvingStats } from './solve-problem.ts';

/** A cheaper way that was not taken; prices in US dollars per hour. */
export type CheaperWay = Pick<CheaperTypes, 'constraint' | 'of' | 'types' | 'cheapest'> & { readonly price: number };

/** What a simulation of manifests brings: a solution, with what the interchange format has no word for. */
export type SimulationOutlook = Omit<SolutionFile, 'newNodes'> & {
  readonly newNodes: readonly (WrittenNewNode & {
    readonly cheaper: readonly CheaperWay[];
    /** What NodeOverlays have changed about the types: `prices by NodeOverlay x`. */
    readonly overlaid: readonly string[];
  })[];
  /** Where the units of CapacityBuffers would go. */
  readonly buffers: readonly ({ readonly buffer: string } & BufferOutcome)[];
  /** NodeOverlays and CapacityBuffers that change nothing, and why. */
  readonly idle: ManifestProblem['idle'];
  /** NodePools that nothing was launched from, whatever the pods ask. */
  readonly passedOver: readonly { readonly nodePool: string; readonly message: string }[];
  /** The node that went away, and its pods; without a price when it is not known. */
  readonly removed?: { readonly node: string; readonly pods: readonly string[]; readonly price?: number };
};

type Foreseen = { readonly outlook: SimulationOutlook; readonly stats: SolvingStats };

/** Solves what manifests ask, and says of each new node why nothing cheaper would do. */
export function outlookOn(manifests: ManifestProblem): Foreseen {
  const { problem, ignored, idle, passedOver, moving, removed } = manifests;
  const { result, solution, stats } = solveProblem(problem);
  const typesOf = new Map(problem.nodePools.map(({ nodePool, instanceTypes }) => [nodePool, instanceTypes]));
  const errors = ignored.map(({ pod, message }) => ({
    pod: `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`,
    message,
  }));
  const outlook = {
    newNodes: result.newNodes.map((node, index) => ({
      ...(solution.newNodes[index] as WrittenNewNode),
      cheaper: whyNotCheaper(node, typesOf.get(node.nodePool) ?? []).map(writtenOutlook),
      overlaid: printedOverlays(overlaysAtWork(node.instanceTypes)),
    })),
    buffers: fateOfBuffers(result),
    idle,
    existing: solution.existing,
    errors: [...solution.errors, ...errors].toSorted(byTextOf(({ pod }) => pod)),
    passedOver: passedOver.map(({ nodePool, message }) => ({ nodePool: nodePool.metadata.name, message })),
    ...(removed === undefined ? {} : { removed: removal(removed, moving, [...typesOf.values()].flat()) }),
    stats: solution.stats,
  };
  return { outlook, stats };
}

const fateOfBuffers = ({
  newNodes,
  existing,
  unschedulable,
  deferred,
}: SchedulingResult): SimulationOutlook['buffers'] =>
  [
    ...bufferOutcomes({
      existing: existing.flatMap(({ pods }) => pods),
      onNew: newNodes.flatMap(({ pods }) => pods),
      failed: [...unschedulable.map(({ pod }) => pod), ...deferred],
    }),
  ]
    .map(([buffer, outcome]) => ({ buffer, ...outcome }))
    .toSorted(byTextOf(({ buffer }) => buffer));

const writtenOutlook = ({ constraint, of, types, cheapest, priceMicroUsdPerHour }: CheaperTypes): CheaperWay => ({
  constraint,
  of,
  types,
  cheapest,
  price: priceMicroUsdPerHour / 1_000_000,
});

function removal(state: NodeState, pods: readonly string[], types: readonly InstanceType[]) {
  const labels = nodeLabelsOf(state);
  const offering = types
    .find(({ name }) => name === labels[kubernetesLabels.instanceType])
    ?.offerings.find(
      ({ zone, capacityType }) =>
        zone === labels[kubernetesLabels.zone] && capacityType === labels[karpenterLabels.capacityType],
    );
  const price = offering === undefined ? {} : { price: offering.priceMicroUsdPerHour / 1_000_000 };
  return { node: nodeNameOf(state), pods: pods.toSorted(), ...price };
}
