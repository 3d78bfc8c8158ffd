import { publishedFacts } from './published-facts.generated.ts';

/** What EC2's API does not tell of a type, or the price list may fail to tell. */
export type PublishedFact = {
  /** On demand in us-east-1. */
  readonly priceMicroUsdPerHour?: number;
  /** Network interfaces that pods may have of their own; 0 without trunking. */
  readonly branchInterfaces: number;
};

const factOf = (line: string): [string, PublishedFact] => {
  const [type = '', price = '-', branches = '0'] = line.split(' ');
  const branchInterfaces = Number(branches);
  return [type, price === '-' ? { branchInterfaces } : { branchInterfaces, priceMicroUsdPerHour: Number(price) }];
};

const facts: ReadonlyMap<string, PublishedFact> = new Map(publishedFacts.split('\n').map(factOf));

export const publishedFact = (instanceType: string): PublishedFact =>
  facts.get(instanceType) ?? { branchInterfaces: 0 };
