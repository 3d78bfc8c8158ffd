import type { HealthCategory, InstanceHealthPort } from '@nodewright/ports';
import { requeueAfter, restAndPoll, settled, type Result } from '@nodewright/runtime';
import { instant, type Instant, minutes } from '@nodewright/apis';
import { answersAsAt, pollCloud, type PollSources } from '../../state/poll-cloud.ts';
import { pollAtOrAfter } from '../../state/poll-times.ts';
import { areNodesAtRest } from '../../state/rest.ts';
import { endClaim, type ClaimEndDeps, forceDrain } from './end-claim.ts';
import { reportEpisodes, reportStatusDenied, reportUnhealthy } from './report.ts';
import { type Victim, victimsOf } from './victims.ts';

type InstanceStatusDeps = ClaimEndDeps &
  PollSources & {
    readonly instanceHealth: InstanceHealthPort;
    /** Which instance was unhealthy in which way at the last look. */
    readonly episodes: Map<string, readonly HealthCategory[]>;
    readonly lastLook: LastLook;
  };

type LookSources = Pick<InstanceStatusDeps, 'objects' | 'episodes' | 'lastLook' | 'clock' | 'changes'>;

/** When EC2 was last asked, and at which version of the cloud. */
export type LastLook = { at: Instant | undefined; version?: number | undefined };

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
    const askedAt = deps.clock.now();
    const dueAt = nextInstanceLook(deps, askedAt);
    if (dueAt === undefined) return pollCloud(deps, instanceStatusPeriodMs);
    if (askedAt < dueAt)
      return restAndPoll(
        instanceStatusPeriodMs,
        pollAtOrAfter(dueAt, { now: askedAt, everyMs: instanceStatusPeriodMs }),
      );
    const version = deps.changes?.version();
    const found = await foundBy(deps, signal);
    deps.lastLook.at = askedAt;
    deps.lastLook.version = version;
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

/**
 * When EC2 is asked next, as long as no claim and no node changes; `undefined` without claims, and while the cloud tells
 * that another look brings the same.
 */
function nextInstanceLook(sources: LookSources, now: Instant): Instant | undefined {
  const { objects, episodes, lastLook } = sources;
  const count = objects.nodeClaims.list().length;
  if (count === 0) return undefined;
  if (lastLook.at === undefined || episodes.size > 0 || !areNodesAtRest(objects, now)) return now;
  if (answersAsAt(lastLook.version, sources)) return undefined;
  return instant(lastLook.at + Math.min(longestRestingPeriodMs, nodeMinutesPerLook / count));
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
