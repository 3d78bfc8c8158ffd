import { seconds } from '@nodewright/apis';
import {
  planSingly,
  planTogether,
  validateConsolidation,
  type DisruptionMethod,
  type SearchLimits,
} from '@nodewright/engine';
import type { ConsolidationSearch } from './search-progress.ts';

type ConsolidationRules = {
  /** The gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
  /** The search for a single node, as far as earlier passes have come. */
  readonly search: ConsolidationSearch | undefined;
  /** The number of the latest change that a search has to know of. */
  readonly change: number;
};

/** About a minute of work, as Karpenter allows. */
const limitsTogether: SearchLimits = { workLimit: 24_000_000 };

/** About five seconds. The loop looks after its commands in between, then the next pass goes on with the next nodes. */
const limitsSingly: SearchLimits = { mostTries: 500, workLimit: 2_000_000 };

/** In a large cluster something changes all the time, and a search is work. */
const searchPauseMs = seconds(10);

const reason = 'Underutilized';

/** The methods that save money, in the order in which they are asked. */
export const consolidationMethods = (rules: ConsolidationRules): readonly DisruptionMethod[] => [
  multiNodeConsolidation(rules),
  singleNodeConsolidation(rules),
];

/** Removes several nodes at once, or replaces them by one. */
const multiNodeConsolidation = ({ spotToSpot }: ConsolidationRules): DisruptionMethod => ({
  name: 'MultiNodeConsolidation',
  reason,
  consolidationType: 'multi',
  restMs: searchPauseMs,
  plan: (seen, now) => planTogether(seen, now, { spotToSpot, limits: limitsTogether }),
  validate: (command, seen, now) => validateConsolidation(command, seen, now, { spotToSpot }),
});

/** Removes or replaces one node. A search that is too long for one pass is continued in the next. */
const singleNodeConsolidation = ({ spotToSpot, search, change }: ConsolidationRules): DisruptionMethod => ({
  name: 'SingleNodeConsolidation',
  reason,
  consolidationType: 'single',
  restMs: searchPauseMs,
  plan: (seen, now) => {
    const looked = search?.looked ?? new Set<string>();
    const plan = planSingly(seen, now, { spotToSpot, limits: limitsSingly, looked });
    // A search that began before the latest change has looked at nodes that may be different now.
    return search === undefined || search.change === change ? plan : { ...plan, isUnfinished: true };
  },
  validate: (command, seen, now) => validateConsolidation(command, seen, now, { spotToSpot }),
});
