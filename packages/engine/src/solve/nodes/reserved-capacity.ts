import { awsLabels, karpenterLabels } from '@nodewright/apis';
import {
  requirementsIntersect,
  intersectSets,
  requireOneOf,
  parseRequirement,
  requirementSet,
  type Requirements,
} from '@nodewright/requirements';
import { hasBit, type BitSet } from '../bit-set.ts';
import type { TypeTable } from '../types/type-table.ts';

type BuyableTypes = { readonly requirements: Requirements; readonly types: BitSet };

/**
 * Which capacity reservations a node could be launched from.
 * @returns `offered`: some reserved offering suits it; `holdable`: ids of those with a place for it, by name
 */
export function holdableOf(
  table: TypeTable,
  { requirements, types }: BuyableTypes,
  canHold: (id: string) => boolean,
): { readonly offered: boolean; readonly holdable: readonly string[] } {
  const suitable = table.reserved.filter(
    ({ option, offering }) => hasBit(types, option) && requirementsIntersect(requirements, offering.requirements),
  );
  const ids = [...new Set(suitable.flatMap(({ offering }) => offering.reservation?.id ?? []))].toSorted();
  return { offered: ids.length > 0, holdable: ids.filter(canHold) };
}

const notReserved = requirementSet([
  parseRequirement({ key: karpenterLabels.capacityType, operator: 'NotIn', values: ['reserved'] }),
]);

/** The node without reserved offerings. It may be left without any type. */
export const withoutReserved = <T extends BuyableTypes>(table: TypeTable, node: T): T =>
  boughtUnder(table, node, intersectSets(node.requirements, notReserved));

/** The node with the offerings of its held reservations only. */
export function reservedOnly<T extends BuyableTypes>(table: TypeTable, node: T, ids: readonly string[]): T {
  const requirements = new Map(node.requirements);
  requirements.set(karpenterLabels.capacityType, requireOneOf(karpenterLabels.capacityType, ['reserved']));
  requirements.set(awsLabels.capacityReservationId, requireOneOf(awsLabels.capacityReservationId, ids));
  return boughtUnder(table, node, requirements);
}

function boughtUnder<T extends BuyableTypes>(table: TypeTable, node: T, requirements: Requirements): T {
  const types = node.types.slice();
  table.keepOffered(requirements, types);
  return { ...node, requirements, types };
}
