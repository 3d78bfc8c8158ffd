import { instant } from '@nodewright/apis';
import type { ClientWay } from '@nodewright/sandbox';
import { Transcript } from '@nodewright/testkit/worlds';
import { type ForceOptions, forceWorld, type ForceWorld, start } from './force-world.ts';

/** A world that writes down what happens in it. */
export type WrittenWorld = {
  readonly options: Pick<ForceOptions, 'way' | 'isAwsOnWire' | 'onWrite' | 'log'>;
  /** Tells the time of the writes from then on. */
  readonly of: (world: Pick<ForceWorld, 'time'>) => void;
};

/** What a story in a cluster tells when everybody reaches the API server in one way. */
export async function transcriptOf(
  way: ClientWay,
  play: (written: WrittenWorld) => Promise<void>,
): Promise<readonly string[]> {
  const transcript = new Transcript();
  let now = (): number => start;
  await play({
    options: {
      way,
      // The SDK draws tokens of its own, which a fate would take for another request.
      isAwsOnWire: true,
      onWrite: (write) => transcript.write(write, instant(now())),
      log: (line) => transcript.log(line.slice(line.indexOf('{'))),
    },
    of: ({ time }) => {
      now = () => time.clock.now();
    },
  });
  return transcript.lines;
}

/**
 * A story of a force world, from its beginning to its end.
 * @param options made for each world: a fate remembers what it has seen
 */
export const storyOf =
  (options: () => Omit<ForceOptions, 'way' | 'onWrite' | 'log'>, play: (world: ForceWorld) => Promise<void>) =>
  async (written: WrittenWorld): Promise<void> => {
    const world = await forceWorld({ ...options(), ...written.options });
    written.of(world);
    await play(world);
    await world.stop();
  };
