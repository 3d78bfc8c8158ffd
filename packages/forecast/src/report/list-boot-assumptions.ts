import { nodeClaims, type Pod, byNumber } from '@nodewright/apis';
import { leastEvidence } from '../restore/evident-boots.ts';
import type { ObservedBoots } from '../snapshot/observations.ts';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { aliasFamilyByImage } from '../snapshot/family-by-image.ts';
import type { ForecastAssumption } from './forecast-report.ts';

/** How long new nodes take: a sentence for each kind of image of which enough nodes were seen, and one for all others. */
export function listBootAssumptions(snapshot: Snapshot, running: readonly Pod[]): readonly ForecastAssumption[] {
  const { boots = [] } = snapshot.observed;
  const images = [...new Set(boots.map(({ imageFamily }) => imageFamily))].map((image) => ({
    image,
    boots: boots.filter(({ imageFamily }) => imageFamily === image),
  }));
  const evident = images.filter((each) => listReadySeconds(each.boots).length >= leastEvidence);
  const podsByImage = countPodsByImage(snapshot, running);
  const said = evident.map(({ image, boots: ofImage }) => ({
    says: describeEvident(image, ofImage),
    pods: podsByImage.get(image) ?? 0,
  }));
  const covered = said.reduce((sum, { pods }) => sum + pods, 0);
  const few = images.filter((each) => !evident.includes(each));
  const seen = few.map((each) => `${nameOfImage(each.image)} ${listReadySeconds(each.boots).length}`).join(', ');
  const others = evident.length === 0 ? 'new nodes boot' : 'new nodes of other images and of node groups boot';
  const why = seen === '' ? '' : `; too few were seen here (${seen}, ${leastEvidence} are needed)`;
  return [...said, { says: `${others} as the embedded cluster has it${why}`, pods: running.length - covered }];
}

/** From launch to initialized, in order. */
const listReadySeconds = (boots: readonly ObservedBoots[]): readonly number[] =>
  boots.flatMap(({ seconds }) => seconds.map(([, initialized]) => initialized)).toSorted(byNumber);

function describeEvident(image: string | undefined, boots: readonly ObservedBoots[]): string {
  const seconds = listReadySeconds(boots);
  const types = boots.map(({ instanceFamily, seconds: { length } }) => `${instanceFamily} ${length}`).join(', ');
  const [least, median, most] = [0, Math.floor((seconds.length - 1) / 2), seconds.length - 1].map((at) => seconds[at]);
  return `new nodes of ${nameOfImage(image)} boot as ${seconds.length} nodes of NodePools did here (${types}): ready ${least} to ${most} s after their launch, half of them within ${median} s`;
}

const nameOfImage = (image: string | undefined): string => image ?? "images of one's own";

/** By the image of the NodeClaim of their node. */
function countPodsByImage(
  { kubernetes, aws: { images } }: Snapshot,
  running: readonly Pod[],
): ReadonlyMap<string | undefined, number> {
  const imageFamilyOf = aliasFamilyByImage(images);
  const imageByNode = new Map(
    snapshotObjects(kubernetes, nodeClaims).flatMap(({ status }) =>
      status?.nodeName === undefined ? [] : [[status.nodeName, imageFamilyOf(status.imageID ?? '')] as const],
    ),
  );
  const counts = new Map<string | undefined, number>();
  for (const { spec } of running) {
    if (!imageByNode.has(spec.nodeName ?? '')) continue;
    const image = imageByNode.get(spec.nodeName ?? '');
    counts.set(image, (counts.get(image) ?? 0) + 1);
  }
  return counts;
}
