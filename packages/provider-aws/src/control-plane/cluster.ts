import { type Cluster as EksCluster, DescribeClusterCommand } from '@aws-sdk/client-eks';
import { hours, minutes, seconds } from '@nodewright/apis';
import { CloudError, type LookupPace } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';

/** What a node must know to join. */
export type ControlPlaneAccess = {
  readonly endpoint: string;
  /** Base64 of the PEM. */
  readonly certificateAuthority: string;
  /** IPv4 preferred. */
  readonly serviceCidr?: string;
  /** Address of the cluster's DNS service, as the Service `kube-system/kube-dns` has it. */
  readonly dns?: string;
  readonly ipFamily: 'ipv4' | 'ipv6';
};

/** What is known about the cluster without asking EKS. */
export type KnownCluster = {
  readonly endpoint?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly kubernetesVersion?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Asked again as long as it finds none. */
  readonly clusterDns?: (() => Promise<string | undefined>) | undefined;
};

const steadyAccessMs = minutes(15);
const restingAccessMs = hours(12);
const steadyVersionMs = seconds(30);
const restingVersionMs = minutes(4.5);

/** The EKS cluster that nodes join. */
export class ClusterLookup {
  readonly #context: AwsContext;
  readonly #known: KnownCluster;
  readonly #access: ExpiringCache<ControlPlaneAccess>;
  readonly #version: ExpiringCache<string>;
  #dns: string | undefined;

  constructor(context: AwsContext, known: KnownCluster) {
    this.#context = context;
    this.#known = known;
    this.#access = new ExpiringCache(context.clock, restingAccessMs, context.freshness);
    this.#version = new ExpiringCache(context.clock, restingVersionMs, context.freshness);
  }

  /** `1.29`. */
  kubernetesVersion(signal: AbortSignal, pace: LookupPace = 'close'): Promise<string> {
    const ofApiServer = this.#known.kubernetesVersion;
    const read = async (): Promise<string> => {
      if (ofApiServer !== undefined) return ofApiServer(signal);
      const { version } = await this.#describe(signal);
      if (version === undefined) throw incomplete('version');
      return version;
    };
    const isClose = pace === 'close' || ofApiServer !== undefined;
    return this.#version.remember('version', read, isClose ? steadyVersionMs : restingVersionMs);
  }

  access(signal: AbortSignal, pace: LookupPace = 'close'): Promise<ControlPlaneAccess> {
    const read = async (): Promise<ControlPlaneAccess> => {
      const described = await this.#describeUnlessKnown(signal);
      const endpoint = this.#known.endpoint ?? described.endpoint;
      if (endpoint === undefined) throw incomplete('endpoint');
      const { serviceIpv4Cidr, serviceIpv6Cidr, ipFamily } = described.kubernetesNetworkConfig ?? {};
      const dns = (this.#dns ??= await this.#known.clusterDns?.());
      const serviceCidr = serviceIpv4Cidr ?? serviceIpv6Cidr;
      return {
        endpoint,
        certificateAuthority: this.#known.certificateAuthority ?? described.certificateAuthority?.data ?? '',
        ...(serviceCidr === undefined ? {} : { serviceCidr }),
        ...(dns === undefined ? {} : { dns }),
        ipFamily: dns === undefined ? (ipFamily ?? 'ipv4') : ipFamilyOf(dns),
      };
    };
    return this.#access.remember('access', read, pace === 'close' ? steadyAccessMs : restingAccessMs);
  }

  /** Without an answer of EKS (a self-managed cluster) the configured endpoint and CA bundle are used. */
  async #describeUnlessKnown(signal: AbortSignal): Promise<EksCluster> {
    try {
      return await this.#describe(signal);
    } catch (error) {
      const { endpoint, certificateAuthority } = this.#known;
      if (isAwsNotFound(error) && endpoint !== undefined && certificateAuthority !== undefined) return {};
      throw error;
    }
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

/** The family of the DNS service is the family of the pods. */
const ipFamilyOf = (address: string): ControlPlaneAccess['ipFamily'] => (address.includes(':') ? 'ipv6' : 'ipv4');

const incomplete = (field: string): CloudError =>
  new CloudError(`EKS describes the cluster without its ${field}`, { code: 'ClusterIncomplete', retry: 'backOff' });
