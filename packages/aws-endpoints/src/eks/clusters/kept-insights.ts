import type { Insight } from '@aws-sdk/client-eks';
import { days, type Instant, instant, minutes, readOwn } from '@nodewright/apis';
import type { EksCluster } from './cluster.ts';

/** What EKS found at one cluster when it last looked. */
export type KeptInsights = {
  /** The cluster that was looked at: another version, or another cluster of the name, is looked at anew. */
  readonly about: Pick<EksCluster, 'createdAt' | 'version'>;
  readonly at: Instant;
  readonly findings: readonly Insight[];
  /** Since when each finding, by its id, has had its status. */
  readonly since: Readonly<Record<string, Instant>>;
  /** The refresh that was requested last. */
  readonly asked?: InsightsRefresh;
};

export type InsightsRefresh = { readonly startedAt: Instant; readonly endsAt: Instant };

const everyMs = days(1);
const refreshTakesMs = minutes(2);

export const newRefresh = (now: Instant): InsightsRefresh => ({
  startedAt: now,
  endsAt: instant(now + refreshTakesMs),
});

/** What is kept, looked at anew where a day has begun since, a refresh has ended, or the cluster is another one. */
export function refreshInsights(
  kept: KeptInsights | undefined,
  { createdAt, version }: EksCluster,
  { now, look }: { readonly now: Instant; readonly look: () => readonly Insight[] },
): KeptInsights {
  const isSame = kept?.about.createdAt === createdAt && kept.about.version === version;
  const ended = kept?.asked !== undefined && kept.asked.endsAt <= now ? kept.asked.endsAt : createdAt;
  const daily = createdAt + Math.floor((now - createdAt) / everyMs) * everyMs;
  const due = instant(Math.max(daily, ended));
  if (isSame && kept.at >= due) return kept;
  const at = isSame || kept === undefined ? due : now;
  const findings = look();
  return { ...kept, about: { createdAt, version }, at, findings, since: findingSince(findings, kept, at) };
}

function findingSince(
  findings: readonly Insight[],
  kept: KeptInsights | undefined,
  at: Instant,
): KeptInsights['since'] {
  const statusOf = (id: string): string | undefined =>
    kept?.findings.find((each) => each.id === id)?.insightStatus?.status;
  return Object.fromEntries(
    findings.map(({ id = '', insightStatus }) => [
      id,
      statusOf(id) === insightStatus?.status ? (readOwn(kept?.since, id) ?? at) : at,
    ]),
  );
}
