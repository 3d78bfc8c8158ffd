import type { ExistingPlacement, NewNode } from '../../solve/problem.ts';
import { cheapestPrice } from '../../solve/types/type-table.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';

/** Some nodes that go, and where their pods will be. */
export type ConsolidationMove = {
  readonly candidates: readonly DisruptionCandidate[];
  /** One that costs less than the candidates together, or none when their pods fit elsewhere. */
  readonly replacements: readonly NewNode[];
  /** Nodes that are there and take some of the pods. */
  readonly destinations: readonly ExistingPlacement[];
};

/** The total price of nodes, in millionths of a US dollar per hour. */
export const moveNodePrice = (candidates: readonly DisruptionCandidate[]): number =>
  candidates.reduce((sum, { priceMicroUsdPerHour }) => sum + priceMicroUsdPerHour, 0);

/**
 * The expected savings of a move: the price of its candidates less the lowest price of its replacements.
 * @returns millionths of a US dollar per hour; zero when the price of a replacement is not known
 */
export function savingsOf({
  candidates,
  replacements,
}: Pick<ConsolidationMove, 'candidates' | 'replacements'>): number {
  const prices = replacements.map(({ instanceTypes: [cheapest], requirements }) =>
    cheapest === undefined ? Infinity : cheapestPrice(cheapest, requirements),
  );
  if (prices.includes(Infinity)) return 0;
  return moveNodePrice(candidates) - prices.reduce((sum, price) => sum + price, 0);
}
