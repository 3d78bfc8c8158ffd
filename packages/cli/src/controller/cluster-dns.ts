import { services } from '@nodewright/apis';
import { ApiError, type KubernetesClient, type Logger } from '@nodewright/runtime';

/**
 * The address of the cluster's DNS: that of the Service `kube-system/kube-dns`.
 * @returns `undefined` where there is none, or where the controller may not see it, which the log says
 */
export async function findClusterDns(
  client: Pick<KubernetesClient, 'get'>,
  log: Pick<Logger, 'warn'>,
): Promise<string | undefined> {
  try {
    const service = await client.get(services, { name: 'kube-dns', namespace: 'kube-system' });
    const address = service?.spec?.['clusterIP'];
    return typeof address === 'string' && address !== '' && address !== 'None' ? address : undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error;
    log.warn('may not read the Service kube-system/kube-dns, nodes keep the DNS of their image; allow get on it', {
      error,
    });
    return undefined;
  }
}
