import {
  byTextOf,
  fromTimestamp,
  hours,
  type Instant,
  type NodeRollout,
  parseAge,
  type PromotionSettings,
  seconds,
  toTimestamp,
  type VariantImage,
  inReverse,
} from '@nodewright/apis';
import { currentRollout } from '../course.ts';
import { imagesBeyond } from '../image-set.ts';
import { advanceStage } from '../neighbours.ts';
import type { EvidenceRecord, ProvenRelease, RunningWave, UpstreamReading } from '../promotion.ts';
import { isRollback } from '../view.ts';

/** A node as evidence counts it. */
export type ProvingNode = {
  readonly variant: string;
  readonly image: string;
  readonly initializedAt: Instant;
  readonly pods: number;
};

export type RecordQuestion = {
  readonly cluster: string;
  readonly policy: string;
  /** The rollouts of the policy. */
  readonly rollouts: readonly NodeRollout[];
  readonly nodes: readonly ProvingNode[];
  /** What was published last: rollouts that are forgotten here, and node-hours of nodes that are gone, are in it. */
  readonly before: EvidenceRecord | undefined;
  readonly promotion: PromotionSettings | undefined;
  /** What was read of other clusters after the record before was stored. */
  readonly upstream: readonly UpstreamReading[];
  readonly now: Instant;
};

const mostReleases = 40;

/** What a policy has proven, what has halted, and what runs now. It goes on from the record before. */
export function buildEvidenceRecord(question: RecordQuestion): EvidenceRecord {
  const { cluster, policy, rollouts, before, now } = question;
  const own = rollouts.flatMap(releasesOfRollout);
  const keys = new Set(rollouts.flatMap(({ spec }) => movedImages(spec.from, spec.to).map(keyOfRelease)));
  const kept = (before?.releases ?? []).filter((release) => !keys.has(keyOfRelease(release)));
  const releases = [...kept, ...lastOfEach(own)]
    .map((release) => withNodeTime(release, question))
    .toSorted(inReverse(byTextOf(({ completedAt }) => completedAt)))
    .slice(0, mostReleases);
  const running = runningWave(question);
  return { cluster, policy, at: toTimestamp(now), releases, ...(running === undefined ? {} : { running }) };
}

type ReleasedImage = VariantImage & { readonly release: string };
type DraftRelease = Omit<ProvenRelease, 'nodeHours' | 'pods'> & { readonly images: readonly string[] };

const keyOfRelease = ({ variant, release }: Pick<ProvenRelease, 'variant' | 'release'>): string =>
  `${variant} ${release}`;

const movedImages = (from: readonly VariantImage[], to: readonly VariantImage[]): readonly ReleasedImage[] =>
  imagesBeyond(from, to).flatMap((image) =>
    image.release === undefined ? [] : [{ ...image, release: image.release }],
  );

/** What a rollout says of the releases that it led to: nothing before it is complete or has halted. */
function releasesOfRollout(rollout: NodeRollout): readonly DraftRelease[] {
  const { spec, status = {} } = rollout;
  if (isRollback(rollout)) return [];
  const { halted, failures = [] } = status;
  return movedImages(spec.from, spec.to).flatMap(({ variant, release, image }): readonly DraftRelease[] => {
    const count = failures.filter((failure) => failure.variant === variant).length;
    const base = { variant, release, failures: count, images: [image] };
    if (halted?.variants.includes(variant) === true) return [{ ...base, completedAt: halted.at, verdict: 'Halted' }];
    if (status.state !== 'Complete' || status.endedAt === undefined) return [];
    return [{ ...base, completedAt: status.endedAt, verdict: 'Proven' }];
  });
}

/** Of several rollouts to one release the last counts; of several NodeClasses in one the worst. */
function lastOfEach(drafts: readonly DraftRelease[]): readonly DraftRelease[] {
  const last = new Map<string, DraftRelease>();
  for (const draft of drafts.toSorted(byTextOf(({ completedAt }) => completedAt))) {
    const before = last.get(keyOfRelease(draft));
    const isSame = before?.completedAt === draft.completedAt;
    const verdict = isSame && before.verdict === 'Halted' ? before.verdict : draft.verdict;
    last.set(keyOfRelease(draft), { ...draft, verdict, images: [...(before?.images ?? []), ...draft.images] });
  }
  return [...last.values()];
}

/** The time of its nodes since the record before is added to what that record had. */
function withNodeTime(
  release: DraftRelease | ProvenRelease,
  { nodes, before, rollouts, now }: RecordQuestion,
): ProvenRelease {
  const { variant, completedAt, failures, verdict } = release;
  const known = before?.releases.find((each) => keyOfRelease(each) === keyOfRelease(release));
  const since = known === undefined || before === undefined ? 0 : fromTimestamp(before.at);
  const images = new Set(imagesOfRelease(release, rollouts));
  const own = nodes.filter((node) => node.variant === variant && images.has(node.image));
  const ms = own.reduce((sum, { initializedAt }) => sum + Math.max(0, now - Math.max(since, initializedAt)), 0);
  return {
    variant,
    release: release.release,
    completedAt,
    nodeHours: Math.round(((known?.nodeHours ?? 0) + ms / hours(1)) * 10_000) / 10_000,
    pods: own.reduce((sum, { pods }) => sum + pods, 0),
    failures,
    verdict,
  };
}

const imagesOfRelease = (
  { variant, release }: Pick<ProvenRelease, 'variant' | 'release'>,
  rollouts: readonly NodeRollout[],
): readonly string[] =>
  rollouts
    .flatMap(({ spec }) => spec.to)
    .filter((image) => image.variant === variant && image.release === release)
    .map(({ image }) => image);

/** A wave is announced when it is published for the first time, and stays so until it ends. */
function runningWave(question: RecordQuestion): RunningWave | undefined {
  const { rollouts, before, cluster, now } = question;
  const current = currentRollout({ rollouts });
  if (current === undefined || isRollback(current) || current.status?.halted !== undefined) return undefined;
  const wave = current.status?.waves?.find(
    ({ startedAt, endedAt }) => startedAt !== undefined && endedAt === undefined,
  );
  if (wave === undefined) return undefined;
  const rollout = current.metadata.name;
  const known = before?.running;
  const isKnown = known?.rollout === rollout && known.wave === wave.name;
  const running = isKnown ? known : newRunningWave(rollout, wave.name, now);
  return advanceStage(running, { ...question, rollout, wave, announced: { cluster, running } });
}

const newRunningWave = (rollout: string, wave: string, now: Instant): RunningWave => {
  const since = toTimestamp(now);
  return { rollout, wave, since, stage: 'Waiting', stageSince: since };
};

/** How often a record is written though nothing has changed: readers take one of an hour ago for old. */
const refreshMs = parseAge('15m');

/** When the record is due: now if it says something new, else when it grows old. */
export function nextPublication(record: EvidenceRecord, before: EvidenceRecord | undefined, now: Instant): Instant {
  if (before === undefined || newsOfRecord(record) !== newsOfRecord(before)) return now;
  const refreshAt = fromTimestamp(before.at) + refreshMs;
  return refreshAt <= now ? now : ((Math.ceil(refreshAt / seconds(1)) * seconds(1)) as Instant);
}

/** What changes by more than the passing of time. */
const newsOfRecord = ({ releases, running }: EvidenceRecord): string =>
  JSON.stringify([
    releases.map(({ variant, release, completedAt, failures, verdict }) => [
      variant,
      release,
      completedAt,
      failures,
      verdict,
    ]),
    running ?? null,
  ]);
