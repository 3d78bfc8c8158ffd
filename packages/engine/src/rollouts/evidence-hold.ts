import { firstLookExposure, allowedErrorOfLook } from './health/error-budget.ts';
import { sufficientStarts } from './health/sufficient-evidence.ts';
import { comparisonCount } from './health/watch-members.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';

/** A variant whose members had too few starts to tell whether its image breaks some. */
export type MissingEvidence = {
  readonly variant: string;
  readonly starts: number;
  /** Absent where peers are too few for any number of starts. */
  readonly needed?: number;
};

/** The variants of members whose starts cannot tell. Where starts are not compared, nothing is missing. */
export function findMissingEvidence(
  view: RolloutView,
  settings: RolloutSettings,
  seen: RolloutSnapshot,
): readonly MissingEvidence[] {
  if (!settings.signals.comparesStarts) return [];
  const variants = [...new Set(view.members.map(({ variant }) => variant))].toSorted();
  return variants.flatMap((variant) => {
    const own = seen.counters.filter((each) => each.variant === variant);
    const starts = startsOf(own.filter(({ side }) => side === 'members'));
    const peers = startsOf(own.filter(({ side }) => side !== 'members'));
    const looks = 1 + Math.max(0, Math.ceil(Math.log2(Math.max(starts, 1) / firstLookExposure.containerStarts)) + 1);
    const needed = sufficientStarts(peers, allowedErrorOfLook(looks, comparisonCount(view, settings)));
    if (needed !== undefined && starts >= needed) return [];
    return [{ variant, starts, ...(needed === undefined ? {} : { needed }) }];
  });
}

const startsOf = (counters: readonly { readonly starts: number }[]): number =>
  counters.reduce((sum, { starts }) => sum + starts, 0);

/** `InsufficientEvidence: 12 of 200 starts (AL2023/amd64/none)`. */
export const printMissingEvidence = (missing: readonly MissingEvidence[]): string =>
  `InsufficientEvidence: ${missing
    .map(({ variant, starts, needed }) =>
      needed === undefined
        ? `${starts} starts and too few on old nodes to compare with (${variant})`
        : `${starts} of ${needed} starts (${variant})`,
    )
    .join(', ')}`;
