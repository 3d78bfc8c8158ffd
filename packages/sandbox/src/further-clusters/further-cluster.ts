import type { Aws, ClusterAddon, ClusterPlace, OpenedCluster, TokenUser } from '@nodewright/aws-endpoints';
import { createKubelets, createSystemObjects, type Kubelets, type Stoppable } from '@nodewright/cluster-sim';
import { type ApiServer, createApiServer, type User } from '@nodewright/kube-api';
import { forgetfulLedger, keepUnderPrefix } from '@nodewright/runtime';
import { readAwsAuth } from '../aws-auth.ts';
import { callWebhook } from '../call-webhook.ts';
import { clientsOf, nodeCaller } from '../cluster-clients.ts';
import { startControlPlane, startServices, updateAddOnsSoon } from '../control-plane.ts';
import { type AddOnWorld, followAddOn, resumeAddOns } from '../follow-add-ons.ts';
import { findPodCredentials } from '../pod-credentials.ts';
import { noteShellEnd, playedAttach, playedExec, playedLogs } from '../pod-programs.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { simulatedKubelets, simulatedUsage } from '../simulated-usage.ts';
import { writeClusterPath } from './cluster-path.ts';

/** What the clusters of a sandbox have in common. */
export type ClusterSurroundings = {
  readonly options: SandboxOptions;
  readonly aws: Pick<Aws, 'authenticateToken' | 'eksAt' | 'faults'>;
};

/** A control plane with its kubelets, beside the first one. */
export type FurtherCluster = {
  readonly kubernetes: ApiServer;
  readonly kubelets: Kubelets;
  /** The control plane has another version. */
  upgrade(minor: string): void;
  /** EKS begins to install, change or remove an add-on. */
  followAddon(addon: ClusterAddon): void;
  stop(): void;
  /** Forgets every object. */
  forget(): void;
};

export function startFurtherCluster(
  place: ClusterPlace,
  { version, nodeGroups }: OpenedCluster,
  surroundings: ClusterSurroundings,
): FurtherCluster {
  const path = writeClusterPath(place);
  const ledger = keepUnderPrefix(surroundings.options.ledger ?? forgetfulLedger(), `${path.slice(1)}/`);
  const options = optionsOf(place, version, surroundings.options);
  const { random, gate, way = 'wire' } = options;
  const kubernetes = createServer(place, { ...options, ledger }, surroundings);
  const client = clientsOf({ gate, way }, kubernetes);
  const kubelets = createKubelets({
    ...options,
    random: random.fork('kubelets'),
    client: client('kubelet'),
    ...(options.nodeIdentities === true && { clientOf: (name: string) => client('kubelet', nodeCaller(name)) }),
  });
  const running: Stoppable[] = [
    kubelets,
    ...startControlPlane(options, { kubernetes, faults: surroundings.aws.faults, nodeGroups, client, random }),
  ];
  const addOns = (): AddOnWorld => ({
    clock: options.clock,
    eks: { addons: surroundings.aws.eksAt(place.account).addons, clusterName: place.name },
    client: client('eks'),
    log: options.log,
  });
  let isStopped = false;
  const begin = async (): Promise<void> => {
    await createSystemObjects(client('eks'), version);
    if (!isStopped) resumeAddOns(addOns());
    if (options.clusterServices !== true) return;
    const services = await startServices(options, { client, random });
    if (isStopped) services.stop();
    else running.push(services);
  };
  begin().catch((error: unknown) => options.log?.('a cluster does not start', { error }));
  return {
    kubernetes,
    kubelets,
    upgrade(minor) {
      kubernetes.setVersion(minor);
      if (options.clusterServices === true) updateAddOnsSoon(options, client('eks'), kubernetes);
    },
    followAddon(addon) {
      followAddOn(addOns(), addon);
    },
    stop() {
      isStopped = true;
      for (const part of running) part.stop();
    },
    forget() {
      for (const name of ledger.names()) ledger.map(name).clear();
    },
  };
}

/** Those of the sandbox, for another cluster. Nothing in it comes from an earlier world. */
function optionsOf({ account, name }: ClusterPlace, version: string, options: SandboxOptions): SandboxOptions {
  const { log, seenBootTimes: _times, onWrite: _listener, podLogs: _logs, podListener: _ports, ...rest } = options;
  return {
    ...rest,
    random: options.random.fork(`cluster ${account.id} ${account.region} ${name}`),
    clusterName: name,
    kubernetesVersion: version,
    region: account.region,
    ...(log && { log: (message, fields) => log(message, { cluster: name, ...fields }) }),
  };
}

function createServer(place: ClusterPlace, options: SandboxOptions, { aws }: ClusterSurroundings): ApiServer {
  const { clock, random, endpoints, callersClock, ledger, kubernetesVersion: version } = options;
  const eks = aws.eksAt(place.account);
  const client = () => clientsOf({ gate: options.gate, way: options.way ?? 'wire' }, kubernetes)('kubelet');
  const kubernetes: ApiServer = createApiServer({
    clock,
    random: random.fork('kubernetes'),
    version,
    ...(ledger && { ledger }),
    tokens: [
      (token) => clusterUserOf(aws.authenticateToken(token, { ...place, readAwsAuth: () => readAwsAuth(kubernetes) })),
    ],
    ...(callersClock && { callersClock }),
    podLogs: playedLogs(clock),
    ...(options.clusterServices === true && { usage: simulatedUsage }),
    kubelets: simulatedKubelets(clock),
    findPodCredentials: (account) =>
      findPodCredentials(
        { eks: { clusterName: place.name, podIdentities: eks.podIdentities }, region: place.account.region },
        account,
      ),
    podPrograms: {
      exec: playedExec(clock),
      attach: playedAttach(
        clock,
        (pod, container, exitCode) => void noteShellEnd(client(), { pod, container, exitCode }),
      ),
    },
    ...(endpoints && { certificateAuthority: endpoints.certificateAuthority, callWebhook }),
    ...(endpoints?.tokenKey !== undefined && { tokenKey: endpoints.tokenKey }),
    tokenIssuer: { issuer: eks.issuerOf(place.name), audience: 'https://kubernetes.default.svc' },
    ...(endpoints && { serverAddress: () => new URL(endpoints.kubernetes()).host }),
  });
  return kubernetes;
}

export function clusterUserOf(user: TokenUser | undefined): User | undefined {
  if (user === undefined) return undefined;
  const { username: name, ...rest } = user;
  return { name, ...rest };
}
