import { intersects, requirementText, type Requirements } from '@nodewright/requirements';
import type { CapacityType, InstanceType, Offering } from '../../instance-types/instance-type.ts';

type Priced = Pick<InstanceType, 'offerings'>;

/** In the order in which a launch buys. */
const bought: readonly CapacityType[] = ['reserved', 'spot', 'on-demand'];

/** What was found out about the offerings of a type. They never change, and every simulation asks the same of them. */
type Known = { readonly labels: readonly string[]; readonly prices: Map<string, number> };

const known = new WeakMap<Priced, Known>();

/**
 * The most that a launch of this type may come to: of the first capacity type that is on offer within the
 * requirements, the dearest. Nobody knows in which zone it will be.
 * @returns millionths of a US dollar per hour; infinite when nothing is on offer
 */
export function worstLaunchPrice(type: Priced, requirements: Requirements): number {
  let about = known.get(type);
  if (about === undefined) {
    about = { labels: labelsOf(type), prices: new Map() };
    known.set(type, about);
  }
  const text = textOf(requirements, about.labels);
  let price = about.prices.get(text);
  if (price === undefined) {
    price = worstPriceUnder(type, requirements);
    about.prices.set(text, price);
  }
  return price;
}

function worstPriceUnder({ offerings }: Priced, requirements: Requirements): number {
  const open = offerings.filter((offering) => offering.available && intersects(requirements, offering.requirements));
  for (const capacityType of bought) {
    const prices = open.filter((offering) => offering.capacityType === capacityType).map(priceOf);
    if (prices.length > 0) return Math.max(...prices);
  }
  return Infinity;
}

/** One list for all types whose offerings are told apart by the same labels. */
const labelLists = new Map<string, readonly string[]>();

function labelsOf({ offerings }: Priced): readonly string[] {
  const labels = [...new Set(offerings.flatMap(({ requirements }) => [...requirements.keys()]))].toSorted();
  const text = labels.join();
  const before = labelLists.get(text) ?? labels;
  labelLists.set(text, before);
  return before;
}

type Text = { readonly labels: readonly string[]; readonly text: string };

const knownTexts = new WeakMap<Requirements, Text>();

/** What is asked of these labels. Most types of a node are asked the same one after the other. */
function textOf(requirements: Requirements, labels: readonly string[]): string {
  const before = knownTexts.get(requirements);
  if (before?.labels === labels) return before.text;
  const text = labels
    .map((label) => {
      const asked = requirements.get(label);
      return asked === undefined ? '' : requirementText(asked);
    })
    .join('|');
  knownTexts.set(requirements, { labels, text });
  return text;
}

/** The least that a node with such labels is sold for, available or not. */
export const listPrice = ({ offerings }: Priced, labels: Requirements): number =>
  Math.min(...offerings.filter(({ requirements }) => intersects(labels, requirements)).map(priceOf));

const priceOf = ({ priceMicroUsdPerHour }: Offering): number => priceMicroUsdPerHour;
