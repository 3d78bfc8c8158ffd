import {
  type EC2NodeClass,
  type ImageRule,
  imageRules,
  type Instant,
  nodeRolloutPolicies,
  nodeRollouts,
} from '@nodewright/apis';
import {
  buildNodeClassImageQuery,
  decideImages,
  type FirstSeen,
  type FoundImage,
  type ImageDecision,
  type ImageGate,
  type ImageQuery,
} from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import { listAll, type KubernetesClient } from '@nodewright/runtime';
import { firstSeenOf, withSeen } from './controllers/node-class/first-seen.ts';
import { seenReleasesOf } from './controllers/node-class/seen-releases.ts';
import { listIfServed } from './objects/list-if-served.ts';
import { createObjects } from './state/objects.ts';
import { readGateOfClass } from './state/rollout-governance.ts';

/** An image decision made anew, with everything it was made of. */
export type ImageReading = {
  readonly query: ImageQuery;
  /** Older releases too, even where no minimum age asks for them. */
  readonly images: readonly FoundImage[];
  /** Releases of families that terms pin, which the pins leave out. */
  readonly besidePins: readonly FoundImage[];
  /** Images in use that the terms do not find now, as far as they still are there. */
  readonly unselected: readonly FoundImage[];
  readonly decision: ImageDecision;
  readonly firstSeen: FirstSeen;
};

export type ImageReadingSources = {
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'controlPlane'>;
  readonly now: Instant;
  /** Another minor than the control plane's. */
  readonly kubernetesVersion?: string;
  /** Rules that block images, or let them skip their bake time. */
  readonly rules?: readonly ImageRule[];
  /** What rollouts make of the images of an EC2NodeClass; without it, as without a policy. */
  readonly gateOf?: ImageGates;
  /** Ids of images that nodes run. */
  readonly inUse?: readonly string[];
};

/** The gate of an EC2NodeClass, for a minor of Kubernetes; absent where no policy governs the class. */
export type ImageGates = (nodeClass: string, kubernetesVersion: string) => ImageGate | undefined;

/** How far policies have let images go, as it is stored. */
export async function readImageGates(client: KubernetesClient, now: Instant): Promise<ImageGates> {
  const objects = createObjects(client);
  for (const pool of (await listAll(client, objects.nodePools.type)).items) objects.nodePools.cache.seen(pool);
  for (const policy of await listIfServed(client, nodeRolloutPolicies)) objects.rolloutPolicies.cache.seen(policy);
  for (const rollout of await listIfServed(client, nodeRollouts)) objects.rollouts.cache.seen(rollout);
  for (const rule of await listIfServed(client, imageRules)) objects.imageRules.cache.seen(rule);
  return (nodeClass, kubernetesVersion) => readGateOfClass(objects, nodeClass, { kubernetesVersion, gone: [], now });
}

/** Looks up and decides as the NodeClass controller would. Writes nothing. */
export async function readNodeClassImages(
  nodeClass: EC2NodeClass,
  sources: ImageReadingSources,
  signal: AbortSignal,
): Promise<ImageReading> {
  const query = buildNodeClassImageQuery(nodeClass, await readKubernetesVersion(sources, signal));
  const memory = { firstSeen: firstSeenOf(nodeClass), seenReleases: seenReleasesOf(nodeClass) };
  const gate = sources.gateOf?.(nodeClass.metadata.name, query.kubernetesVersion);
  return readImages({ query, ...memory, ...(gate === undefined ? {} : { gate }) }, sources, signal);
}

/**
 * Looks up the releases of a family, and decides as for an EC2NodeClass that follows it.
 * @param family as aliases name it, `al2023`
 */
export async function readFamilyImages(
  family: string,
  sources: ImageReadingSources,
  signal: AbortSignal,
): Promise<ImageReading> {
  const kubernetesVersion = await readKubernetesVersion(sources, signal);
  const query = { terms: [{ alias: `${family}@latest` }], kubernetesVersion };
  return readImages({ query, firstSeen: new Map(), seenReleases: new Set() }, sources, signal);
}

const readKubernetesVersion = async (
  { cloud, kubernetesVersion }: ImageReadingSources,
  signal: AbortSignal,
): Promise<string> => kubernetesVersion ?? cloud.controlPlane.kubernetesVersion(signal);

type ReadingSubject = {
  readonly query: ImageQuery;
  readonly firstSeen: FirstSeen;
  readonly seenReleases: ReadonlySet<string>;
  readonly gate?: ImageGate;
};

async function readImages(
  subject: ReadingSubject,
  { cloud: { nodeClasses }, now, rules = [], inUse = [] }: ImageReadingSources,
  signal: AbortSignal,
): Promise<ImageReading> {
  const { query, seenReleases } = subject;
  const lookUp = (asked: ImageQuery) => nodeClasses.images({ ...asked, history: true }, signal);
  const { images, releases = [] } = await lookUp(query);
  const known = new Set(images.map(({ id }) => id));
  const besidePins = (await releasesBesidePins(query, lookUp)).filter(({ id }) => !known.has(id));
  for (const { id } of besidePins) known.add(id);
  const missing = inUse.filter((id) => !known.has(id));
  const unselected = await unselectedImages(query, missing, lookUp);
  const firstSeen = withSeen(subject.firstSeen, images);
  const governed = subject.gate === undefined ? {} : { gate: subject.gate };
  const decision = decideImages({ query, images, releases, seenReleases, firstSeen, rules, now, ...governed });
  return { query, images, besidePins, unselected, decision, firstSeen };
}

type LookUp = (query: ImageQuery) => Promise<{ readonly images: readonly FoundImage[] }>;

/** The releases of every family of which a term pins one. */
async function releasesBesidePins(query: ImageQuery, lookUp: LookUp): Promise<readonly FoundImage[]> {
  const terms = query.terms.flatMap(({ alias }) => {
    const [family = '', version] = alias?.split('@') ?? [];
    return version === undefined || version === 'latest' ? [] : [{ alias: `${family}@latest` }];
  });
  return terms.length === 0 ? [] : (await lookUp({ ...query, terms })).images;
}

/** Those of the ids that are there: as the terms would find them for the minor they were made for, or by themselves. */
async function unselectedImages(
  query: ImageQuery,
  ids: readonly string[],
  lookUp: LookUp,
): Promise<readonly FoundImage[]> {
  if (ids.length === 0) return [];
  const { images: byId } = await lookUp({ ...query, terms: ids.map((id) => ({ id })) });
  const minors = new Set(byId.flatMap(({ kubernetesVersion }) => kubernetesVersion ?? []));
  minors.delete(query.kubernetesVersion);
  const ofMinors: FoundImage[] = [];
  for (const kubernetesVersion of minors) ofMinors.push(...(await lookUp({ ...query, kubernetesVersion })).images);
  return byId.map((image) => ofMinors.find(({ id }) => id === image.id) ?? image);
}
