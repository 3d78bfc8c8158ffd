import { awsLabels, byTextOf, type EC2NodeClass, inOrder } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import type { AccountReading } from '@nodewright/provider-aws';
import type { OfferedType } from './snapshot.ts';
import type { OrUnread } from './unread.ts';

type TypeSources = {
  readonly cloud: Pick<Cloud, 'instanceTypes'>;
  readonly classes: readonly EC2NodeClass[];
  readonly account: Pick<AccountReading, 'scalingGroups' | 'instances'>;
  readonly orUnread: OrUnread;
};

/** The types that NodeClasses may launch, and those that node groups have. */
export async function readOfferedTypes(
  { cloud, classes, account, orUnread }: TypeSources,
  signal: AbortSignal,
): Promise<readonly OfferedType[]> {
  const byName = new Map<string, OfferedType>();
  for (const nodeClass of classes) {
    const what = `instance types of EC2NodeClass ${nodeClass.metadata.name}`;
    const types = await orUnread(what, [], () => cloud.instanceTypes.list(nodeClass, signal));
    for (const type of types) byName.set(type.name, mergeOfferings(byName.get(type.name), type));
  }
  const missing = typesOfGroups(account).filter((name) => !byName.has(name));
  if (missing.length > 0) {
    const types = await orUnread('instance types of node groups', [], () => cloud.instanceTypes.named(missing, signal));
    for (const { name, vcpus, offerings } of types) byName.set(name, { name, vcpus, offerings: sortOffers(offerings) });
  }
  return [...byName.values()].toSorted(byTextOf(({ name }) => name));
}

function typesOfGroups({ scalingGroups = [], instances }: TypeSources['account']): readonly string[] {
  const members = new Set(scalingGroups.flatMap((group) => group.instances.map(({ id }) => id)));
  return [
    ...new Set([
      ...scalingGroups.flatMap(({ instanceTypes }) => instanceTypes),
      ...instances.filter(({ id }) => members.has(id)).map(({ instanceType }) => instanceType),
    ]),
  ];
}

/** NodeClasses in different subnets are offered different zones. */
function mergeOfferings(known: OfferedType | undefined, { name, capacity, offerings }: InstanceType): OfferedType {
  const all = new Map(
    (known?.offerings ?? []).map((offering) => [`${offering.zone} ${offering.capacityType}`, offering]),
  );
  for (const { zone, capacityType, priceMicroUsdPerHour, available, requirements } of offerings) {
    if (requirements.has(awsLabels.capacityReservationId)) continue;
    all.set(`${zone} ${capacityType}`, { zone, capacityType, priceMicroUsdPerHour, available });
  }
  return { name, vcpus: (capacity['cpu'] ?? 0) / 1000, offerings: sortOffers([...all.values()]) };
}

const sortOffers = (offers: OfferedType['offerings']): OfferedType['offerings'] =>
  offers.toSorted(
    inOrder(
      byTextOf(({ zone }) => zone),
      byTextOf(({ capacityType }) => capacityType),
    ),
  );
