import { amiSelectorTermsOf, type EC2NodeClass, nodewrightAnnotations } from '@nodewright/apis';
import { type FoundImage, releaseKey } from '@nodewright/engine';

/** An annotation is no archive: the releases that were noted last are kept. */
const mostRememberedReleases = 20;
const releaseSeparator = ', ';

/** Releases that the aliases of the NodeClass have found, as keys of `releaseKey`, the latest last. */
export const seenReleasesOf = ({ metadata }: EC2NodeClass): ReadonlySet<string> =>
  new Set((metadata.annotations?.[nodewrightAnnotations.releasesSeen] ?? '').split(releaseSeparator).filter(Boolean));

/** The memory with what aliases find now: the release that is pinned, or the one that the moving parameter names. */
export function withSeenReleases(
  memory: ReadonlySet<string>,
  nodeClass: EC2NodeClass,
  { images, kubernetesVersion }: { readonly images: readonly FoundImage[]; readonly kubernetesVersion: string },
): ReadonlySet<string> {
  const terms = amiSelectorTermsOf(nodeClass);
  const found = images.flatMap(({ term, version, recommended }) => {
    const [family, pinned] = terms[term]?.alias?.split('@') ?? [];
    const isCurrent = pinned !== 'latest' || recommended === true;
    if (family === undefined || version === undefined || !isCurrent) return [];
    return [releaseKey(`${family}@${version}`, kubernetesVersion)];
  });
  return new Set([...new Set([...memory, ...found])].slice(-mostRememberedReleases));
}

/** As the annotation holds it; nothing when there is nothing to remember. */
export const seenReleasesAnnotation = (memory: ReadonlySet<string>): Readonly<Record<string, string>> =>
  memory.size === 0 ? {} : { [nodewrightAnnotations.releasesSeen]: [...memory].join(releaseSeparator) };
