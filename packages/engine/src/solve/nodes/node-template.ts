import type { TypeOption } from '../types/type-option.ts';
import {
  byText,
  byTextOf,
  karpenterLabels,
  latestPerObject,
  mergeRecords,
  type NodePool,
  oncePerObject,
  type Pod,
  type RequirementWithMinValues,
  type Taint,
} from '@nodewright/apis';
import {
  requirementsIntersect,
  intersectSets,
  contradictedKey,
  countMinValues,
  type MinValuesShortfall,
  requireOneOf,
  parseRequirement,
  requirementSet,
  parseRequirements,
  requirementsOfLabels,
  type Requirement,
  type Requirements,
} from '@nodewright/requirements';
import { daemonOverheads, noDaemons } from '../types/daemon-overhead.ts';
import type { InstanceType, Resources } from '../../instance-types/instance-type.ts';
import { variantsOf } from '../../instance-types/offering-overrides.ts';
import type { PoolSupply } from '../../instance-types/pool-supply.ts';
import { type ResourceTable, subtractRows } from '../../instance-types/resource-rows.ts';
import { isOutOfStock } from '../reasons/shortage.ts';
import { domainsOfSource, type DomainSource } from '../topology/domain-universe.ts';
import { cheapestPrice, TypeTable } from '../types/type-table.ts';

/** What every new node of a pool starts from. */
export type NodeTemplate = {
  readonly nodePool: NodePool;
  readonly taints: readonly Taint[];
  readonly requirements: Requirements;
  /** Whether some requirement has `minValues`. Requirements of pods have none. */
  readonly countsValues: boolean;
  /** The instance types that suit the pool itself, by name. */
  readonly table: TypeTable;
  /** A label on which requirements and labels of the pool contradict each other. Then no type suits the pool. */
  readonly contradictedLabel?: string;
  /** Instance types that would suit the pool if an offering were available now. */
  readonly short: () => readonly TypeOption[];
  /** All instance types of the NodeClass, whether they suit the pool or not. */
  readonly every: () => readonly TypeOption[];
  /** Source of the domains in which the pool can launch nodes. */
  readonly domains: DomainSource;
};

/** The label under which nodes name their NodeClass: `karpenter.k8s.aws/ec2nodeclass`. */
export const nodeClassLabel = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  `${group}/${kind.toLowerCase()}`;

/** Labels that every node of a pool carries from its template. */
export const nodePoolTemplateLabels = (nodePool: NodePool): Readonly<Record<string, string>> => {
  const { metadata, spec } = nodePool.spec.template;
  return {
    ...metadata?.labels,
    [karpenterLabels.nodePool]: nodePool.metadata.name,
    [nodeClassLabel(spec.nodeClassRef)]: spec.nodeClassRef.name,
  };
};

/** Labels of a ready node: daemons that select them count on a new node. */
const onceReady = requirementsOfLabels({ [karpenterLabels.registered]: 'true', [karpenterLabels.initialized]: 'true' });

type TemplateContext = {
  readonly daemonPods: readonly Pod[];
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly resources: ResourceTable;
};

/** The requirements of every new node of a pool, whatever its pods. */
export const templateRequirements = (nodePool: NodePool): Requirements =>
  intersectSets(
    parseRequirements(nodePool.spec.template.spec.requirements),
    requirementsOfLabels(nodePoolTemplateLabels(nodePool)),
  );

const contradictionIn = (nodePool: NodePool): string | undefined =>
  contradictedKey([
    ...requirementParts(nodePool.spec.template.spec.requirements),
    ...requirementsOfLabels(nodePoolTemplateLabels(nodePool)).values(),
  ]);

/** Interchange files may leave them out. */
const requirementParts = (requirements: readonly RequirementWithMinValues[] | undefined): readonly Requirement[] =>
  (requirements ?? []).map(parseRequirement);

/** The types that suit the template of a pool and have an available offering. */
export function suitableTypes({ nodePool, instanceTypes }: PoolSupply): readonly InstanceType[] {
  if (contradictionIn(nodePool) !== undefined) return [];
  const requirements = templateRequirements(nodePool);
  return instanceTypes.filter((type) => suitsPool(type, requirements));
}

/**
 * Why a pool is useless for every pod: no available type suits it, or too few for its minimum counts.
 * @returns the counts that are not met, none of them where no type is left; `undefined` when the pool is of use
 */
export function whyUseless(
  { nodePool, instanceTypes }: PoolSupply,
  minValues: 'Strict' | 'BestEffort',
): readonly MinValuesShortfall[] | undefined {
  const requirements = templateRequirements(nodePool);
  const types = suitableTypes({ nodePool, instanceTypes });
  if (types.length === 0) return [];
  const { short } = countMinValues(requirements, types);
  return short.length === 0 || minValues === 'BestEffort' ? undefined : short;
}

type Preparation = { readonly supply: PoolSupply; readonly context: TemplateContext };

/** The template of a pool: the one prepared last, with all that its types were found to meet, as long as nothing it depends on changed. */
export function preparedTemplate(supply: PoolSupply, context: TemplateContext): NodeTemplate {
  const { nodePool } = supply;
  const template = latestTemplate(nodePool.spec, { supply, context });
  return template.nodePool === nodePool ? template : { ...template, nodePool };
}

/** By the spec of a NodePool, which is another object as soon as it changes. A new status leaves it. */
const latestTemplate = latestPerObject(
  (_: NodePool['spec'], { supply, context }: Preparation) => nodeTemplate(supply, context),
  (before, { supply: { nodePool, instanceTypes }, context: { daemonPods, wellKnownLabels, resources } }) =>
    before.supply.nodePool.metadata.name === nodePool.metadata.name &&
    before.supply.instanceTypes === instanceTypes &&
    areSameElements(before.context.daemonPods, daemonPods) &&
    areSameElements(before.context.resources.names, resources.names) &&
    areSameElements([...before.context.wellKnownLabels], [...wellKnownLabels]),
);

const areSameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

/** Makes a value at the first call. Few rounds need these values, and then many times. */
function computeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** The template of a pool, with the instance types that suit the pool itself. */
function nodeTemplate({ nodePool, instanceTypes }: PoolSupply, context: TemplateContext): NodeTemplate {
  const spec = nodePool.spec.template.spec;
  const requirements = intersectSets(templateRequirements(nodePool), onceReady);
  const taints = spec.taints ?? [];
  const optionsOf = (admits: (type: InstanceType) => boolean): readonly TypeOption[] => {
    const variants = instanceTypes
      .toSorted(byTextOf(({ name }) => name))
      .flatMap(variantsOf)
      .filter(({ type }) => admits(type));
    const types = variants.map(({ type }) => type);
    const overheads = daemonOverheads(context.daemonPods, { taints, requirements, ...context }, types);
    const { resources } = context;
    return variants.map(({ type, whole }) => {
      const daemons = overheads.get(type) ?? noDaemons;
      const available = subtractRows(resources.row(type.allocatable), resources.row(daemons.requests));
      return { type, whole, daemons, available };
    });
  };
  const contradictedLabel = contradictionIn(nodePool);
  const options = contradictedLabel === undefined ? optionsOf((type) => suitsPool(type, requirements)) : [];
  const short = computeOnce(() =>
    optionsOf((type) => requirementsIntersect(requirements, type.requirements) && isOutOfStock(type, requirements)),
  );
  const every = computeOnce(() => optionsOf(() => true));
  const countsValues = [...requirements.values()].some(({ minValues }) => minValues !== undefined);
  const table = new TypeTable(options, context.resources.names.length);
  table.prepare(requirements);
  table.prepareLimits(Object.keys(nodePool.spec.limits ?? {}));
  return {
    nodePool,
    taints,
    requirements,
    countsValues,
    table,
    ...(contradictedLabel === undefined ? {} : { contradictedLabel }),
    short,
    every,
    domains: domainSource(nodePool, instanceTypes),
  };
}

/** Prepares what is available in each zone and capacity type, which rounds ask as soon as a pod requires one of them. */
export function prepareDomains({ table, domains, requirements }: NodeTemplate): void {
  for (const label of table.offerLabels) {
    for (const domain of domainsOfSource(domains, label)) {
      const there = requireOneOf(label, [domain]);
      table.keepMeeting(there, table.all.slice());
      table.prepare(intersectSets(requirements, requirementSet([there])));
    }
  }
}

/** Every resource that some type has. Only the names of the result count. */
export const namesOfTypes = oncePerObject((types: readonly InstanceType[]): Resources =>
  mergeRecords(types.flatMap(variantsOf).map(({ type }) => type.allocatable)),
);

const domainSource = (nodePool: NodePool, types: readonly InstanceType[]): DomainSource => {
  const { metadata, spec } = nodePool.spec.template;
  const requirements = intersectSets(parseRequirements(spec.requirements), requirementsOfLabels(metadata?.labels));
  return { taints: spec.taints ?? [], requirements, types };
};

const suitsPool = (type: InstanceType, requirements: Requirements): boolean =>
  requirementsIntersect(requirements, type.requirements) && cheapestPrice(type, requirements) !== Infinity;

/** Heaviest pool first; of equal weights the greater name first. */
export const byWeight = (a: PoolSupply, b: PoolSupply): number =>
  (b.nodePool.spec.weight ?? 0) - (a.nodePool.spec.weight ?? 0) ||
  byText(b.nodePool.metadata.name, a.nodePool.metadata.name);
