import { type AmiSelectorTerm, type EC2NodeClass, fromTimestamp, type Instant } from '@nodewright/apis';
import { builtInReleases, type ImageRelease } from '@nodewright/aws-endpoints';
import { familyOfAlias, parsedAlias } from '@nodewright/engine';
import { usualMinor } from './usual-cluster.ts';

/**
 * Chooses the Kubernetes version of a cluster for node classes: the newest one, the usual one at most, in which most of them find
 * images that are out by then. Pins of old releases and Amazon Linux 2 have images for older versions alone.
 */
export function chooseMinor(nodeClasses: readonly EC2NodeClass[], by: Instant): string {
  const known = builtInReleases().minors;
  const candidates = known.slice(1, known.indexOf(usualMinor) + 1).toReversed();
  const served = (minor: string): number => {
    const releases = builtInReleases()
      .of(minor)
      .filter(({ publishedAt, withdrawnAt }) => isOutBy(publishedAt, by) && !isOutBy(withdrawnAt, by));
    return nodeClasses.filter((nodeClass) => findsImagesIn(nodeClass, minor, releases)).length;
  };
  let [chosen, most] = [usualMinor, 0];
  for (const minor of candidates) {
    const count = served(minor);
    if (count > most) [chosen, most] = [minor, count];
    if (most === nodeClasses.length) return chosen;
  }
  return chosen;
}

const isOutBy = (time: string | undefined, by: Instant): boolean => time !== undefined && fromTimestamp(time) <= by;

const findsImagesIn = ({ spec }: EC2NodeClass, minor: string, releases: readonly ImageRelease[]): boolean =>
  (spec.amiSelectorTerms ?? []).some((term) => isServedIn(term, minor, releases));

/** Ids, tags and names of a team's own images say nothing of a version. */
function isServedIn({ alias, name, ssmParameter }: AmiSelectorTerm, minor: string, releases: readonly ImageRelease[]) {
  if (alias !== undefined) return releases.some((release) => isReleaseOfAlias(release, alias));
  const path = name ?? ssmParameter ?? '';
  const named = /(?:k8s-|k8s_|node-|standard-|nvidia-|neuron-|optimized-ami\/)(1\.\d+)\b/.exec(path)?.[1];
  return named === undefined || named === minor;
}

function isReleaseOfAlias({ family, version }: ImageRelease, alias: string): boolean {
  const wanted = parsedAlias(alias);
  const ofAlias = wanted.family === 'ubuntu' ? 'Ubuntu' : familyOfAlias(alias);
  if (family !== ofAlias) return false;
  return wanted.version === 'latest' || withoutVersionLetter(version) === withoutVersionLetter(wanted.version);
}

const withoutVersionLetter = (version: string): string => version.replace(/^v/, '');
