import type { Random, Ledger } from '@nodewright/runtime';
import {
  groupInOtherZone,
  placementGroupInUse,
  groupNameTaken,
  invalidValue,
  noSuchPlacementGroup,
  spreadGroupFull,
  unsupportedIn,
} from './errors.ts';
import type { Ec2Instance, PlacementWish } from './instance.ts';
import type { TagBook, TagSet } from './tags.ts';

export type PlacementStrategy = 'cluster' | 'partition' | 'spread';

export type PlacementGroup = {
  readonly id: string;
  readonly name: string;
  readonly strategy: PlacementStrategy;
  /** Of the strategy `partition`. */
  readonly partitionCount?: number;
  /** Of the strategy `spread`. */
  readonly spreadLevel?: 'rack' | 'host';
};

type PlacementGroupsDeps = { readonly random: Random; readonly tags: TagBook; readonly ledger: Ledger };

/** How many instances of a zone a spread group keeps on racks of their own. */
const mostPerZone = 7;

/** The placement groups of the account, and the rules for instances in them. */
export class PlacementGroupModel {
  readonly #deps: PlacementGroupsDeps;
  readonly #byId: Map<string, PlacementGroup>;

  constructor(deps: PlacementGroupsDeps) {
    this.#deps = deps;
    this.#byId = deps.ledger.map('ec2/placement-groups');
  }

  /** In the order in which they were made. */
  all(): readonly PlacementGroup[] {
    return [...this.#byId.values()];
  }

  /** @throws AwsError for a name that is taken */
  requireFree(wanted: string): void {
    if (this.all().some(({ name }) => name === wanted)) throw groupNameTaken(wanted);
  }

  create(wanted: Omit<PlacementGroup, 'id'>, tags: TagSet): PlacementGroup {
    this.requireFree(wanted.name);
    const group = { ...wanted, id: `pg-0${this.#deps.random.hex(16)}` };
    this.#byId.set(group.id, group);
    this.#deps.tags.add(group.id, tags);
    return group;
  }

  /** @throws AwsError when there is none of this name */
  named(name: string): PlacementGroup {
    const group = this.all().find((each) => each.name === name);
    if (group === undefined) throw noSuchPlacementGroup(name);
    return group;
  }

  /** @throws AwsError when there is none of this id */
  get(id: string): PlacementGroup {
    const group = this.#byId.get(id);
    if (group === undefined) throw noSuchPlacementGroup(id);
    return group;
  }

  /** @throws AwsError while instances are in it */
  requireEmpty({ id, name }: PlacementGroup, instances: readonly Ec2Instance[]): void {
    if (instances.some((instance) => isIn(instance, id))) throw placementGroupInUse(name);
  }

  /** @throws AwsError while instances are in it */
  delete(group: PlacementGroup, instances: readonly Ec2Instance[]): void {
    this.requireEmpty(group, instances);
    const { id } = group;
    this.#byId.delete(id);
    this.#deps.tags.forget(id);
  }

  /**
   * The partition an instance comes to; `undefined` in groups without partitions.
   * @throws AwsError when the group does not take it
   */
  entering(
    { groupId, partition }: PlacementWish,
    place: { readonly instanceType: string; readonly zone: string },
    instances: readonly Ec2Instance[],
  ): number | undefined {
    const group = this.get(groupId);
    const inside = instances.filter((instance) => isIn(instance, groupId));
    if (!strategiesOf(place.instanceType).includes(group.strategy))
      throw unsupportedIn(place.instanceType, group.strategy);
    if (group.strategy === 'cluster' && inside.some(({ zone }) => zone !== place.zone))
      throw groupInOtherZone(group.name);
    if (group.strategy === 'spread' && inside.filter(({ zone }) => zone === place.zone).length >= mostPerZone)
      throw spreadGroupFull(group.name, mostPerZone);
    return group.strategy === 'partition' ? choosePartition(group, partition, inside) : undefined;
  }
}

/** Burstable and old types have no place in a cluster. */
export const strategiesOf = (instanceType: string): readonly PlacementStrategy[] =>
  /^(t\d|m3)/.test(instanceType) ? ['partition', 'spread'] : ['cluster', 'partition', 'spread'];

const isIn = ({ settings, state }: Ec2Instance, groupId: string): boolean =>
  settings.placement?.groupId === groupId && state !== 'terminated';

/** The one that was asked for, or the emptiest. */
function choosePartition(
  { name, partitionCount = 1 }: PlacementGroup,
  asked: number | undefined,
  inside: readonly Ec2Instance[],
): number {
  if (asked !== undefined && (asked < 1 || asked > partitionCount))
    throw invalidValue(
      `The partition number ${asked} is not one of the ${partitionCount} of placement group '${name}'.`,
    );
  if (asked !== undefined) return asked;
  const counts = Array.from({ length: partitionCount }, (_, index) => ({
    partition: index + 1,
    count: inside.filter((instance) => instance.partition === index + 1).length,
  }));
  return counts.reduce((best, each) => (each.count < best.count ? each : best)).partition;
}
