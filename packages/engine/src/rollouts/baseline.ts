import { type VariantImage, byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import { hasEnded } from './course.ts';
import { findImageOf, type ImageSet, sortImageSet } from './image-set.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';

/**
 * The images that count as proven when a policy begins to govern: for each source and variant the image that most Ready
 * nodes run, if it can still be launched, else the wanted one. What is known stays; sources that the policy did not
 * govern so far are added.
 */
export function adoptBaseline(known: ImageSet | undefined, seen: RolloutSnapshot): ImageSet {
  const isKnown = (source: string): boolean =>
    known?.some((image) => image.source === source) === true || isTargeted(source, seen);
  const sources = new Map(seen.objects.flatMap(({ id, source }) => (isKnown(source) ? [] : [[id, source] as const])));
  const running = seen.nodes.flatMap((node) => {
    const source = sources.get(node.object);
    return source === undefined || !node.ready || node.leaving ? [] : [{ source, node }];
  });
  const places = new Map<string, { source: string; variant: string }>();
  for (const { source, node } of running) places.set(`${source} ${node.variant}`, { source, variant: node.variant });
  for (const { source, variant } of seen.wanted.filter((image) => !isKnown(image.source)))
    places.set(`${source} ${variant}`, { source, variant });
  if (places.size === 0) return known ?? [];
  return sortImageSet([
    ...(known ?? []),
    ...[...places.values()].flatMap((place) => {
      const nodes = running.filter(({ source, node }) => source === place.source && node.variant === place.variant);
      return (
        mostUsedImage(
          place,
          nodes.map(({ node }) => node),
          seen,
        ) ??
        findImageOf(seen.wanted, place) ??
        []
      );
    }),
  ]);
}

/** A rollout is under way that leads to images of the source. */
const isTargeted = (source: string, { rollouts }: RolloutSnapshot): boolean =>
  rollouts.some((rollout) => !hasEnded(rollout) && rollout.spec.to.some((image) => image.source === source));

function mostUsedImage(
  { source, variant }: { readonly source: string; readonly variant: string },
  nodes: readonly RolloutNode[],
  { obstacles, wanted }: RolloutSnapshot,
): VariantImage | undefined {
  const counts = new Map<string, number>();
  for (const { image } of nodes) if (!obstacles.has(image)) counts.set(image, (counts.get(image) ?? 0) + 1);
  const [first] = [...counts].toSorted(
    inOrder(
      inReverse(byNumberOf(([, count]) => count)),
      byTextOf(([image]) => image),
    ),
  );
  if (first === undefined) return undefined;
  const [image] = first;
  const known = findImageOf(wanted, { source, variant });
  return known?.image === image ? known : { source, variant, image };
}
