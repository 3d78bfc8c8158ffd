import { builtFrom, version } from '../../build.ts';
import { tellBuild } from '../../build-info.ts';
import { randomInt } from 'node:crypto';
import { nodeClaims, nodePools } from '@nodewright/apis';
import { type Operator, OperatorInspection, startOperator } from '@nodewright/operator';
import {
  type CallGate,
  createLogger,
  createMetrics,
  createWebClient,
  kubeConfigCluster,
  kubernetesClient,
  type KubeConfigCluster,
  type KubernetesClient,
  realTime,
  seededRandom,
  tracedTransport,
  type Tracer,
} from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { awsCloud } from '../../controller/aws-cloud.ts';
import { countLeadership } from '../../controller/leader-gauge.ts';
import { seekLeadership } from '../../controller/leadership.ts';
import { logSink } from '../../controller/log-sink.ts';
import { webAgents } from '../../controller/network-settings.ts';
import { operatorSettingsOf } from '../../controller/operator-settings.ts';
import { serveObservability } from '../../controller/observability.ts';
import { readSettings } from '../../controller/read-settings.ts';
import { leadWhileElected } from '../../controller/leader-loop.ts';
import { startTracing } from '../../controller/tracing.ts';
import { controllerTime } from '../../controller/sandbox-clock.ts';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import { refuseKubeconfig } from '../../reading/refuse-kubeconfig.ts';
import { exitStatus } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import type { ControllerFlags } from './flags.ts';
import { serveDebugPages } from './debug.ts';
import { servePageOfController } from './page.ts';
import { serveWebhookOfController } from './webhook.ts';

/** A sandbox that is being started again is waited for. */
const clockTimeoutMs = 15_000;

/** What is left of traces may take so long at the end. */
const lastTracesMs = 500;

export async function runController(this: CliContext, flags: ControllerFlags): Promise<void> {
  const stopped = stopSignal();
  const { settings, warnings } = readSettings(flags, process.env);
  const cluster = await clusterOfController(flags);
  const found = controllerTime(flags.clock, () => log, clockTimeoutMs);
  const time = await Promise.race([found, stopped.then(() => undefined)]);
  if (time === undefined) process.exit(exitStatus.done);
  const log = createLogger({
    ...builtFrom(),
    clock: time.clock,
    sink: logSink(settings.logOutputPaths),
    level: settings.logLevel || 'info',
  });
  for (const warning of warnings) log.warn(warning);
  const random = seededRandom(randomInt(2 ** 32));
  const web = createWebClient({ gate: time.gate, agents: webAgents(process.env) });
  const tracing = startTracing({
    ...settings,
    environment: process.env,
    time,
    random: random.fork('traces'),
    version,
    web,
    log: log.named('traces'),
  });
  const { tracer } = tracing;
  const client = clientOf(traceCluster(cluster, tracer), time.gate, settings);
  // Before all that reads NodePools: API servers may have to convert what is stored.
  const webhook = await serveWebhookOfController({
    settings,
    cluster,
    client: clientOf(cluster, realTime().gate),
    log,
  });
  const inspection = settings.debugPort === 0 ? undefined : new OperatorInspection();
  const metrics = createMetrics();
  tellBuild(metrics);
  const followsClock = flags.clock !== undefined;
  const chance = random.fork('cloud');
  const cloud = await awsCloud({ time, random: chance, settings, cluster, client, log, metrics, followsClock, tracer });
  const leading = leadWhileElected({
    log,
    startOperator: (term) =>
      startOperator({
        clock: time.clock,
        random: random.fork(`operator ${term}`),
        client,
        cloud,
        web,
        tracer,
        inspection,
        log,
        metrics,
        settings: operatorSettingsOf(settings),
      }),
    seek: countLeadership(metrics, settings.leaderElectionName, (told) =>
      seekLeadership({
        settings,
        client: clientOf(cluster, realTime().gate),
        random: random.fork('election'),
        log: log.named('leader-election'),
        namespace: cluster.namespace,
        ...told,
      }),
    ),
  });
  const debug = await serveDebugPages({ settings, inspection, isLeading: () => leading.operator() !== undefined });
  const ready = () => readiness(client, leading.operator());
  const observability = await serveObservability({ metrics, ready }, settings);
  const page = await servePageOfController({ settings, client: clientOf(cluster, realTime().gate), cloud, time });
  log.info('started', {
    metricsPort: observability.metricsPort,
    healthProbePort: observability.healthProbePort,
    ...(page === undefined ? {} : { page: page.url }),
    ...(webhook === undefined ? {} : { conversionWebhookPort: webhook.port }),
  });
  const asAsked = await leading.until(stopped);
  await page?.stop();
  await webhook?.stop();
  await debug?.close();
  await observability.close();
  await Promise.race([tracing.stop(), realTime().clock.sleep(lastTracesMs)]);
  time.stop();
  process.exit(asAsked ? exitStatus.done : exitStatus.failed);
}

async function clusterOfController({ kubeconfig, context }: ControllerFlags): Promise<KubeConfigCluster> {
  const options = {
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  try {
    return await kubeConfigCluster(options);
  } catch (failure) {
    throw refuseKubeconfig(failure, kubeconfig);
  }
}

const traceCluster = (cluster: KubeConfigCluster, tracer: Tracer | undefined): KubeConfigCluster =>
  tracer === undefined ? cluster : { ...cluster, transport: tracedTransport(cluster.transport, tracer) };

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
