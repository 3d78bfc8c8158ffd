import type { Machine } from '../../machine.ts';
import type { Release } from '../../releases/release.ts';
import { createAws, type Aws } from '../aws.ts';
import { countingRandom } from './counting-random.ts';
import { HandClock } from './hand-clock.ts';

export type TestAccount = {
  readonly aws: Aws;
  readonly clock: HandClock;
  /** What the kubelets were told, in order. */
  readonly launched: readonly Machine[];
  readonly stopping: readonly string[];
};

/** An account at the beginning of the drift story, on a clock that tests move. */
export function aTestAccount(
  options: { readonly releases?: readonly Release[]; readonly region?: string } = {},
): TestAccount {
  const clock = new HandClock('2024-01-28T16:00:00Z');
  const region = options.region ?? 'us-east-1';
  const [launched, stopping]: [Machine[], string[]] = [[], []];
  const aws = createAws({
    clock,
    random: countingRandom(),
    region,
    zones: ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
    clusterName: 'my-cluster',
    releases: options.releases ?? [],
    machines: { launched: (machine) => launched.push(machine), stopping: (id) => stopping.push(id) },
  });
  return { aws, clock, launched, stopping };
}
