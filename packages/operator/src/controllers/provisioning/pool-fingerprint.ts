import { oncePerObject, type NodePool } from '@nodewright/apis';
import { requirementText } from '@nodewright/requirements';
import type { InstanceType, PoolSupply, Resources } from '@nodewright/engine';
import { shortHash } from './scheduling-class.ts';

type Pools = {
  readonly supplies: readonly PoolSupply[];
  /** `metadata.generation` by the name of the NodeClass. */
  readonly nodeClassGenerations: ReadonlyMap<string, number>;
};

/**
 * What each NodePool is like that nodes can be launched from, by its name: another text once its spec, its NodeClass or
 * what its instance types carry and have changes. Prices and what is out of capacity do not count.
 */
export const poolFingerprints = ({ supplies, nodeClassGenerations }: Pools): ReadonlyMap<string, string> =>
  new Map(
    supplies.map(({ nodePool, instanceTypes }) => {
      const { name, uid, generation } = nodePool.metadata;
      const nodeClass = nodeClassGenerations.get(nodeClassNameOf(nodePool));
      return [name, shortHash(JSON.stringify([uid, generation, nodeClass, typesFingerprint(instanceTypes)]))];
    }),
  );

const nodeClassNameOf = ({ spec }: NodePool): string => spec.template.spec.nodeClassRef.name;

/** The list is the same object as long as nothing about it changes. */
const typesFingerprint = oncePerObject((types: readonly InstanceType[]) =>
  shortHash(types.map(typeText).toSorted().join('\n')),
);

const typeText = ({ name, requirements, capacity, allocatable }: InstanceType): string =>
  `${name} ${everyValue(requirements)} ${printAmounts(capacity)} ${printAmounts(allocatable)}`;

const everyValue = (requirements: InstanceType['requirements']): string =>
  [...requirements.values()]
    .map((each) => `${each.key}=${requirementText(each)}`)
    .toSorted()
    .join();

const printAmounts = (resources: Resources): string =>
  Object.entries(resources)
    .map(([name, amount]) => `${name}=${amount}`)
    .toSorted()
    .join();
