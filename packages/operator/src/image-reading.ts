import { type EC2NodeClass, type Instant, nodewrightAnnotations } from '@nodewright/apis';
import { decideImages, type FirstSeen, type FoundImage, type ImageDecision } from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import { firstSeenOf, withSeen } from './controllers/node-class/first-seen.ts';
import { seenReleasesOf } from './controllers/node-class/seen-releases.ts';

/** The image decision of a NodeClass made afresh, with everything it was made of. */
export type ImageReading = {
  readonly kubernetesVersion: string;
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
  /** Ids of images that nodes run. */
  readonly inUse?: readonly string[];
};

/** Looks up and decides as the NodeClass controller would. Writes nothing. */
export async function readImages(
  nodeClass: EC2NodeClass,
  { cloud, now, kubernetesVersion, inUse = [] }: ImageReadingSources,
  signal: AbortSignal,
): Promise<ImageReading> {
  const minor = kubernetesVersion ?? (await cloud.controlPlane.kubernetesVersion(signal));
  const lookUp = async (asked: EC2NodeClass, at = minor) =>
    (await cloud.nodeClasses.images(withHistory(asked), at, signal)).images;
  const { images, releases = [] } = await cloud.nodeClasses.images(withHistory(nodeClass), minor, signal);
  const latest = followingLatest(nodeClass);
  const known = new Set(images.map(({ id }) => id));
  const besidePins = latest === undefined ? [] : (await lookUp(latest)).filter(({ id }) => !known.has(id));
  for (const { id } of besidePins) known.add(id);
  const unselected = await unselectedImages(nodeClass, { ids: inUse.filter((id) => !known.has(id)), minor }, lookUp);
  const firstSeen = withSeen(firstSeenOf(nodeClass), images);
  const seenReleases = seenReleasesOf(nodeClass);
  const question = { nodeClass, images, releases, seenReleases, kubernetesVersion: minor, firstSeen, now };
  const decision = decideImages(question);
  return { kubernetesVersion: minor, images, besidePins, unselected, decision, firstSeen };
}

type LookUp = (nodeClass: EC2NodeClass, minor?: string) => Promise<readonly FoundImage[]>;

/** Those of the ids that are there: as the terms would find them for the minor they were made for, or by themselves. */
async function unselectedImages(
  nodeClass: EC2NodeClass,
  { ids, minor }: { readonly ids: readonly string[]; readonly minor: string },
  lookUp: LookUp,
): Promise<readonly FoundImage[]> {
  if (ids.length === 0) return [];
  const byId = await lookUp({ ...nodeClass, spec: { ...nodeClass.spec, amiSelectorTerms: ids.map((id) => ({ id })) } });
  const minors = new Set(byId.flatMap(({ kubernetesVersion }) => kubernetesVersion ?? []));
  minors.delete(minor);
  const ofMinors: FoundImage[] = [];
  for (const other of minors) ofMinors.push(...(await lookUp(nodeClass, other)));
  return byId.map((image) => ofMinors.find(({ id }) => id === image.id) ?? image);
}

/** A minimum age of nothing decides nothing, and makes the lookup list older releases. */
function withHistory(nodeClass: EC2NodeClass): EC2NodeClass {
  const { metadata } = nodeClass;
  const annotations = { [nodewrightAnnotations.minimumAgeDuration]: '0', ...metadata.annotations };
  return { ...nodeClass, metadata: { ...metadata, annotations } };
}

/** The same NodeClass without its pins; `undefined` when it has none. */
function followingLatest(nodeClass: EC2NodeClass): EC2NodeClass | undefined {
  const { metadata, spec } = nodeClass;
  const families = spec.amiSelectorTerms.flatMap(({ alias }) => {
    const [family = '', version] = alias?.split('@') ?? [];
    return version === undefined || version === 'latest' ? [] : [{ alias: `${family}@latest` }];
  });
  if (families.length === 0) return undefined;
  // Another identity: lookups are remembered by it.
  return {
    ...nodeClass,
    metadata: { ...metadata, uid: `${metadata.uid}/latest` },
    spec: { ...spec, amiSelectorTerms: families },
  };
}
