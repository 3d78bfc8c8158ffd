import { type ImageUse, inventedVersion, type IncidentFamily } from './image-use.ts';
import { pinnedInLibrary, type TeamManifests } from './team-manifests.ts';

/** The file of an incident as it is played with the manifests of a team, or why it says nothing about them. */
export type FittedIncident = { readonly text: string } | { readonly notPlayed: string };

/** The end of an incident for which nothing was done against it. */
const badEnd = 'without a policy';

const ownEnd = 'as your manifests are';
const standardEnd = 'with the preset standard';

/** Fits an incident to a team: their image families, their pins, their policies. Lines stay where they are for one family. */
export function fitIncident(text: string, team: TeamManifests): FittedIncident {
  const isOfGroups = text.includes('group-workload.yaml');
  if (isOfGroups) return { text: renameEnds(text, team) };
  if (text.includes('expiring-fleet.yaml') && team.hasMaxAge)
    return { notPlayed: 'it is about nodes that expire, and maxAge of your NodeRolloutPolicy replaces them before' };
  const { images } = team;
  const isOfPins = text.includes('pinned-fleet.yaml');
  if (isOfPins && images.pin === undefined)
    return { notPlayed: 'it is about pinned releases, and no EC2NodeClass of yours pins one' };
  const families = isOfPins && images.pin !== undefined ? [images.pin.family] : images.followed;
  const [first] = families;
  const movesImages = /^ *- release:/m.test(text);
  if (!movesImages && !isOfPins) return { text: renameEnds(text, team) };
  const pinsByItself = text.includes('amiSelectorTerms');
  const played: IncidentFamily | undefined = first ?? (pinsByItself ? images.pin?.family : undefined);
  if (played === undefined)
    return {
      notPlayed:
        images.pin === undefined
          ? 'it is about a new release of AL2023, AL2, Bottlerocket or Ubuntu, and no EC2NodeClass of yours boots one'
          : 'it is about a new release that nodes follow, and your EC2NodeClasses pin theirs',
    };
  return { text: renameEnds(withNextMinor(withReleasesOf(text, [played, ...families], images), team), team) };
}

const renameEnds = (text: string, { hasPolicy }: TeamManifests): string =>
  withoutMechanism(text)
    .replaceAll(`name: ${badEnd}`, `name: ${ownEnd}`)
    .replaceAll(`name: ${standardEnd}`, hasPolicy ? 'name: with your policies' : `name: ${standardEnd}`);

/** How a policy of the library halts is of its own; what counts for a team is how its nodes and pods fare. */
const withoutMechanism = (text: string): string => text.replaceAll(/^( *)- expect: rollouts\..*$/gm, '$1# left out');

const withNextMinor = (text: string, { minor }: TeamManifests): string =>
  text.replaceAll(/controlPlane: "1\.\d+"/g, `controlPlane: "${minorAfter(minor)}"`);

const minorAfter = (minor: string): string => `1.${Number(minor.split('.')[1]) + 1}`;

/** A release of each family comes out, and counts as the one of the incident. */
function withReleasesOf(text: string, listed: readonly IncidentFamily[], { pin }: ImageUse): string {
  const families = [...new Set(listed)];
  const versionsOf = (written: string): readonly string[] => {
    if (written === pinnedInLibrary && pin !== undefined) return [pin.version];
    return families.map((family) => inventedVersion(family, written === secondInLibrary ? 1 : 0));
  };
  const repeated = text.replaceAll(
    /^( *- (?:release|withdraw|deprecate): \{ )family: \w+, version: ([\w.]+)(.*)$/gm,
    (_, start: string, version: string, rest: string) =>
      families
        .map((family, at) => {
          const [only] = versionsOf(version);
          return `${start}family: ${family}, version: ${versionsOf(version)[at] ?? only ?? ''}${rest}`;
        })
        .join('\n'),
  );
  const compared = repeated.replaceAll(
    /(\w+)\.release (==|!=) "([\w.]+)"/g,
    (_, item: string, operator: string, version: string) => {
      const list = [...new Set(versionsOf(version))].map((each) => `"${each}"`);
      if (list.length === 1) return `${item}.release ${operator} ${list.join('')}`;
      return `${operator === '!=' ? '!' : ''}(${item}.release in [${list.join(', ')}])`;
    },
  );
  return compared.replaceAll(
    /alias: \w+@([\w.]+)/g,
    (_, version: string) => `alias: ${(families[0] ?? '').toLowerCase()}@${versionsOf(version)[0] ?? ''}`,
  );
}

/** The good release that comes out after a bad one. */
const secondInLibrary = 'v20300102';
