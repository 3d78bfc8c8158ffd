import { karpenterLabels } from '@nodewright/apis';
import type { NodePool, Pod, Taint } from '@nodewright/apis';
import { intersects } from '../requirements/compatibility.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { requirementsOf, requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { daemonOverheads, noDaemons } from './daemon-overhead.ts';
import type { DaemonOverhead } from './daemon-overhead.ts';
import type { InstanceType } from './instance-type.ts';
import type { PoolSupply } from './problem.ts';
import type { ResourceRow, ResourceTable } from './resource-rows.ts';
import { subtractRows } from './resource-rows.ts';

/** An instance type as a pool would launch it. */
export type TypeOption = {
  readonly type: InstanceType;
  readonly daemons: DaemonOverhead;
  /** What is left for pods once the daemons run. */
  readonly available: ResourceRow;
};

/** What every new node of a pool starts from. */
export type NodeTemplate = {
  readonly nodePool: NodePool;
  readonly taints: readonly Taint[];
  readonly requirements: Requirements;
  readonly options: readonly TypeOption[];
};

/** The label under which nodes name their NodeClass: `karpenter.k8s.aws/ec2nodeclass`. */
const nodeClassLabel = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  `${group}/${kind.toLowerCase()}`;

/** Labels that every node of a pool carries from its template. */
export const templateLabels = (nodePool: NodePool): Readonly<Record<string, string>> => {
  const { metadata, spec } = nodePool.spec.template;
  return {
    ...metadata?.labels,
    [karpenterLabels.nodePool]: nodePool.metadata.name,
    [nodeClassLabel(spec.nodeClassRef)]: spec.nodeClassRef.name,
  };
};

/** So that daemons that wait for these labels are counted on nodes that do not have them yet. */
const onceReady = requirementsOfLabels({ [karpenterLabels.registered]: 'true', [karpenterLabels.initialized]: 'true' });

type Context = {
  readonly daemonPods: readonly Pod[];
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly resources: ResourceTable;
};

/** The template of a pool, with the instance types that suit the pool itself. */
export function nodeTemplate({ nodePool, instanceTypes }: PoolSupply, context: Context): NodeTemplate {
  const spec = nodePool.spec.template.spec;
  const own = intersectSets(requirementsOf(spec.requirements), requirementsOfLabels(templateLabels(nodePool)));
  const requirements = intersectSets(own, onceReady);
  const taints = spec.taints ?? [];
  const suitable = instanceTypes
    .filter((type) => suits(type, requirements))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const overheads = daemonOverheads(context.daemonPods, { taints, requirements, ...context }, suitable);
  const options = suitable.map((type) => {
    const daemons = overheads.get(type) ?? noDaemons;
    const { resources } = context;
    return { type, daemons, available: subtractRows(resources.row(type.allocatable), resources.row(daemons.requests)) };
  });
  return { nodePool, taints, requirements, options };
}

const suits = (type: InstanceType, requirements: Requirements): boolean =>
  intersects(requirements, type.requirements) && hasOffering(type, requirements);

/** Whether the type can be bought now in a way that the requirements admit. */
export const hasOffering = (type: InstanceType, requirements: Requirements): boolean =>
  type.offerings.some((offering) => offering.available && intersects(requirements, offering.requirements));

/** The price at which the type can be had now within the requirements; infinite when it cannot. */
export function cheapestPrice(type: InstanceType, requirements: Requirements): number {
  let cheapest = Infinity;
  for (const { available, priceMicroUsdPerHour, requirements: offered } of type.offerings) {
    if (available && priceMicroUsdPerHour < cheapest && intersects(requirements, offered))
      cheapest = priceMicroUsdPerHour;
  }
  return cheapest;
}

/** Heaviest pool first; the greater name first among equals. */
export const byWeight = (a: PoolSupply, b: PoolSupply): number =>
  (b.nodePool.spec.weight ?? 0) - (a.nodePool.spec.weight ?? 0) ||
  (a.nodePool.metadata.name > b.nodePool.metadata.name ? -1 : 1);
