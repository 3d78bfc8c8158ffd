import {
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
  toTimestamp,
  byTextOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import type { FoundImage, ImageDecision, PassedOverReason } from '@nodewright/engine';
import type { ImageReading } from '@nodewright/operator';

/** One image for one kind of machine, as programs get it. */
export type ReportedImage = {
  readonly id: string;
  readonly name: string;
  readonly release?: string;
  readonly variant?: string;
  readonly arch?: string;
  readonly createdAt?: string;
  readonly publishedAt?: string;
  readonly firstSeenAt?: string;
  readonly ageSeconds?: number;
  readonly state:
    | 'selected'
    | 'rollingOut'
    | 'baking'
    | 'blocked'
    | 'held'
    | 'withdrawn'
    | 'deprecated'
    | 'older'
    | 'pinnedAway'
    | 'otherVersion'
    | 'unselected'
    | 'gone';
  /** When it is old enough. */
  readonly matureAt?: string;
  readonly deprecatedAt?: string;
  readonly because: string;
  /** How many nodes of the NodeClass run it. */
  readonly nodes: number;
};

export type ImageReport = {
  readonly name: string;
  readonly kubernetesVersion: string;
  readonly terms: readonly string[];
  /** When the selection changes by itself. */
  readonly changesAt?: string;
  /** What changes then: a clause. */
  readonly change?: string;
  readonly problem?: string;
  readonly advice: readonly string[];
  readonly images: readonly ReportedImage[];
};

export type ReportSubject = {
  /** The EC2NodeClass or the family that the images are of. */
  readonly name: string;
  /** How many nodes run each image, by id. */
  readonly nodes: ReadonlyMap<string, number>;
  readonly now: Instant;
};

/** What is known of the images of a NodeClass or a family: every release, whether it is launched, and if not, why. */
export function imageReport(reading: ImageReading, { name, nodes, now }: ReportSubject): ImageReport {
  const { decision, query, images, besidePins, unselected } = reading;
  const { kubernetesVersion } = query;
  const facts: ImageFacts = { reading, nodes, now };
  const found = images.map((image) => reportImage(image, standingOfImage(image, decision), facts));
  const pinned = besidePins.map((image) => reportImage(image, standingInRollout(image, decision) ?? pinnedAway, facts));
  const others = unselected.map((image) =>
    reportImage(image, standingInRollout(image, decision) ?? unselectedStanding(image, kubernetesVersion), facts),
  );
  const known = new Set([...images, ...besidePins, ...unselected].map(({ id }) => id));
  const gone = [...nodes].filter(([id]) => !known.has(id)).map(([id, count]) => goneImage(id, count));
  return {
    name,
    kubernetesVersion,
    terms: query.terms.map(printImageTerm),
    ...(decision.validUntil === undefined ? {} : { changesAt: toTimestamp(decision.validUntil) }),
    ...(decision.problem === undefined ? {} : { problem: decision.problem.message }),
    advice: decision.advice,
    ...changeAt(decision.validUntil, found),
    images: [...found, ...pinned, ...others, ...gone].toSorted(newestImageFirst),
  };
}

/** Which of the images found is old enough, or deprecated, from that instant on. */
function changeAt(at: Instant | undefined, images: readonly ReportedImage[]): Pick<ImageReport, 'change'> {
  if (at === undefined) return {};
  const when = toTimestamp(at);
  const changes = new Set(
    images.flatMap(({ id, release = id, matureAt, deprecatedAt }) => [
      ...(matureAt === when ? [`${release} is old enough to be launched`] : []),
      ...(deprecatedAt === when ? [`${release} is deprecated`] : []),
    ]),
  );
  return changes.size === 0 ? {} : { change: [...changes].join(', ') };
}

type ImageFacts = {
  readonly reading: ImageReading;
  readonly nodes: ReadonlyMap<string, number>;
  readonly now: Instant;
};

type ImageStanding = Pick<ReportedImage, 'state' | 'because' | 'matureAt'>;

const pinnedAway: ImageStanding = { state: 'pinnedAway', because: 'the NodeClass pins another release' };

function reportImage(image: FoundImage, standing: ImageStanding, { reading, nodes, now }: ImageFacts): ReportedImage {
  const { id, name, version, variant, arch, createdAt, publishedAt, deprecatedAt } = image;
  const firstSeen = reading.firstSeen.get(id);
  return {
    id,
    name,
    ...(version === undefined ? {} : { release: version }),
    ...(variant === undefined ? {} : { variant }),
    arch,
    createdAt: toTimestamp(createdAt),
    ...(publishedAt === undefined ? {} : { publishedAt: toTimestamp(publishedAt) }),
    ...(firstSeen === undefined ? {} : { firstSeenAt: toTimestamp(firstSeen) }),
    ageSeconds: Math.floor((now - (publishedAt ?? firstSeen ?? createdAt)) / 1000),
    ...(deprecatedAt === undefined ? {} : { deprecatedAt: toTimestamp(deprecatedAt) }),
    ...standing,
    nodes: nodes.get(id) ?? 0,
  };
}

function standingOfImage(image: FoundImage, decision: ImageDecision): ImageStanding {
  const governed = standingInRollout(image, decision);
  if (governed !== undefined) return governed;
  const passed = decision.passedOver.find((each) => each.image === image);
  if (passed !== undefined) return passedStanding(passed.reason);
  return decision.selected.some(({ id }) => id === image.id)
    ? { state: 'selected', because: 'this is what new nodes get' }
    : { state: 'older', because: 'no term of the NodeClass takes it' };
}

/** Where a policy governs the NodeClass, the proven image is launched until the last wave of a rollout. */
function standingInRollout(
  { id }: FoundImage,
  { selected, rollout, passedOver }: ImageDecision,
): ImageStanding | undefined {
  if (rollout === undefined) return undefined;
  const isWanted = rollout.wanted.some((image) => image.id === id);
  const name = rollout.rollout === undefined ? undefined : `NodeRollout ${rollout.rollout}`;
  if (selected.some((image) => image.id === id)) {
    const because = isWanted ? 'this is what new nodes get' : 'proven: new nodes get it until another image is';
    return { state: 'selected', because };
  }
  if (!isWanted) return undefined;
  const held = passedOver.find(({ image, reason }) => image.id === id && isHeldByPolicy(reason));
  if (held !== undefined) return passedStanding(held.reason);
  const isOfSeats = rollout.seats.some((image) => image.id === id);
  const because =
    name === undefined || !isOfSeats
      ? 'a policy holds it: no rollout leads to it now'
      : `${name} leads to it: only nodes in its waves get it`;
  return { state: 'rollingOut', because };
}

const isHeldByPolicy = ({ kind }: PassedOverReason): boolean =>
  kind === 'notProvenUpstream' || kind === 'haltedUpstream' || kind === 'failedBefore';

function passedStanding(reason: PassedOverReason): ImageStanding {
  switch (reason.kind) {
    case 'tooYoung': {
      const matureAt = toTimestamp(reason.matureAt);
      return { state: 'baking', because: `too young until ${matureAt}`, matureAt };
    }
    case 'notRecommended':
      return {
        state: 'withdrawn',
        because: `newer than ${reason.recommended}, which the family recommends: withdrawn, or not promoted yet`,
      };
    case 'blocked':
      return { state: 'blocked', because: `ImageRule ${reason.rule} blocks it: ${reason.because}` };
    case 'notProvenUpstream':
    case 'haltedUpstream':
    case 'failedBefore':
      return { state: 'held', because: `${reason.kind}: ${reason.because}` };
    case 'deprecated':
      return { state: 'deprecated', because: `deprecated; ${reason.instead} is launched instead` };
    case 'older':
      return { state: 'older', because: `${reason.instead} is newer` };
  }
}

const unselectedStanding = ({ kubernetesVersion }: FoundImage, minor: string): ImageStanding =>
  kubernetesVersion === undefined || kubernetesVersion === minor
    ? { state: 'unselected', because: 'nodes run it, but no term of the NodeClass finds it now' }
    : { state: 'otherVersion', because: `made for Kubernetes ${kubernetesVersion}, not ${minor}` };

const goneImage = (id: string, nodes: number): ReportedImage => ({
  id,
  name: '',
  state: 'gone',
  because: 'nodes run it, but there is no such image any more: withdrawn or deregistered',
  nodes,
});

/** How many nodes run each image, by id. */
export function nodesByImage(claims: readonly NodeClaim[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of claims) {
    const image = status?.imageID;
    if (image !== undefined && image !== '') counts.set(image, (counts.get(image) ?? 0) + 1);
  }
  return counts;
}

export const claimsOfNodeClass = ({ metadata }: EC2NodeClass, claims: readonly NodeClaim[]): readonly NodeClaim[] =>
  claims.filter(({ spec }) => spec.nodeClassRef.name === metadata.name);

/** `alias: al2023@latest`. */
export const printImageTerm = (term: object): string =>
  Object.entries(term)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const dateOf = ({ publishedAt, createdAt }: ReportedImage): string => publishedAt ?? createdAt ?? '';

/** Images without a date are the last. */
const newestImageFirst = inOrder<ReportedImage>(
  inReverse(byTextOf(dateOf)),
  byTextOf(({ variant = '' }) => variant),
  byTextOf(({ arch = '' }) => arch),
  byTextOf(({ id }) => id),
);
