import { latestPerObject, oncePerObject } from '@nodewright/apis';
import { requirementsIntersect, requirementText, type Requirements } from '@nodewright/requirements';
import type { CapacityType, InstanceType, Offering } from '../../instance-types/instance-type.ts';

type TypeOfferings = Pick<InstanceType, 'offerings'>;

/** In the order in which a launch buys. */
const purchaseOrder: readonly CapacityType[] = ['reserved', 'spot', 'on-demand'];

/** The labels that tell the offerings of a type apart, and the price for each demand on them. All simulations share them. */
const launchPrices = oncePerObject((type: TypeOfferings) => ({
  labels: labelsOfOfferings(type),
  priceUnder: rememberPrices(type),
}));

/**
 * The most that a launch of this type may come to: of the first capacity type that is on offer within the
 * requirements, the dearest. The zone of the launch is unknown.
 * @returns millionths of a US dollar per hour; infinite when nothing is on offer
 */
export function worstLaunchPrice(type: TypeOfferings, requirements: Requirements): number {
  const { labels, priceUnder } = launchPrices(type);
  return priceUnder(requirements, requirementsText(requirements, labels));
}

function rememberPrices(type: TypeOfferings): (requirements: Requirements, text: string) => number {
  const prices = new Map<string, number>();
  return (requirements, text) => {
    let price = prices.get(text);
    if (price === undefined) {
      price = worstPriceUnder(type, requirements);
      prices.set(text, price);
    }
    return price;
  };
}

function worstPriceUnder({ offerings }: TypeOfferings, requirements: Requirements): number {
  const open = offerings.filter(
    (offering) => offering.available && requirementsIntersect(requirements, offering.requirements),
  );
  for (const capacityType of purchaseOrder) {
    const prices = open.filter((offering) => offering.capacityType === capacityType).map(offeringPrice);
    if (prices.length > 0) return Math.max(...prices);
  }
  return Infinity;
}

/** One list object for all types whose offerings have the same labels. */
const labelLists = new Map<string, readonly string[]>();

function labelsOfOfferings({ offerings }: TypeOfferings): readonly string[] {
  const labels = [...new Set(offerings.flatMap(({ requirements }) => [...requirements.keys()]))].toSorted();
  const text = labels.join();
  const before = labelLists.get(text) ?? labels;
  labelLists.set(text, before);
  return before;
}

/** The requirements on some labels as text. Consecutive types of a node mostly have the same labels. */
const requirementsText = latestPerObject(
  (requirements: Requirements, labels: readonly string[]) =>
    labels
      .map((label) => {
        const asked = requirements.get(label);
        return asked === undefined ? '' : requirementText(asked);
      })
      .join('|'),
  (before, now) => before === now,
);

/** The least that a node with such labels is sold for, available or not. */
export const listPrice = ({ offerings }: TypeOfferings, labels: Requirements): number =>
  Math.min(...offerings.filter(({ requirements }) => requirementsIntersect(labels, requirements)).map(offeringPrice));

const offeringPrice = ({ priceMicroUsdPerHour }: Offering): number => priceMicroUsdPerHour;
