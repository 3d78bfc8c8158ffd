import {
  byTextOf,
  ec2NodeClasses,
  karpenterCustomResources,
  minutes,
  nodePools,
  nodewrightCustomResources,
  pods,
} from '@nodewright/apis';
import { createApiServer, createDirectClient } from '@nodewright/kube-api';
import { defaultOperatorSettings, startOperator } from '@nodewright/operator';
import {
  type Clock,
  createMetrics,
  type KubernetesClient,
  type MetricOptions,
  type Metrics,
  seededRandom,
  silentLogger,
} from '@nodewright/runtime';
import { aNodePool } from '../a-node-pool.ts';
import { anAwsAccount, clusterName } from './aws-account.ts';

/** A metric as the code defines it. */
export type DefinedMetric = Required<MetricOptions<string>> & {
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'summary';
};

/** Metrics that remember how each of them was defined. */
function recordDefinitions(): { readonly metrics: Metrics; readonly defined: Map<string, DefinedMetric> } {
  const inner = createMetrics();
  const defined = new Map<string, DefinedMetric>();
  const remember = (kind: DefinedMetric['kind'], { name, help, labels = [] }: MetricOptions<string>): void =>
    void defined.set(name, { kind, name, help, labels });
  return {
    defined,
    metrics: {
      counter(options) {
        remember('counter', options);
        return inner.counter(options);
      },
      gauge(options) {
        remember('gauge', options);
        return inner.gauge(options);
      },
      histogram(options) {
        remember('histogram', options);
        return inner.histogram(options);
      },
      summary(options) {
        remember('summary', options);
        return inner.summary(options);
      },
      beforeText: (refresh) => inner.beforeText(refresh),
      text: () => inner.text(),
      contentType: inner.contentType,
    },
  };
}

/** Every metric that an operator with all gates and its provider define, by name. */
export async function listOperatorMetrics(): Promise<readonly DefinedMetric[]> {
  const { metrics, defined } = recordDefinitions();
  const { time, cloudWith } = anAwsAccount();
  const { clock, gate } = time;
  const random = seededRandom('metrics');
  const customResources = [...karpenterCustomResources, ...nodewrightCustomResources];
  const server = createApiServer({ clock, random: random.fork('api'), version: '1.28', customResources });
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const client = createDirectClient(server, { gate, name: 'operator', user });
  const operator = startOperator({
    clock,
    random,
    client,
    cloud: cloudWith({ metrics, interruptionQueue: clusterName }),
    log: silentLogger,
    metrics,
    settings: {
      ...defaultOperatorSettings,
      clusterName,
      nodeRepair: true,
      nodeOverlay: true,
      staticCapacity: true,
      capacityBuffer: true,
    },
  });
  await time.finish(operator.ready);
  await time.finish(liveShortly(client, clock));
  await time.finish(metrics.text());
  await time.finish(operator.stop());
  return [...defined.values()].toSorted(byTextOf(({ name }) => name));
}

/** A node is launched and ends: some metrics are defined when the first condition of a kind changes. */
async function liveShortly(client: KubernetesClient, clock: Clock): Promise<void> {
  const tags = { tags: { 'alpha.eksctl.io/cluster-name': clusterName } };
  await client.create(ec2NodeClasses, {
    metadata: { name: 'default' },
    spec: {
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      role: `karpenterNodeRole-${clusterName}`,
      subnetSelectorTerms: [tags],
      securityGroupSelectorTerms: [tags],
    },
  });
  await client.create(nodePools, aNodePool());
  await client.create(pods, {
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'app', image: 'pause', resources: { requests: { cpu: '1' } } }] },
  });
  await clock.sleep(minutes(2));
  await client.delete(pods, { name: 'web', namespace: 'default' });
  await client.delete(nodePools, { name: 'default' });
  await clock.sleep(minutes(10));
  await client.delete(ec2NodeClasses, { name: 'default' });
  await clock.sleep(minutes(2));
}
