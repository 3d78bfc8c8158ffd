import { earliest, instant, minutes } from '@nodewright/apis';
import type { ParameterPort } from '@nodewright/ports';
import {
  type Clock,
  type KubernetesClient,
  recheckAt,
  type Reconciler,
  settled,
  type WebClient,
} from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import type { UpstreamRecords } from '../../state/upstream-records.ts';
import { readUpstream } from './observe.ts';
import { publishRecord } from './perform.ts';

export type PromotionDeps = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly parameters: ParameterPort;
  readonly upstream: UpstreamRecords;
  readonly clusterName: string;
  readonly clock: Clock;
};

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
    const readings = await readUpstream({ ...deps, now }, policy, signal);
    const { nextAt, ...published } = await publishRecord({ ...deps, now }, policy, signal);
    deps.upstream.set(name, { readings, ...published });
    const askAt =
      readings.length > 0 || published.publication?.kind === 'failed' ? instant(now + askPeriodMs) : undefined;
    return recheckAt(earliest(...[nextAt, askAt].filter((at) => at !== undefined)));
  };
}
