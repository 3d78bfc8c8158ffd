import { builtFrom } from '../build.ts';
import { randomInt } from 'node:crypto';
import { nodeClaims, nodePools } from '@nodewright/apis';
import { type Operator, startOperator } from '@nodewright/operator';
import {
  type CallGate,
  createLogger,
  createMetrics,
  kubeConfigCluster,
  kubernetesClient,
  type KubeConfigCluster,
  type KubernetesClient,
  type Logger,
  realTime,
  seededRandom,
} from '@nodewright/runtime';
import type { Context } from '../context.ts';
import { awsCloud } from '../controller/aws-cloud.ts';
import { seekLeadership } from '../controller/leadership.ts';
import { logSink } from '../controller/log-sink.ts';
import { serveObservability } from '../controller/observability.ts';
import { readSettings } from '../controller/read-settings.ts';
import { controllerTime } from '../controller/sandbox-clock.ts';
import type { ControllerSettings } from '../controller/setting-table.ts';
import { exitStatus, InputError } from '../exit-status.ts';
import { stopSignal } from '../world/stop-signal.ts';
import type { ControllerFlags } from './controller-flags.ts';

export async function runController(this: Context, flags: ControllerFlags): Promise<void> {
  const stopped = stopSignal();
  const { settings, warnings } = readSettings(flags, process.env);
  const cluster = await clusterOf(flags);
  const time = await controllerTime(flags.clock, () => log);
  const log = createLogger({
    ...builtFrom(),
    clock: time.clock,
    sink: logSink(settings.logOutputPaths),
    level: settings.logLevel || 'info',
  });
  for (const warning of warnings) log.warn(warning);
  const random = seededRandom(randomInt(2 ** 32));
  const client = clientOf(cluster, time.gate, settings);
  const metrics = createMetrics();
  const cloud = await awsCloud({ time, random: random.fork('cloud'), settings, cluster, client });
  let operator: Operator | undefined;
  const observability = await serveObservability({ metrics, ready: () => readiness(client, operator) }, settings);
  log.info('started', { metricsPort: observability.metricsPort, healthProbePort: observability.healthProbePort });
  const lost = lostLease();
  const leadership = seekLeadership({
    settings,
    client: clientOf(cluster, realTime().gate),
    random: random.fork('election'),
    log: log.named('leader-election'),
    namespace: cluster.namespace,
    lost: lost.report,
    lead: () => {
      operator = startOperator({
        clock: time.clock,
        random: random.fork('operator'),
        client,
        cloud,
        log,
        metrics,
        settings: operatorSettings(settings),
      });
      operator.ready.catch((error: unknown) => log.error('could not start', { error }));
    },
  });
  const outcome = await Promise.race([stopped.then(() => 'stopped' as const), lost.happened]);
  log.info('stopping', { because: outcome === 'stopped' ? 'a signal asked for it' : 'another process may lead' });
  await atMost(graceMs, handOver({ operator, leadership, log }));
  await observability.close();
  time.stop();
  process.exit(outcome === 'stopped' ? exitStatus.done : exitStatus.failed);
}

/** What a signal leaves for turns in progress; every command ends within two seconds. */
const graceMs = 1_500;

/** The operator first: the next leader must not meet a turn of ours. */
async function handOver(ending: {
  readonly operator: Operator | undefined;
  readonly leadership: { stop(): Promise<void> };
  readonly log: Logger;
}): Promise<void> {
  await ending.operator?.stop().catch((error: unknown) => ending.log.error('could not stop cleanly', { error }));
  await ending.leadership.stop();
}

const atMost = (ms: number, work: Promise<void>): Promise<void> => Promise.race([work, realTime().clock.sleep(ms)]);

async function clusterOf({ kubeconfig, context }: ControllerFlags): Promise<KubeConfigCluster> {
  const options = {
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  try {
    return await kubeConfigCluster(options);
  } catch (failure) {
    throw new InputError(`--kubeconfig: ${(failure as Error).message}`, { cause: failure });
  }
}

/** In real time, as API servers are. The election is not held back by how fast the controllers may ask. */
function clientOf({ transport }: KubeConfigCluster, gate: CallGate, settings?: ControllerSettings): KubernetesClient {
  const { clock } = realTime();
  return kubernetesClient({
    transport,
    gate,
    userAgent: 'karpenter',
    ...(settings === undefined
      ? {}
      : { limit: { clock, perSecond: settings.kubeClientQps, burst: settings.kubeClientBurst } }),
  });
}

/** Whoever leads is ready when it has seen everything, whoever waits when the API server serves our kinds. */
async function readiness(client: KubernetesClient, operator: Operator | undefined): Promise<void> {
  await Promise.all([client.list(nodePools, { limit: 1 }), client.list(nodeClaims, { limit: 1 })]);
  await operator?.ready;
}

function lostLease(): { readonly happened: Promise<'lost'>; readonly report: () => void } {
  let report = (): void => undefined;
  const happened = new Promise<'lost'>((resolve) => (report = () => resolve('lost')));
  return { happened, report: () => report() };
}

const operatorSettings = (settings: ControllerSettings) => ({
  batchIdleMs: settings.batchIdleDuration,
  batchMaxMs: settings.batchMaxDuration,
  preferencePolicy: settings.preferencePolicy,
  minValuesPolicy: settings.minValuesPolicy,
  defaultSpread: settings.schedulerConfig,
  cpuRequestsMillis: settings.cpuRequests > 0 ? settings.cpuRequests : 1_000,
});
