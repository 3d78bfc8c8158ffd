import { days, instant, hours } from '@nodewright/apis';
import { builtFrom } from '../build.ts';
import { defaultOperatorSettings, type Operator, type OperatorSettings, startOperator } from '@nodewright/operator';
import { createAwsCloud, createInProcessClients, newsOfOneLife, receiveOnNews } from '@nodewright/provider-aws';
import {
  type CallGate,
  type Clock,
  createLogger,
  type KubernetesClient,
  type Metrics,
  type Random,
  silentLogger,
  silentMetrics,
  type WebClient,
} from '@nodewright/runtime';
import type { Aws } from '@nodewright/aws-endpoints';
import { cloudSettingsOf } from '../controller/cloud-settings.ts';
import { operatorSettingsOf } from '../controller/operator-settings.ts';
import type { ControllerSettings } from '../controller/setting-table.ts';
import { findClusterDns } from '../controller/cluster-dns.ts';
import { minorVersion } from '../controller/minor-version.ts';
import type { SchedulingSettings } from '../controller/scheduling-settings.ts';

export type OperatorInsideOptions = {
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly client: KubernetesClient;
  readonly aws: Aws;
  readonly region: string;
  readonly clusterName: string;
  /** What scheduling is configured to; Karpenter's defaults unless given. */
  readonly scheduling?: SchedulingSettings;
  /** Whether events tell what lint finds [false: worlds that are compared or told as a story]. */
  readonly manifestWarnings?: boolean;
  /** All settings of the controller, in place of `scheduling` and `clusterName`. */
  readonly settings?: ControllerSettings;
  /** Where it counts; without it nothing is counted. */
  readonly metrics?: Metrics;
  /** How receivers and checks of people are called; without it none is reached. */
  readonly web?: WebClient;
  /** Gets the operator's log, line by line. Without it no line is made. */
  readonly operatorLog?: { write(line: string): void };
};

/** The operator in the process of the AWS account that it works in. Its calls reach the account as objects. */
export function operatorInside({ clock, gate, client, aws, region, ...options }: OperatorInsideOptions): Operator {
  const { settings, metrics = silentMetrics } = options;
  const clusterName = settings?.clusterName ?? options.clusterName;
  const interruptionQueue = settings?.interruptionQueue ?? clusterName;
  const random = options.random.fork('operator');
  const sink = options.operatorLog;
  const log =
    sink === undefined
      ? silentLogger
      : createLogger({ ...builtFrom(), clock, sink, level: settings?.logLevel || 'info' });
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const told = newsOfOneLife(aws.news);
  const cloud = createAwsCloud({
    clock,
    gate,
    random: random.fork('cloud'),
    clusterName,
    region,
    clients,
    interruptionQueue,
    metrics,
    news: told.news,
    kubernetesVersion: () => minorVersion(client),
    clusterDns: () => findClusterDns(client, log),
    ...(options.scheduling === undefined ? {} : { reservedCapacity: options.scheduling.reservedCapacity }),
    ...(settings && cloudSettingsOf(settings)),
  });
  const untilNews = (signal: AbortSignal): Promise<void> =>
    aws.queues.untilReceivable(interruptionQueue, instant(clock.now() + longestIdleMs), { clock, signal });
  const operator = startOperator({
    clock,
    random,
    client,
    cloud: { ...cloud, ...(cloud.interruptions && { interruptions: receiveOnNews(cloud.interruptions, untilNews) }) },
    log,
    metrics,
    ...(options.web && { web: options.web }),
    watchSeconds: renewWatchesAfterSeconds,
    settings: {
      ...defaultOperatorSettings,
      clusterName,
      manifestWarnings: options.manifestWarnings ?? false,
      ...(settings === undefined ? schedulingSettingsOf(options.scheduling) : operatorSettingsOf(settings)),
    },
  });
  return {
    ready: operator.ready,
    async stop() {
      await operator.stop();
      told.end();
    },
  };
}

const longestIdleMs = hours(24);

/** Inside one process nothing forgets a watch, and its renewal finds nothing. */
const renewWatchesAfterSeconds = days(30) / 1_000;

/** The settings of the operator that scheduling is configured by. */
export const schedulingSettingsOf = (scheduling: SchedulingSettings | undefined): Partial<OperatorSettings> =>
  scheduling === undefined
    ? {}
    : {
        ...scheduling.options,
        defaultSpread: scheduling.defaultSpread,
        reservedCapacity: scheduling.reservedCapacity,
        nodeRepair: scheduling.nodeRepair,
        spotToSpotConsolidation: scheduling.spotToSpotConsolidation,
        staticCapacity: scheduling.staticCapacity,
        nodeOverlay: scheduling.nodeOverlay ?? false,
        capacityBuffer: scheduling.capacityBuffer ?? false,
      };
