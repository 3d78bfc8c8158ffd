import type { HealthCategory, InstanceHealthPort } from '@nodewright/ports';
import { requeueAfter, settled, type Result } from '@nodewright/runtime';
import { minutes } from '@nodewright/apis';
import { endClaim, type ClaimEndDeps, forceDrain } from './end-claim.ts';
import { reportEpisodes, reportStatusDenied, reportUnhealthy } from './report.ts';
import { type Victim, victimsOf } from './victims.ts';

type InstanceStatusDeps = ClaimEndDeps & {
  readonly instanceHealth: InstanceHealthPort;
  /** Which instance was unhealthy in which way at the last look. */
  readonly episodes: Map<string, readonly HealthCategory[]>;
};

const instanceStatusPeriodMs = minutes(1);

const healthReasons: Readonly<Record<HealthCategory, string>> = {
  InstanceStatus: 'instance_status',
  SystemStatus: 'system_status',
  EventStatus: 'event_status',
};

/**
 * `interruption.instancestatus`: instances that EC2 finds impaired are given up at once, as nothing on them
 * can be relied on; those with something planned are drained as usual.
 */
export function instanceStatusLoop(deps: InstanceStatusDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    if (deps.objects.nodeClaims.list().length === 0) return requeueAfter(instanceStatusPeriodMs);
    const found = await foundBy(deps, signal);
    if (found === undefined) return settled;
    const ours = found.flatMap(({ instanceId, categories }) => {
      const victims = victimsOf(deps.objects, [instanceId]);
      return victims.length === 0 ? [] : [{ instanceId, categories, victims }];
    });
    noteEpisodes(deps, ours);
    for (const { categories, victims } of ours) {
      for (const victim of victims) await giveUpInstance(deps, victim, categories);
    }
    return requeueAfter(instanceStatusPeriodMs);
  };
}

/** `undefined` where the controller may not ask: older policies of Karpenter do not allow it. */
async function foundBy({ instanceHealth, publish }: InstanceStatusDeps, signal: AbortSignal) {
  try {
    return await instanceHealth.unhealthy(signal);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'UnauthorizedOperation') throw error;
    publish(reportStatusDenied(error));
    return undefined;
  }
}

type ImpairedInstance = { readonly instanceId: string; readonly categories: readonly HealthCategory[] };

function noteEpisodes({ episodes, publish }: InstanceStatusDeps, found: readonly ImpairedInstance[]): void {
  publish(reportEpisodes(found, episodes));
  episodes.clear();
  for (const { instanceId, categories } of found) episodes.set(instanceId, categories);
}

async function giveUpInstance(
  deps: ClaimEndDeps,
  victim: Victim,
  categories: readonly HealthCategory[],
): Promise<void> {
  const [category = 'EventStatus'] = categories;
  deps.publish(reportUnhealthy(victim));
  const isImpaired = categories.some((each) => each !== 'EventStatus');
  const marked = isImpaired ? await forceDrain(deps, victim) : victim;
  if (marked === undefined || marked.claim.metadata.deletionTimestamp !== undefined) return;
  const message = 'detected unhealthy instance owned by cluster';
  await endClaim(deps, marked, { reason: healthReasons[category], message });
}
