import { fromTimestamp, hours, instant, type Instant, minutes, toTimestamp } from '@nodewright/apis';
import type { EvidenceRecord, PromotionQuestion, RunningWave, UpstreamReading } from './promotion.ts';

/** The wave of a neighbour that must not run at the same time, if one does, or may. */
export type NeighbourHold = {
  readonly cluster: string;
  readonly because: string;
  readonly needsPerson: boolean;
  /** When time alone may lift it. */
  readonly until?: Instant;
};

/** What this cluster has published for its neighbours about the wave under way. */
export type AnnouncedWave = { readonly cluster: string; readonly running?: RunningWave };

export type NeighbourQuestion = PromotionQuestion & {
  readonly rollout: string;
  readonly wave: { readonly name: string; readonly approvedAt?: string };
  readonly announced: AnnouncedWave | undefined;
};

/** A record holds until it is an hour old without refresh; then a person decides. */
const freshMs = hours(1);
/** A record that was written by then is read by now, whatever the write and the clocks took. */
const settleMs = minutes(1);

/**
 * Whether a cluster that `notTogetherWith` names runs a wave now. What is not known holds until a person approves the wave.
 *
 * Of two clusters that publish, the one that announced its wave first goes, then the other: a wave begins when it is
 * announced and the records of the neighbours were read a minute later.
 */
export function findNeighbourHold(question: NeighbourQuestion): NeighbourHold | undefined {
  const { promotion, upstream } = question;
  const clusters = promotion?.notTogetherWith ?? [];
  if (clusters.length === 0) return undefined;
  const unannounced = holdUntilAnnounced(question);
  if (unannounced !== undefined) return unannounced;
  for (const cluster of clusters) {
    const record = upstream.map(lastRecord).find((each) => each?.cluster === cluster);
    const hold = record === undefined ? holdOfNoRecord(cluster, question) : holdOfRecord(record, question);
    if (hold !== undefined) return hold;
  }
  return undefined;
}

const lastRecord = (reading: UpstreamReading): EvidenceRecord | undefined =>
  reading.kind === 'read' ? reading.record : reading.last;

/** Without `publish` no other cluster knows of this one: it gives way to all. */
function holdUntilAnnounced({
  promotion,
  upstream,
  announced,
  rollout,
  wave,
}: NeighbourQuestion): NeighbourHold | undefined {
  if (promotion?.publish === undefined) return undefined;
  const cluster = announced?.cluster ?? '';
  const running = announced?.running;
  if (running === undefined || running.rollout !== rollout || running.wave !== wave.name)
    return { cluster, because: `wave ${wave.name} is not published yet`, needsPerson: false };
  const settledAt = instant(fromTimestamp(running.since) + settleMs);
  return upstream.every(({ readAt }) => readAt >= settledAt)
    ? undefined
    : { cluster, because: `the others hear of wave ${wave.name} first`, needsPerson: false, until: settledAt };
}

const holdOfNoRecord = (cluster: string, { wave }: NeighbourQuestion): NeighbourHold | undefined =>
  wave.approvedAt === undefined ? { cluster, because: 'its record is not there', needsPerson: true } : undefined;

function holdOfRecord(record: EvidenceRecord, { announced, wave, now }: NeighbourQuestion): NeighbourHold | undefined {
  const { cluster, running } = record;
  if (running === undefined || isBehind(record, announced)) return undefined;
  const staleAt = fromTimestamp(record.at) + freshMs;
  const because = `wave ${running.wave} runs there since ${running.since}`;
  if (now <= staleAt) return { cluster, because, needsPerson: false };
  if (wave.approvedAt !== undefined && fromTimestamp(wave.approvedAt) > staleAt) return undefined;
  return { cluster, because: `${because}, as of ${toTimestamp(instant(fromTimestamp(record.at)))}`, needsPerson: true };
}

/** It announced its wave after this cluster did: it waits for this one. */
function isBehind({ cluster, running }: EvidenceRecord, announced: AnnouncedWave | undefined): boolean {
  const own = announced?.running;
  if (own === undefined || running === undefined) return false;
  return own.since === running.since
    ? announced !== undefined && announced.cluster < cluster
    : own.since < running.since;
}
