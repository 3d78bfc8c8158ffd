import type { HealthCategory, InstanceHealthPort } from '@nodewright/ports';
import { requeueAfter, settled, type Result } from '@nodewright/runtime';
import { instant, type Instant, minutes } from '@nodewright/apis';
import { areNodesAtRest } from '../../state/rest.ts';
import { endClaim, type ClaimEndDeps, forceDrain } from './end-claim.ts';
import { reportEpisodes, reportStatusDenied, reportUnhealthy } from './report.ts';
import { type Victim, victimsOf } from './victims.ts';

type InstanceStatusDeps = ClaimEndDeps & {
  readonly instanceHealth: InstanceHealthPort;
  /** Which instance was unhealthy in which way at the last look. */
  readonly episodes: Map<string, readonly HealthCategory[]>;
  readonly lastLook: LastLook;
};

/** When EC2 was last asked. */
export type LastLook = { at: Instant | undefined };

const instanceStatusPeriodMs = minutes(1);
const longestRestingPeriodMs = minutes(30);
/** At rest: 30 minutes for a hundred nodes, 3 for a thousand, of which more fall ill. */
const nodeMinutesPerLook = minutes(3_000);

const healthReasons: Readonly<Record<HealthCategory, string>> = {
  InstanceStatus: 'instance_status',
  SystemStatus: 'system_status',
  EventStatus: 'event_status',
};

/**
 * `interruption.instancestatus`: instances that EC2 finds impaired are given up at once, as nothing on them
 * can be relied on; those with something planned are drained as usual. EC2 is asked every minute while a node comes, goes,
 * is not ready, or is known to be impaired, and less often at rest.
 */
export function instanceStatusLoop(deps: InstanceStatusDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    if (!isLookDue(deps)) return requeueAfter(instanceStatusPeriodMs);
    const askedAt = deps.clock.now();
    const found = await foundBy(deps, signal);
    deps.lastLook.at = askedAt;
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

function isLookDue({ objects, episodes, lastLook, clock }: InstanceStatusDeps): boolean {
  const count = objects.nodeClaims.list().length;
  if (count === 0) return false;
  if (lastLook.at === undefined || episodes.size > 0 || !areNodesAtRest(objects, clock.now())) return true;
  const period = Math.min(longestRestingPeriodMs, nodeMinutesPerLook / count);
  return clock.now() >= instant(lastLook.at + period);
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
