import type { BootingMachine, BootTimes, SeenBootTimes } from '@nodewright/cluster-sim';
import type { Random } from '@nodewright/runtime';
import type { ObservedBoots } from '../snapshot/observations.ts';
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
 * Machines of a forecast take as long as a node of the cluster did, drawn from those that were seen. What few nodes tell of the
 * others is itself chance: each run takes as many of them as there are at random, some of them twice, for the nodes of the cluster.
 */
export function seenBootTimes(boots: readonly ObservedBoots[], random: Random): SeenBootTimes {
  const taken = boots.map((kind) => {
    const chance = random.fork(`${kind.imageFamily ?? ''} ${kind.instanceFamily}`);
    return { ...kind, seconds: kind.seconds.map(() => chance.pick(kind.seconds)) };
  });
  return ({ release, shape }, chance): BootTimes | undefined => {
    const evident = findEvidentBoots(taken, { release, instanceFamily: shape.instanceType.split('.', 1).join('') });
    if (evident === undefined) return undefined;
    const [registered, initialized] = chance.pick(evident.seconds);
    const rest = chance.integer(1000);
    return { registersAfterMs: registered * 1000 + rest, readyAfterMs: (initialized - registered) * 1000 };
  };
}
