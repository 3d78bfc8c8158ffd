import { days, fromTimestamp, hours, instant } from '@nodewright/apis';
import { type Aws, type InstanceMarket, type ReleaseHistory, restoredMarket } from '@nodewright/aws-endpoints';
import type { ObjectWrite } from '@nodewright/kube-api';
import { defaultOperatorSettings, type Operator, type OperatorSettings, startOperator } from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import { createAwsCloud, createInProcessClients, receiveOnNews } from '@nodewright/provider-aws';
import {
  createMetrics,
  type KubernetesClient,
  type Ledger,
  type Random,
  seededRandom,
  silentLogger,
  type VirtualTime,
  virtualTime,
} from '@nodewright/runtime';
import { createSandbox, type Sandbox } from '@nodewright/sandbox';
import { seenBootTimes } from '../restore/evident-boots.ts';
import { restoredLedger } from '../restore/restored-ledger.ts';
import { restoredReleases } from '../restore/restored-releases.ts';
import type { ObservedBoots } from '../snapshot/observations.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export type ForecastWorldOptions = {
  readonly seed: number;
  /** What the controllers are set to [their defaults]. */
  readonly settings?: Partial<OperatorSettings>;
  readonly reservedCapacity?: boolean;
  readonly onWrite?: (write: ObjectWrite) => void;
};

/** Where a world begins: all that it does not draw from its seed. */
export type WorldBeginning = {
  readonly start: string;
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly releases: ReleaseHistory;
  readonly market?: InstanceMarket;
  readonly ledger?: Ledger;
  /** What was seen of how long machines take [what is usual for their images]. */
  readonly boots?: readonly ObservedBoots[];
};

export type RestoredBeginning = WorldBeginning & Required<Pick<WorldBeginning, 'market' | 'ledger' | 'boots'>>;

/** An embedded EKS below the wire on virtual time, with the controllers in it. */
export type ForecastWorld = {
  readonly time: VirtualTime;
  readonly admin: KubernetesClient;
  readonly aws: Aws;
  /** The account as a controller asks it. */
  readonly readCloud: () => Cloud;
  /** Starts the controllers. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** The world of a snapshot at its instant. */
export const restoreWorld = async (snapshot: Snapshot, options: ForecastWorldOptions): Promise<ForecastWorld> =>
  createForecastWorld(await restoreBeginning(snapshot), options);

/** What an embedded EKS begins with to be the cluster of a snapshot. */
export async function restoreBeginning(snapshot: Snapshot): Promise<RestoredBeginning> {
  const { aws, clusterName, kubernetesVersion, takenAt } = snapshot;
  const releases = restoredReleases(snapshot);
  return {
    start: takenAt,
    clusterName,
    kubernetesVersion,
    region: aws.region,
    zones: [...new Set(aws.subnets.map(({ zone }) => zone))].toSorted(),
    releases,
    market: restoredMarket(aws.types),
    ledger: await restoredLedger(snapshot, releases),
    boots: snapshot.observed.boots ?? [],
  };
}

/** The cluster is up when this returns; its controllers begin with `start`. */
export async function createForecastWorld(
  beginning: WorldBeginning,
  options: ForecastWorldOptions,
): Promise<ForecastWorld> {
  const random = seededRandom(`forecast ${options.seed}`);
  const time = virtualTime(fromTimestamp(beginning.start));
  const sandbox = await createSandbox({
    ...beginning,
    clock: time.clock,
    gate: time.gate,
    random: random.fork('sandbox'),
    way: 'direct',
    clusterServices: true,
    ...(beginning.boots && { seenBootTimes: seenBootTimes(beginning.boots, random.fork('boots')) }),
    ...(options.onWrite && { onWrite: options.onWrite }),
  });
  await time.finish(sandbox.start());
  let operator: Operator | undefined;
  return {
    time,
    admin: sandbox.admin,
    aws: sandbox.aws,
    readCloud: () => cloudInside({ sandbox, time, random: random.fork('reader'), beginning, options }),
    start: async () => {
      operator = startInside({ sandbox, time, random: random.fork('operator'), beginning, options });
      await time.finish(operator.ready);
    },
    stop: async () => {
      if (operator !== undefined) await time.finish(operator.stop());
      sandbox.stop();
    },
  };
}

type OperatorPlace = {
  readonly sandbox: Sandbox;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly beginning: WorldBeginning;
  readonly options: ForecastWorldOptions;
};

/** Inside one process nothing forgets a watch, and its renewal finds nothing. */
const forecastWatchSeconds = days(30) / 1000;

function cloudInside({ sandbox: { aws }, time, random, beginning, options }: OperatorPlace): Cloud {
  const { clock, gate } = time;
  const { clusterName, region } = beginning;
  return createAwsCloud({
    clock,
    gate,
    random: random.fork('cloud'),
    clusterName,
    region,
    clients: createInProcessClients({ gate, answer: aws.answer }),
    interruptionQueue: clusterName,
    news: aws.news,
    kubernetesVersion: () => Promise.resolve(aws.eks.controlPlane.version),
    ...(options.reservedCapacity === undefined ? {} : { reservedCapacity: options.reservedCapacity }),
  });
}

function startInside(place: OperatorPlace): Operator {
  const { sandbox, time, random, beginning, options } = place;
  const { clock } = time;
  const { clusterName } = beginning;
  const { aws } = sandbox;
  const client = sandbox.clientAs({ commonName: 'karpenter', userAgent: 'karpenter' });
  const cloud = cloudInside(place);
  const untilNews = (signal: AbortSignal): Promise<void> =>
    aws.queues.untilReceivable(clusterName, instant(clock.now() + hours(24)), { clock, signal });
  return startOperator({
    clock,
    random,
    client,
    cloud: { ...cloud, ...(cloud.interruptions && { interruptions: receiveOnNews(cloud.interruptions, untilNews) }) },
    log: silentLogger,
    metrics: createMetrics(),
    watchSeconds: forecastWatchSeconds,
    settings: { ...defaultOperatorSettings, ...options.settings },
  });
}
