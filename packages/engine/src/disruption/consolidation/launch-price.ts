import { intersects } from '../../requirements/compatibility.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import type { CapacityType, InstanceType, Offering } from '../../scheduling/instance-type.ts';

/** In the order in which a launch buys. */
const bought: readonly CapacityType[] = ['reserved', 'spot', 'on-demand'];

/**
 * The most that a launch of this type may come to: of the first capacity type that is on offer within the
 * requirements, the dearest. Nobody knows in which zone it will be.
 * @returns millionths of a US dollar per hour; infinite when nothing is on offer
 */
export function worstLaunchPrice({ offerings }: Pick<InstanceType, 'offerings'>, requirements: Requirements): number {
  const open = offerings.filter((offering) => offering.available && intersects(requirements, offering.requirements));
  for (const capacityType of bought) {
    const prices = open.filter((offering) => offering.capacityType === capacityType).map(priceOf);
    if (prices.length > 0) return Math.max(...prices);
  }
  return Infinity;
}

/** The least that a node with such labels is sold for, available or not. */
export const listPrice = ({ offerings }: Pick<InstanceType, 'offerings'>, labels: Requirements): number =>
  Math.min(...offerings.filter(({ requirements }) => intersects(labels, requirements)).map(priceOf));

const priceOf = ({ priceMicroUsdPerHour }: Offering): number => priceMicroUsdPerHour;
