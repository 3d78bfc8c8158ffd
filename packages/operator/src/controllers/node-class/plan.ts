import {
  awsAnnotations,
  conditionOf,
  earliest,
  type EC2NodeClass,
  finalizers,
  instant,
  type Instant,
  minutes,
  type NodeClaim,
  nodewrightAnnotations,
  readOwn,
  toTimestamp,
} from '@nodewright/apis';
import {
  buildNodeClassImageQuery,
  decideImages,
  ec2NodeClassHash,
  type FirstSeen,
  hashVersion,
  type ImageDecision,
} from '@nodewright/engine';
import type { FoundSubnet } from '@nodewright/ports';
import { type DecisionRecord, nameImageRules } from '../../state/image-decisions.ts';
import { withoutOver } from '../../state/out-of-capacity.ts';
import { firstSeenAnnotation, firstSeenOf, withSeen } from './first-seen.ts';
import type { NodeClassSnapshot } from './observe.ts';
import { seenReleasesAnnotation, seenReleasesOf, withSeenReleases } from './seen-releases.ts';
import { statusFrom } from './status.ts';

export type NodeClassAction =
  | { readonly kind: 'adopt'; readonly after: EC2NodeClass; readonly because: string }
  | { readonly kind: 'migrateClaim'; readonly claim: NodeClaim; readonly after: NodeClaim; readonly because: string }
  | {
      readonly kind: 'write';
      readonly after: EC2NodeClass;
      /** What is remembered of the decision; absent without one. */
      readonly record: DecisionRecord | undefined;
      readonly because: string;
    }
  | { readonly kind: 'awaitClaims'; readonly claims: readonly NodeClaim[]; readonly because: string }
  | { readonly kind: 'cleanUp'; readonly because: string };

export type NodeClassPlan = {
  readonly actions: readonly NodeClassAction[];
  readonly recheckAt?: Instant;
  /** All is well, and another look at the cloud brings the same; `until` something is due that is known beforehand. */
  readonly atRest?: { readonly until: Instant | undefined };
  /** What the lookups failed with: thrown once the rest is stored. */
  readonly failures: readonly unknown[];
};

export const nodeClassPeriodMs = minutes(1);
const claimsPollMs = minutes(10);

/** Keeps the status of an EC2NodeClass, the one place where the image decision is written down. */
export function planNodeClass(seen: NodeClassSnapshot, now: Instant): NodeClassPlan {
  const { nodeClass } = seen;
  if (nodeClass.metadata.deletionTimestamp !== undefined) return planDeletion(seen, now);
  const adopted = adoptedNodeClass(nodeClass);
  if (adopted !== nodeClass) return { actions: [...planClassMigrations(seen), adoption(adopted)], failures: [] };
  const memory = memoryOf(seen);
  const decision = decisionOf(seen, memory, now);
  const noted = withImageAnnotations(statusFrom(seen, decision, now), decision, memory);
  const after = withoutOver(noted, now);
  const failures = failedReadings(seen);
  const until = earliest(decision?.validUntil, ...endsOfReservations(seen));
  const isAtRest =
    seen.pace === 'atRest' && failures.length === 0 && !isExpectingAnswer(seen) && !isOutOfCapacity(after);
  return {
    actions: [
      { kind: 'write', after, record: decisionRecordOf(seen, decision), because: 'this is what the lookups brought' },
    ],
    recheckAt: earliest(instant(now + nodeClassPeriodMs), until),
    ...(isAtRest && { atRest: { until } }),
    failures,
  };
}

/** EC2 could not say yet whether a launch would do. */
const isExpectingAnswer = ({ validation }: NodeClassSnapshot): boolean =>
  validation.kind !== 'found' || validation.value.kind === 'retry';

const isOutOfCapacity = ({ metadata }: EC2NodeClass): boolean =>
  metadata.annotations?.[nodewrightAnnotations.outOfCapacity] !== undefined;

function planDeletion({ nodeClass, claims }: NodeClassSnapshot, now: Instant): NodeClassPlan {
  if (!(nodeClass.metadata.finalizers ?? []).includes(finalizers.ec2NodeClass)) return { actions: [], failures: [] };
  if (claims.length > 0) {
    const because = `${claims.length} claims still use it`;
    return {
      actions: [{ kind: 'awaitClaims', claims, because }],
      recheckAt: instant(now + claimsPollMs),
      failures: [],
    };
  }
  return { actions: [{ kind: 'cleanUp', because: 'no claim uses it any more' }], failures: [] };
}

const adoption = (after: EC2NodeClass): NodeClassAction => ({
  kind: 'adopt',
  after,
  because: 'the finalizer and the hash of the present spec come before anything is launched from it',
});

/** The same object when finalizer and hash are in place. */
function adoptedNodeClass(nodeClass: EC2NodeClass): EC2NodeClass {
  const { metadata } = nodeClass;
  const hashes = {
    [awsAnnotations.ec2NodeClassHash]: ec2NodeClassHash(nodeClass),
    [awsAnnotations.ec2NodeClassHashVersion]: hashVersion,
  };
  const isHashed = Object.entries(hashes).every(([name, value]) => readOwn(metadata.annotations, name) === value);
  const isHeld = (metadata.finalizers ?? []).includes(finalizers.ec2NodeClass);
  if (isHashed && isHeld) return nodeClass;
  return {
    ...nodeClass,
    metadata: {
      ...metadata,
      finalizers: [...new Set([...(metadata.finalizers ?? []), finalizers.ec2NodeClass])],
      annotations: { ...metadata.annotations, ...hashes },
    },
  };
}

/** Claims hashed another way take the present hash, unless they have drifted already: another formula is no change. */
function planClassMigrations({ nodeClass, claims }: NodeClassSnapshot): readonly NodeClassAction[] {
  const { ec2NodeClassHash: hash, ec2NodeClassHashVersion: version } = awsAnnotations;
  if (nodeClass.metadata.annotations?.[version] === hashVersion) return [];
  const current = ec2NodeClassHash(nodeClass);
  return claims
    .filter(({ metadata }) => metadata.annotations?.[version] !== hashVersion)
    .map((claim) => {
      const taken = conditionOf(claim, 'Drifted') === undefined ? { [hash]: current } : {};
      const annotations = { ...claim.metadata.annotations, ...taken, [version]: hashVersion };
      const after = { ...claim, metadata: { ...claim.metadata, annotations } };
      return { kind: 'migrateClaim', claim, after, because: `hashes are of version ${hashVersion} now` };
    });
}

/** What the NodeClass remembers of images that it sees now or has seen before. */
type ImageMemory = { readonly firstSeen: FirstSeen; readonly releases: ReadonlySet<string> };

function memoryOf({ nodeClass, images, kubernetesVersion: version }: NodeClassSnapshot): ImageMemory {
  const before = seenReleasesOf(nodeClass);
  if (images.kind !== 'found' || version.kind !== 'found')
    return { firstSeen: firstSeenOf(nodeClass), releases: before };
  const found = { images: images.value.images, kubernetesVersion: version.value };
  return {
    firstSeen: withSeen(firstSeenOf(nodeClass), found.images),
    releases: withSeenReleases(before, nodeClass, found),
  };
}

function decisionRecordOf(
  { kubernetesVersion, gate, gone = [], rules = [], subnets, quotas }: NodeClassSnapshot,
  decision: ImageDecision | undefined,
): DecisionRecord | undefined {
  if (decision === undefined || kubernetesVersion.kind !== 'found') return undefined;
  const governed = new Set([...(gate?.baseline ?? []), ...(gate?.target ?? [])].map(({ image }) => image));
  const left = decision.passedOver.filter(
    ({ image, reason }) => reason.kind === 'notRecommended' && governed.has(image.id),
  );
  return {
    withheld: decision.withheld,
    wanted: decision.rollout?.wanted ?? decision.selected,
    rules: nameImageRules(rules),
    kubernetesVersion: kubernetesVersion.value,
    gone,
    withdrawn: [...new Set(left.map(({ image }) => image.id))].toSorted(),
    ...(subnets.kind === 'found' ? countFewAddresses(subnets.value) : {}),
    ...(quotas?.kind === 'found' && quotas.value.length > 0 ? { quotas: quotas.value } : {}),
  };
}

/** More than any rollout takes at once. Their exact number would change with every launch, and is not needed. */
const manyAddresses = 1_000;

function countFewAddresses(subnets: readonly FoundSubnet[]): Pick<DecisionRecord, 'freeAddresses'> {
  const freeAddresses = subnets.reduce((sum, subnet) => sum + subnet.freeAddresses, 0);
  return freeAddresses < manyAddresses ? { freeAddresses } : {};
}

function decisionOf(
  { nodeClass, images, kubernetesVersion, rules = [], gate }: NodeClassSnapshot,
  { firstSeen, releases: seenReleases }: ImageMemory,
  now: Instant,
): ImageDecision | undefined {
  if (images.kind !== 'found' || kubernetesVersion.kind !== 'found') return undefined;
  const { images: found, releases = [] } = images.value;
  const query = buildNodeClassImageQuery(nodeClass, kubernetesVersion.value);
  const governed = gate === undefined ? {} : { gate };
  return decideImages({ query, images: found, releases, seenReleases, firstSeen, rules, now, ...governed });
}

/** Until when the decision holds, and what it remembers. Without a decision both stay as they are. */
function withImageAnnotations(
  nodeClass: EC2NodeClass,
  decision: ImageDecision | undefined,
  memory: ImageMemory,
): EC2NodeClass {
  if (decision === undefined) return nodeClass;
  const {
    [nodewrightAnnotations.decisionValidUntil]: _end,
    [nodewrightAnnotations.imagesFirstSeen]: _seen,
    [nodewrightAnnotations.releasesSeen]: _releases,
    ...others
  } = nodeClass.metadata.annotations ?? {};
  const end = decision.validUntil;
  const ends = end === undefined ? {} : { [nodewrightAnnotations.decisionValidUntil]: toTimestamp(end) };
  const remembered = { ...firstSeenAnnotation(memory.firstSeen), ...seenReleasesAnnotation(memory.releases) };
  const annotations = { ...others, ...ends, ...remembered };
  return { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
}

function failedReadings(seen: NodeClassSnapshot): readonly unknown[] {
  const findings = [
    seen.kubernetesVersion,
    seen.images,
    seen.subnets,
    seen.securityGroups,
    seen.capacityReservations,
    seen.placementGroup,
    seen.instanceProfile,
    seen.validation,
  ];
  return [...new Set(findings.flatMap((found) => (found.kind === 'failed' ? [found.error] : [])))];
}

const endsOfReservations = ({ capacityReservations: found }: NodeClassSnapshot): readonly (Instant | undefined)[] =>
  found.kind === 'found' ? found.value.map(({ endsAt }) => endsAt) : [];
