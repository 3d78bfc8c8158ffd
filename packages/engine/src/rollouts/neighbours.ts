import { fromTimestamp, hours, instant, type Instant, minutes, toTimestamp } from '@nodewright/apis';
import type { EvidenceRecord, PromotionQuestion, RunningWave, UpstreamReading, WaveStage } from './promotion.ts';

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
 * Whether a cluster that `notTogetherWith` names runs a wave now, or is about to. What is not known holds until a person
 * approves the wave. Without `publish` no other cluster hears of this one: it gives way to all.
 */
export function findNeighbourHold(question: NeighbourQuestion): NeighbourHold | undefined {
  const { promotion, announced, rollout, wave } = question;
  if ((promotion?.notTogetherWith ?? []).length === 0) return undefined;
  if (promotion?.publish === undefined) return findOtherWave(question);
  const cluster = announced?.cluster ?? '';
  const running = announced?.running;
  if (running === undefined || running.rollout !== rollout || running.wave !== wave.name)
    return { cluster, because: `wave ${wave.name} is not published yet`, needsPerson: false };
  if (running.stage === 'Begun') return undefined;
  const told = { cluster, because: `the others hear of wave ${wave.name} first`, needsPerson: false };
  return findOtherWave(question) ?? { ...told, until: settledAt(running) };
}

/**
 * The stage that a published wave is in next.
 *
 * Guarantees: of clusters that name each other no two have begun at once, whatever their clocks say and however long a
 * write takes. A cluster begins when it has read all others after its own `Beginning` was stored, and found none that is
 * `Beginning` or `Begun`: of two, the one whose record was stored later sees the other. One that sees another goes back to
 * `Waiting`, but the first by name of two that are `Beginning`: it waits, so that one of them begins.
 *
 * Assumptions: the records of the others are read where they are written, or are carried there within a minute.
 */
export function advanceStage(running: RunningWave, question: NeighbourQuestion): RunningWave {
  const { promotion, upstream, now } = question;
  if (running.stage === 'Begun') return running;
  if ((promotion?.notTogetherWith ?? []).length === 0) return inStage(running, 'Begun', now);
  const hold = findOtherWave(question);
  const isSettled = upstream.every(({ readAt }) => readAt >= settledAt(running));
  if (running.stage === 'Beginning') {
    if (hold !== undefined && !hold.givesWay) return inStage(running, 'Waiting', now);
    return hold === undefined && isSettled ? inStage(running, 'Begun', now) : running;
  }
  return hold === undefined && isSettled ? inStage(running, 'Beginning', now) : running;
}

const inStage = (running: RunningWave, stage: WaveStage, now: Instant): RunningWave => ({
  ...running,
  stage,
  stageSince: toTimestamp(now),
});

/** When the others have heard of the stage. */
const settledAt = ({ since, stageSince = since }: RunningWave): Instant =>
  instant(fromTimestamp(stageSince) + settleMs);

/** `givesWay`: the other cluster goes back to waiting when it sees this one. */
type OtherWave = NeighbourHold & { readonly givesWay: boolean };

function findOtherWave(question: NeighbourQuestion): OtherWave | undefined {
  const holds = (question.promotion?.notTogetherWith ?? []).flatMap((cluster) => {
    const reading = question.upstream.find((each) => lastRecord(each)?.cluster === cluster);
    return holdOfReading(cluster, reading, question) ?? [];
  });
  return holds.find(({ givesWay }) => !givesWay) ?? holds[0];
}

const lastRecord = (reading: UpstreamReading): EvidenceRecord | undefined =>
  reading.kind === 'read' ? reading.record : reading.last;

function holdOfReading(
  cluster: string,
  reading: UpstreamReading | undefined,
  question: NeighbourQuestion,
): OtherWave | undefined {
  const record = reading === undefined ? undefined : lastRecord(reading);
  const { wave, now } = question;
  if (record === undefined)
    return wave.approvedAt === undefined
      ? { cluster, because: 'its record is not there', needsPerson: true, givesWay: false }
      : undefined;
  const because = whyRecordHolds(record, reading, question);
  if (because === undefined) return undefined;
  const givesWay = isGivingWay(record, question);
  const staleAt = fromTimestamp(record.at) + freshMs;
  if (now <= staleAt) return { cluster, because, needsPerson: false, givesWay };
  if (wave.approvedAt !== undefined && fromTimestamp(wave.approvedAt) > staleAt) return undefined;
  return { cluster, because: `${because}, as of ${record.at}`, needsPerson: true, givesWay };
}

function whyRecordHolds(
  { cluster, running }: EvidenceRecord,
  reading: UpstreamReading | undefined,
  { announced }: NeighbourQuestion,
): string | undefined {
  if (running !== undefined && !isBehind({ cluster, running }, announced))
    return running.stage === 'Waiting' || running.stage === 'Beginning'
      ? `wave ${running.wave} is about to begin there since ${running.since}`
      : `wave ${running.wave} runs there since ${running.since}`;
  return reading?.kind === 'unreadable' ? `its record cannot be read: ${reading.message}` : undefined;
}

/**
 * It waits, and was announced after this cluster. One that is in no stage has an older version, and goes by the times alone.
 */
function isBehind(
  { cluster, running }: { readonly cluster: string; readonly running: RunningWave },
  announced: AnnouncedWave | undefined,
): boolean {
  const own = announced?.running;
  if (own === undefined || announced === undefined) return false;
  if (running.stage === 'Beginning' || running.stage === 'Begun') return false;
  return own.since === running.since ? announced.cluster < cluster : own.since < running.since;
}

const isGivingWay = ({ cluster, running }: EvidenceRecord, { announced }: NeighbourQuestion): boolean =>
  running?.stage === 'Beginning' && announced?.running?.stage === 'Beginning' && announced.cluster < cluster;
