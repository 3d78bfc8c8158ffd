import { days, instant, type Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

type ObservedMemory = { readonly bytes: number; readonly seenAt: Instant };

export type TypeAndImage = { readonly instanceType: string; readonly imageId: string };

const rememberedMs = days(60);
/** More than a cluster has pairs of types and images in that time. */
const mostPairs = 5_000;
/** No image leaves less of the memory that EC2 names. A smaller report is a mistake, or a lie of the node. */
const leastShare = 0.8;

/**
 * The memory that nodes of a type and an image really have.
 *
 * Guarantees: of several reports the smallest counts. A report above what EC2 names for the type, or far below, has no
 * effect. At most `mostPairs` pairs are remembered, the latest seen, each for 60 days after its last report.
 */
export class ObservedMemories {
  readonly #clock: Pick<Clock, 'now'>;
  /** The least recently seen first. */
  readonly #byPair = new Map<string, ObservedMemory>();
  #version = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  report(pair: TypeAndImage, bytes: number): void {
    const key = keyOfPair(pair);
    const known = this.#known(key)?.bytes ?? Infinity;
    if (bytes < known) this.#version += 1;
    this.#byPair.delete(key);
    this.#byPair.set(key, { bytes: Math.min(known, bytes), seenAt: this.#clock.now() });
    for (const oldest of this.#byPair.keys()) {
      if (this.#byPair.size <= mostPairs) break;
      this.#byPair.delete(oldest);
    }
  }

  /** @param nominalBytes what EC2 names for the type */
  find(pair: TypeAndImage, nominalBytes: number): number | undefined {
    const { bytes } = this.#known(keyOfPair(pair)) ?? {};
    return bytes !== undefined && bytes <= nominalBytes && bytes >= nominalBytes * leastShare ? bytes : undefined;
  }

  /** Another one whenever an answer may have changed; 0 before the first report. */
  version(): number {
    return this.#version;
  }

  #known(key: string): ObservedMemory | undefined {
    const entry = this.#byPair.get(key);
    return entry !== undefined && this.#clock.now() < instant(entry.seenAt + rememberedMs) ? entry : undefined;
  }
}

const keyOfPair = ({ instanceType, imageId }: TypeAndImage): string => `${instanceType} ${imageId}`;
