import type { CatalogueType } from '../catalogue/instance-type.ts';
import type { InstanceMarket } from '../catalogue/market.ts';
import { typeNamed } from '../catalogue/catalogue.ts';

/** A type, and where it is sold for how much. */
export type MarketType = {
  readonly name: string;
  readonly offerings: readonly {
    readonly zone: string;
    readonly capacityType: string;
    readonly priceMicroUsdPerHour: number;
  }[];
};

/** A market as it was read somewhere. Prices stay as they are. Types that no catalogue knows are left out. */
export function restoredMarket(sold: readonly MarketType[]): InstanceMarket {
  const known = sold.flatMap(({ name, offerings }) => {
    const type = typeNamed(name);
    const onDemand = offerings.find(({ capacityType }) => capacityType === 'on-demand')?.priceMicroUsdPerHour;
    return type === undefined
      ? []
      : [{ ...type, ...(onDemand === undefined ? {} : { priceMicroUsdPerHour: onDemand }) }];
  });
  const offers = new Map(
    sold.flatMap(({ name, offerings }) =>
      offerings.map((offering) => [`${name} ${offering.zone} ${offering.capacityType}`, offering] as const),
    ),
  );
  const spotOf = ({ name }: CatalogueType, zone: string) => offers.get(`${name} ${zone} spot`);
  return {
    types: () => known,
    isOffered: (type, zone) => offers.has(`${type.name} ${zone} on-demand`) || spotOf(type, zone) !== undefined,
    spotQuotes: (type, zone, { from }) => {
      const offer = spotOf(type, zone);
      return offer === undefined ? [] : [{ at: from, microUsdPerHour: offer.priceMicroUsdPerHour }];
    },
  };
}
