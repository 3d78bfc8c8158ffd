import type { MinValuesShortfall } from '@nodewright/requirements';
import { printedBlocker, type DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import type { MoveScore } from './balance.ts';

/** Spot nodes are replaced by spot nodes only when at least so many cheaper types are left to choose from. */
export const fewestSpotTypes = 15;

/** Why candidates of consolidation stay, by the simulation of the cluster without them. */
export type ConsolidationRefusal =
  | { readonly kind: 'noPlace'; readonly blocker: DisruptionBlocker }
  | { readonly kind: 'severalReplacements'; readonly count: number }
  /** `cheapest` is absent where no price is known at all. */
  | { readonly kind: 'notCheaper'; readonly price: number; readonly cheapest?: PricedTypeName }
  | { readonly kind: 'spotToSpotOff'; readonly price: number; readonly cheapest?: PricedTypeName }
  | { readonly kind: 'fewSpotTypes'; readonly price: number; readonly found: number }
  | { readonly kind: 'minValues'; readonly short: readonly MinValuesShortfall[] }
  /** One of the candidates could as well stay. */
  | { readonly kind: 'sameType'; readonly price: number }
  /** The move disrupts too much for its savings. */
  | { readonly kind: 'unbalanced'; readonly scores: readonly MoveScore[] };

/** Prices are millionths of a US dollar per hour. `price`: the most that a launch may come to. */
export type PricedTypeName = { readonly name: string; readonly price: number };

const mostPodsInRefusal = 5;

/** The refusal as one sentence without a full stop. */
export function printedRefusal(refusal: ConsolidationRefusal): string {
  switch (refusal.kind) {
    case 'noPlace':
      return printedBlocker(shortenedList(refusal.blocker));
    case 'severalReplacements':
      return `its pods would need ${refusal.count} new nodes`;
    case 'notCheaper':
      return `a replacement would not be cheaper: the node costs ${printedPrice(refusal.price)}${printedCheapest(refusal.cheapest)}`;
    case 'spotToSpotOff':
      return `a spot node is replaced by another only with the feature gate SpotToSpotConsolidation: the node costs ${printedPrice(refusal.price)}${printedCheapest(refusal.cheapest)}`;
    case 'fewSpotTypes':
      return `a spot node is replaced by another only where ${fewestSpotTypes} instance types cost less than its ${printedPrice(refusal.price)}: there are ${refusal.found}`;
    case 'minValues':
      return `too few cheaper instance types: ${refusal.short.map(({ key, wanted, found }) => `minValues of ${key} asks for ${wanted}, ${found} are left`).join(', ')}`;
    case 'sameType':
      return `a replacement would be no cheaper than a node that is there, at ${printedPrice(refusal.price)}`;
    case 'unbalanced':
      return refusal.scores
        .filter(({ isApproved }) => !isApproved)
        .map(
          (score) =>
            `the Balanced policy of NodePool ${score.nodePool} finds it not worth the disruption: ${printedShares(score)}`,
        )
        .join('; ');
  }
}

/** A move that disrupts nothing has no limit. */
export const printedScore = ({ score }: Pick<MoveScore, 'score'>): string =>
  score === Infinity ? 'without limit' : score.toFixed(2);

/** `it saves 4% of the pool's cost for 10% of its disruption, score 0.40 of at least 0.50`. */
export const printedShares = ({ savingsShare, disruptionShare, score, threshold }: MoveScore): string =>
  `it saves ${printedPercent(savingsShare)} of the pool's cost for ${printedPercent(disruptionShare)} of its disruption, score ${printedScore({ score })} of at least ${threshold.toFixed(2)}`;

const printedPercent = (share: number): string => `${Number((share * 100).toFixed(1))}%`;

/** `$0.1920 per hour`. */
export const printedPrice = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(4)} per hour`;

const printedCheapest = (cheapest: PricedTypeName | undefined): string =>
  cheapest === undefined
    ? ''
    : `, the cheapest that its pods fit, ${cheapest.name}, up to ${printedPrice(cheapest.price)}`;

/** A node may have hundreds of pods with nowhere to go. */
export const shortenedList = (blocker: DisruptionBlocker): DisruptionBlocker =>
  blocker.kind === 'unschedulablePods' ? { ...blocker, pods: blocker.pods.slice(0, mostPodsInRefusal) } : blocker;
