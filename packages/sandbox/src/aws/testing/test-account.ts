import type { Release } from '../../releases/release.ts';
import { createAws, type Aws } from '../aws.ts';
import { countingRandom } from './counting-random.ts';
import { HandClock } from './hand-clock.ts';

/** An account at the beginning of the drift story, on a clock that tests move. */
export function aTestAccount(options: { readonly releases?: readonly Release[] } = {}): { aws: Aws; clock: HandClock } {
  const clock = new HandClock('2024-01-28T16:00:00Z');
  const aws = createAws({
    clock,
    random: countingRandom(),
    region: 'us-east-1',
    releases: options.releases ?? [],
  });
  return { aws, clock };
}
