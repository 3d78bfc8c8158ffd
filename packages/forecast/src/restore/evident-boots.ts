import type { BootingMachine, BootTimes, SeenBootTimes } from '@nodewright/cluster-sim';
import type { ObservedBoots } from '../snapshot/observations.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { familyByAlias } from '../versions/family-by-alias.ts';

/** Fewer nodes than these are no evidence of how long others take. */
export const leastEvidence = 3;

/** What was seen of nodes as new ones will be, in the seconds of `ObservedBoots`. */
export type EvidentBoots = Pick<ObservedBoots, 'seconds'>;

/** Boots of the same image and instance family, or of the image on any instance; nothing where they are too few. */
export function findEvidentBoots(
  boots: readonly ObservedBoots[],
  { release, instanceFamily }: { readonly release: BootingMachine['release']; readonly instanceFamily: string },
): EvidentBoots | undefined {
  const ofImage = boots.filter(({ imageFamily }) => familyByAlias(imageFamily) === release?.family);
  const same = ofImage.filter((each) => each.instanceFamily === instanceFamily);
  return [same, ofImage]
    .map((found) => ({ seconds: found.flatMap(({ seconds }) => seconds) }))
    .find(({ seconds }) => seconds.length >= leastEvidence);
}

/**
 * Machines of a forecast take as long as a node of the cluster did, drawn from those that were seen. The fewer these are, the
 * less they tell of the next one: three may be a sixth faster or slower, thirty a sixtieth.
 */
export const seenBootTimes =
  ({ observed: { boots = [] } }: Pick<Snapshot, 'observed'>): SeenBootTimes =>
  ({ release, shape }, random): BootTimes | undefined => {
    const evident = findEvidentBoots(boots, { release, instanceFamily: shape.instanceType.split('.', 1).join('') });
    if (evident === undefined) return undefined;
    const { seconds } = evident;
    const [registered, initialized] = random.pick(seconds);
    const pace = 1000 * (1 + (random.next() - 0.5) / seconds.length);
    return {
      registersAfterMs: Math.round(registered * pace),
      readyAfterMs: Math.round((initialized - registered) * pace),
    };
  };
