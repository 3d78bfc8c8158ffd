import { earliest, instant, minutes } from '@nodewright/apis';
import { type Clock, recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import { observePublication, observeUpstream, type EvidenceSources } from './observe.ts';
import { performPublication, type Published } from './perform.ts';
import { planPublication } from './plan.ts';

export type PromotionDeps = Omit<EvidenceSources, 'now'> & { readonly clock: Clock };

/** How often other clusters are asked: a halt there has to get here before the next wave does. */
const askPeriodMs = minutes(1);

/** `rolloutpromotion`: reads what other clusters have proven, and publishes what this one has. Keys are policies. */
export function rolloutPromotionReconciler(deps: PromotionDeps): Reconciler {
  return async (name, signal) => {
    const policy = deps.objects.rolloutPolicies.get(name);
    if (policy?.spec.promotion === undefined) {
      deps.upstream.forget(name);
      return settled;
    }
    const now = deps.clock.now();
    const sources = { ...deps, now };
    const readings = await observeUpstream(sources, policy, signal);
    const snapshot = await observePublication(sources, { policy, upstream: readings }, signal);
    const { nextAt, ...published }: Published =
      snapshot === undefined ? {} : await performPublication(deps, snapshot, planPublication(snapshot, now), signal);
    deps.upstream.set(name, { readings, ...published });
    const askAt =
      readings.length > 0 || published.publication?.kind === 'failed' ? instant(now + askPeriodMs) : undefined;
    return recheckAt(earliest(...[nextAt, askAt].filter((at) => at !== undefined)));
  };
}
