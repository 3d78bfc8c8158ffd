import type { EC2NodeClass } from '@nodewright/apis';
import type { ImageReport, ReportedImage } from '../images/image-report.ts';
import { printedAge } from '../rows/printed-age.ts';
import { describeTroubledConditions } from './condition-words.ts';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { lookAhead } from './explanation.ts';

/** Which images a NodeClass launches, and why nothing newer. */
export function explainNodeClass(nodeClass: EC2NodeClass, report: ImageReport): Explanation {
  const selected = report.images.filter(({ state }) => state === 'selected');
  return {
    subject: { kind: 'EC2NodeClass', name: nodeClass.metadata.name },
    answer:
      report.problem === undefined
        ? `launches ${selected.map(shortName).join(', ')}`
        : `can launch nothing: ${report.problem}`,
    reasons: [
      ...selected.map(outFor),
      ...report.images.flatMap((image) => (tells(image, selected) ? [`${shortName(image)} ${notBecause(image)}`] : [])),
      ...report.advice,
      ...describeTroubledConditions(nodeClass.status?.conditions),
    ],
    ...(report.changesAt === undefined ? {} : { changesAt: report.changesAt }),
    ...(report.change === undefined ? {} : { change: report.change }),
    seeAlso: lookAhead,
  };
}

/** What is newer than what a NodeClass launches, and why it is not launched: `v3, v2: the NodeClass pins another release`. */
export function listNewerImages({ images }: ImageReport): readonly string[] {
  const selected = images.filter(({ state }) => state === 'selected');
  const releases = new Map<string, Set<string>>();
  for (const image of images) {
    const { release, name, state, because } = image;
    if (state === 'selected' || state === 'older' || !isNewerImage(image, selected)) continue;
    releases.set(because, (releases.get(because) ?? new Set()).add(release ?? name));
  }
  return [...releases].map(([because, names]) => `${[...names].join(', ')}: ${because}`);
}

/** What is newer than the selection, or still on nodes. Older releases need no explanation. */
const tells = (image: ReportedImage, selected: readonly ReportedImage[]): boolean =>
  image.state !== 'selected' &&
  (image.state === 'baking' || image.state === 'withdrawn' || image.nodes > 0 || isNewerImage(image, selected));

const isNewerImage = (image: ReportedImage, selected: readonly ReportedImage[]): boolean =>
  selected.some(
    ({ arch, variant, createdAt = '' }) =>
      arch === image.arch && variant === image.variant && (image.createdAt ?? '') > createdAt,
  );

const shortName = ({ id, release, name, variant, arch }: ReportedImage): string =>
  [release ?? name, [variant, arch].filter((word) => word !== undefined).join('/'), `(${id})`]
    .filter((word) => word !== '')
    .join(' ');

function outFor(image: ReportedImage): string {
  const { publishedAt, firstSeenAt, createdAt, ageSeconds, nodes } = image;
  const since = publishedAt === undefined ? (firstSeenAt === undefined ? 'created' : 'first seen') : 'published';
  const age = ageSeconds === undefined ? '' : `, ${printedAge(ageSeconds)} ago`;
  return `${shortName(image)} was ${since} ${publishedAt ?? firstSeenAt ?? createdAt ?? 'some day'}${age}; ${onNodes(nodes)}`;
}

const notBecause = ({ because, nodes }: ReportedImage): string => `is not launched: ${because}; ${onNodes(nodes)}`;

const onNodes = (nodes: number): string => `${nodes} ${nodes === 1 ? 'node runs' : 'nodes run'} it`;
