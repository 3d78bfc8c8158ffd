import { type Cluster as EksCluster, DescribeClusterCommand } from '@aws-sdk/client-eks';
import { CloudError } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';

/** What a node must know to join. */
export type ClusterAccess = {
  readonly endpoint: string;
  /** Base64 of the PEM. */
  readonly certificateAuthority: string;
  /** IPv4 preferred. */
  readonly serviceCidr?: string;
};

/** The EKS cluster that nodes join. */
export class Cluster {
  readonly #context: AwsContext;
  readonly #endpoint: string | undefined;
  readonly #access: ExpiringCache<ClusterAccess>;
  readonly #version: ExpiringCache<string>;

  constructor(context: AwsContext, endpoint: string | undefined) {
    this.#context = context;
    this.#endpoint = endpoint;
    this.#access = new ExpiringCache(context.clock, 15 * 60_000);
    this.#version = new ExpiringCache(context.clock, 30_000);
  }

  /** `1.29`. */
  kubernetesVersion(signal: AbortSignal): Promise<string> {
    return this.#version.remember('version', async () => {
      const { version } = await this.#describe(signal);
      if (version === undefined) throw incomplete('version');
      return version;
    });
  }

  access(signal: AbortSignal): Promise<ClusterAccess> {
    return this.#access.remember('access', async () => {
      const { endpoint = this.#endpoint, certificateAuthority, kubernetesNetworkConfig } = await this.#describe(signal);
      if (endpoint === undefined) throw incomplete('endpoint');
      const serviceCidr = kubernetesNetworkConfig?.serviceIpv4Cidr ?? kubernetesNetworkConfig?.serviceIpv6Cidr;
      return {
        endpoint: this.#endpoint ?? endpoint,
        certificateAuthority: certificateAuthority?.data ?? '',
        ...(serviceCidr === undefined ? {} : { serviceCidr }),
      };
    });
  }

  async #describe(signal: AbortSignal): Promise<EksCluster> {
    const { call, clients, clusterName } = this.#context;
    const { cluster } = await call(
      (options) => clients.eks.send(new DescribeClusterCommand({ name: clusterName }), options),
      signal,
    );
    return cluster ?? {};
  }
}

const incomplete = (field: string): CloudError =>
  new CloudError(`EKS describes the cluster without its ${field}`, { code: 'ClusterIncomplete', retry: 'backOff' });
