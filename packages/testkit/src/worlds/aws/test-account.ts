import { fromTimestamp, instant } from '@nodewright/apis';
import { realTime, seededRandom, virtualTime, type Clock } from '@nodewright/runtime';
import {
  type AccessKey,
  type BootedMachine,
  historyOf,
  type ImageRelease,
  createAws,
  type Aws,
  type AwsOptions,
} from '@nodewright/aws-endpoints';
import { checkAnswer } from '../../answers/check-answer.ts';

/** A clock that moves only when a test moves it. */
type TestClock = Clock & { advance(ms: number): Promise<void> };

export type TestAccount = {
  readonly aws: Aws;
  readonly clock: TestClock;
  /** What the kubelets were told, in order. */
  readonly launched: readonly BootedMachine[];
  readonly stopping: readonly string[];
  /** What nodes were told to do otherwise: `i-1 notReady`. */
  readonly behaving: readonly string[];
  /** The minors the control plane was moved to, in order. */
  readonly versions: readonly string[];
};

export type TestAccountOptions = Pick<
  Partial<AwsOptions>,
  'accessKey' | 'catalogue' | 'region' | 'nodeSkew' | 'ledger' | 'access' | 'readWebIdentity' | 'signersClock'
> & {
  readonly releases?: readonly ImageRelease[];
  /** Where its clock begins [the beginning of the drift story]. */
  readonly start?: string;
  /** What chance is made of: another one after a restart [1]. */
  readonly seed?: number;
};

/** With which clients sign requests for `handleSigned`, in real time. */
export const testAccessKey: AccessKey = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };

/** An account on a clock that tests move. */
export function aTestAccount({
  start = '2024-01-28T16:00:00Z',
  seed = 1,
  ...options
}: TestAccountOptions = {}): TestAccount {
  const clock = aTestClock(start);
  const region = options.region ?? 'us-east-1';
  const [launched, stopping, behaving, versions]: [BootedMachine[], string[], string[], string[]] = [[], [], [], []];
  const aws = createAws({
    clock,
    random: seededRandom(seed),
    accessKey: testAccessKey,
    signersClock: realTime().clock,
    ...options,
    region,
    zones: ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
    clusterName: 'my-cluster',
    kubernetesVersion: '1.28',
    releases: historyOf(options.releases ?? []),
    machines: {
      launched: (machine) => launched.push(machine),
      stopping: (id) => stopping.push(id),
      behaves: (id, imposed) =>
        behaving.push(`${id} ${imposed.map(({ behavior }) => behavior).join(' and ') || 'as launched'}`),
    },
    onControlPlaneVersion: (minor) => versions.push(minor),
    clusterEndpoint: () => 'https://127.0.0.1:6443',
    clusterCertificateAuthority: () => 'the CA',
    onAnswer: checkAnswer,
  });
  return { aws, clock, launched, stopping, behaving, versions };
}

function aTestClock(start: string): TestClock {
  const time = virtualTime(fromTimestamp(start));
  const { clock } = time;
  return {
    now: () => clock.now(),
    at: (due, callback) => clock.at(due, callback),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    advance: (ms) => time.run(instant(clock.now() + ms)),
  };
}
