import { byText, type EC2NodeClass, type NodeClaim } from '@nodewright/apis';
import { buildNodeClassImageQuery, type FoundImage, type ImageQuery } from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import { followingMinor } from '../versions/minors.ts';
import type { ImagesOfGroups } from './group-images.ts';
import type { OrUnread } from './unread.ts';
import type { ImagesOfMinor, SnapshotImage } from './snapshot.ts';

type ImageSources = {
  readonly cloud: Pick<Cloud, 'nodeClasses'>;
  readonly nodeClasses: readonly EC2NodeClass[];
  readonly claims: readonly NodeClaim[];
  readonly kubernetesVersion: string;
  readonly groups: ImagesOfGroups;
  readonly orUnread: OrUnread;
};

/** The families that pools move to, whatever they run now. A forecast of such a move needs their releases. */
const targetAliases = ['al2023@latest', 'bottlerocket@latest'];

/**
 * The releases of every family that is in use or may be moved to, for the present minor and the next, and what other terms
 * and nodes name.
 */
export async function readSnapshotImages(
  { cloud, nodeClasses, claims, kubernetesVersion, groups, orUnread }: ImageSources,
  signal: AbortSignal,
): Promise<readonly ImagesOfMinor[]> {
  const lookUp = (query: ImageQuery): Promise<readonly FoundImage[]> =>
    orUnread(
      `images of ${JSON.stringify(query.terms)} for ${query.kubernetesVersion}`,
      [],
      async () => (await cloud.nodeClasses.images({ ...query, history: true }, signal)).images,
    );
  const read: ImagesOfMinor[] = [];
  const present = [kubernetesVersion, followingMinor(kubernetesVersion)];
  const aliases = [...new Set([...targetAliases, ...aliasesOf(nodeClasses), ...groups.aliases])].toSorted(byText);
  for (const minor of [...present, ...groups.minors.filter((each) => !present.includes(each))]) {
    for (const alias of present.includes(minor) ? aliases : groups.aliases) {
      const images = await lookUp({ terms: [{ alias }], kubernetesVersion: minor });
      read.push({ alias, kubernetesVersion: minor, images });
    }
  }
  const own: SnapshotImage[] = [];
  for (const nodeClass of nodeClasses) {
    const query = buildNodeClassImageQuery(nodeClass, kubernetesVersion);
    const terms = query.terms.filter(({ alias }) => alias === undefined);
    if (terms.length === 0) continue;
    const found = await lookUp({ ...query, terms });
    own.push(...found.map((image) => withTermTags(image, terms[image.term]?.tags)));
  }
  const known = new Set([...read.flatMap(({ images }) => images), ...own].map(({ id }) => id));
  const running = new Set([...claims.flatMap(({ status }) => status?.imageID ?? []), ...groups.images]);
  const missing = [...running].filter((id) => id !== '' && !known.has(id)).toSorted(byText);
  if (missing.length > 0) own.push(...(await lookUp({ terms: missing.map((id) => ({ id })), kubernetesVersion })));
  return own.length === 0 ? read : [...read, { kubernetesVersion, images: own }];
}

/** `al2023@latest` for every family that a NodeClass follows or pins a release of. */
function aliasesOf(nodeClasses: readonly EC2NodeClass[]): readonly string[] {
  const families = nodeClasses.flatMap(({ spec }) =>
    spec.amiSelectorTerms.flatMap(({ alias }) => (alias === undefined ? [] : alias.split('@', 1))),
  );
  return [...new Set(families)].toSorted(byText).map((family) => `${family}@latest`);
}

const withTermTags = (image: FoundImage, tags: SnapshotImage['tags']): SnapshotImage =>
  tags === undefined ? image : { ...image, tags };
