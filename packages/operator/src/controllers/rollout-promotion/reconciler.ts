import { earliest, instant, minutes } from '@nodewright/apis';
import { type Clock, recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { observePublication, observeUpstream, type EvidenceSources } from './observe.ts';
import { performPublication, type Published } from './perform.ts';
import { planPublication } from './plan.ts';
import { reportEvidence } from './report.ts';

export type PromotionDeps = Omit<EvidenceSources, 'now'> & { readonly clock: Clock; readonly publish: Publisher };

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
    const plan = snapshot && planPublication(snapshot, now);
    const { nextAt, ...published }: Published =
      snapshot === undefined || plan === undefined ? {} : await performPublication(deps, snapshot, plan, signal);
    const state = { readings, ...published };
    deps.publish(reportEvidence(policy, { before: deps.upstream.stateOf(name), after: state, plan }));
    deps.upstream.set(name, state);
    const askAt =
      readings.length > 0 || published.publication?.kind === 'failed' ? instant(now + askPeriodMs) : undefined;
    return recheckAt(earliest(...[nextAt, askAt].filter((at) => at !== undefined)));
  };
}
