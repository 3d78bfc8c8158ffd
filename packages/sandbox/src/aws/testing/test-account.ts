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
  /** The minors the control plane was moved to, in order. */
  readonly versions: readonly string[];
};

/** An account at the beginning of the drift story, on a clock that tests move. */
export function aTestAccount(
  options: { readonly releases?: readonly Release[]; readonly region?: string } = {},
): TestAccount {
  const clock = new HandClock('2024-01-28T16:00:00Z');
  const region = options.region ?? 'us-east-1';
  const [launched, stopping, versions]: [Machine[], string[], string[]] = [[], [], []];
  const aws = createAws({
    clock,
    random: countingRandom(),
    region,
    zones: ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
    clusterName: 'my-cluster',
    kubernetesVersion: '1.28',
    releases: options.releases ?? [],
    machines: { launched: (machine) => launched.push(machine), stopping: (id) => stopping.push(id) },
    onControlPlaneVersion: (minor) => versions.push(minor),
    clusterEndpoint: () => 'https://127.0.0.1:6443',
    clusterCertificateAuthority: () => 'the CA',
  });
  return { aws, clock, launched, stopping, versions };
}
