import type { KubeConfigCluster, KubernetesClient, Logger } from '@nodewright/runtime';
import { controllerNamespace } from '../../controller/pod-namespace.ts';
import type { ControllerSettings } from '../../controller/setting-table.ts';

type ControllerWebhook = {
  readonly settings: ControllerSettings;
  readonly cluster: KubeConfigCluster;
  readonly client: KubernetesClient;
  readonly log: Logger;
};

/**
 * The webhook of CONVERSION_WEBHOOK_PORT; `undefined` without that setting. Every replica serves it, before it leads and
 * without leading. A controller without it does not load what it needs.
 */
export async function serveWebhookOfController({ settings, cluster, client, log }: ControllerWebhook) {
  const { conversionWebhookPort: port, conversionWebhookService: name } = settings;
  if (port === 0) return undefined;
  const { startConversionWebhook } = await import('../../controller/conversion/conversion-webhook.ts');
  const service = { name, namespace: controllerNamespace(cluster.namespace) };
  return startConversionWebhook({ port, service, client, log: log.named('conversion-webhook') });
}
