import type {
  AwsAccount,
  ClusterAddon,
  ClusterHost,
  ClusterPlace,
  MachineListener,
  OpenedCluster,
} from '@nodewright/aws-endpoints';
import type { ApiServer } from '@nodewright/kube-api';
import type { RequestHandler } from '@nodewright/runtime';
import { clusterAccess } from '../cluster-access.ts';
import { nodeManagerPeer } from '../cluster-clients.ts';
import { readClusterPath, writeClusterPath } from './cluster-path.ts';
import { type ClusterSurroundings, type FurtherCluster, startFurtherCluster } from './further-cluster.ts';
import { routeMachines } from './machine-router.ts';

/**
 * The clusters that users create with `aws eks create-cluster`, in any region and account. Each has an API server, a
 * scheduler, controllers and kubelets of its own, in this process. It starts when EKS says that the cluster is active.
 */
export class FurtherClusters implements ClusterHost {
  readonly runsNodes = true;
  readonly #surroundings: () => ClusterSurroundings;
  /** By their paths. */
  readonly #clusters = new Map<string, FurtherCluster>();

  /** @param surroundings is called when the first cluster starts */
  constructor(surroundings: () => ClusterSurroundings) {
    this.#surroundings = surroundings;
  }

  opened(place: ClusterPlace, cluster: OpenedCluster): void {
    this.#clusters.set(writeClusterPath(place), startFurtherCluster(place, cluster, this.#surroundings()));
  }

  upgraded(place: ClusterPlace, minor: string): void {
    this.#find(place)?.upgrade(minor);
  }

  addonChanged(place: ClusterPlace, addon: ClusterAddon): void {
    this.#find(place)?.followAddon(addon);
  }

  closed(place: ClusterPlace): void {
    const cluster = this.#find(place);
    cluster?.stop();
    cluster?.forget();
    this.#clusters.delete(writeClusterPath(place));
  }

  endpointOf(place: ClusterPlace): string {
    const { endpoints } = this.#surroundings().options;
    return `${endpoints?.kubernetes() ?? 'https://kubernetes.sandbox.internal'}${writeClusterPath(place)}`;
  }

  accessTo(place: ClusterPlace) {
    const cluster = this.#find(place);
    if (cluster === undefined) return 'unreachable';
    const { commonName } = nodeManagerPeer.clientCertificate;
    return clusterAccess(cluster.kubernetes, this.#surroundings().aws.faults, commonName);
  }

  machinesAt(account: AwsAccount, otherwise?: MachineListener): MachineListener {
    return routeMachines(account, { find: (place) => this.#find(place)?.kubelets, otherwise });
  }

  /** Reads a token that one of the clusters signed. */
  readTokenClaims(token: string): ReturnType<ApiServer['readTokenClaims']> {
    for (const { kubernetes } of this.#clusters.values()) {
      const claims = kubernetes.readTokenClaims(token);
      if (claims !== undefined) return claims;
    }
    return undefined;
  }

  /** Serves the paths of these clusters, and leaves all others to the first one. */
  serveBeside(first: RequestHandler): RequestHandler {
    return async (request, ...rest) => {
      const read = readClusterPath(request.path);
      if (read === undefined) return first(request, ...rest);
      const cluster = this.#clusters.get(read.cluster);
      if (cluster === undefined) return noSuchCluster(read.cluster);
      return cluster.kubernetes.handle({ ...request, path: read.rest }, ...rest);
    };
  }

  stop(): void {
    for (const cluster of this.#clusters.values()) cluster.stop();
  }

  #find(place: ClusterPlace): FurtherCluster | undefined {
    return this.#clusters.get(writeClusterPath(place));
  }
}

function noSuchCluster(path: string) {
  const message = `there is no cluster at ${path}`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404, reason: 'NotFound' };
  const body = Buffer.from(JSON.stringify({ ...status, message }));
  return { status: 404, headers: { 'content-type': 'application/json' }, body };
}
