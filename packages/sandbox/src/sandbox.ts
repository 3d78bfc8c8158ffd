import { karpenterCustomResources, nodewrightCustomResources, type Pod } from '@nodewright/apis';
import { type KubernetesClient, forgetfulLedger, type RequestHandler } from '@nodewright/runtime';
import { type Aws, type ClusterAddon, createAws, type MachineListener } from '@nodewright/aws-endpoints';
import { type Stoppable, createKubelets, createSystemObjects, startServiceEndpoints } from '@nodewright/cluster-sim';
import { readAwsAuth } from './aws-auth.ts';
import { callWebhook } from './call-webhook.ts';
import { ChurnWatch } from './churn/churn-watch.ts';
import { clusterAccess, whileThere } from './cluster-access.ts';
import { type ClientWay, clientsOf, nodeCaller, nodeManagerPeer } from './cluster-clients.ts';
import { startControlPlane, startServices, updateAddOnsSoon } from './control-plane.ts';
import { type ApiServer, createApiServer } from '@nodewright/kube-api';
import { clusterUserOf } from './further-clusters/further-cluster.ts';
import { FurtherClusters } from './further-clusters/further-clusters.ts';
import { type AddOnWorld, followAddOn, resumeAddOns } from './follow-add-ons.ts';
import { laterListener } from './machine-listener.ts';
import { findPodCredentials } from './pod-credentials.ts';
import { noteShellEnd, playedAttach, playedExec, playedLogs } from './pod-programs.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { simulatedKubelets, simulatedUsage } from './simulated-usage.ts';
import { type OldKindRewriter, startOldKindRewriter } from './old-kinds/rewrite-old-kinds.ts';
import { serveOldKinds } from './old-kinds/serve-old-kinds.ts';

/** The user name and the user agent of an administrator. */
export type AdminName = { readonly commonName: string; readonly userAgent: string };

/** An EKS cluster and the account around it, reached through its two handlers. */
export type Sandbox = {
  readonly kubernetes: ApiServer;
  /** Serves the API server, and those of the clusters that users create, by their paths. */
  readonly handleClusters: RequestHandler;
  readonly aws: Aws;
  /** A client as a cluster admin in this process. */
  readonly admin: KubernetesClient;
  /** Another client of such a kind, by the way of the cluster's own parts. */
  readonly clientAs: (user: AdminName) => KubernetesClient;
  /** How the parts of this cluster reach its API server. */
  readonly way: ClientWay;
  /** Resolves when the cluster is up: system objects applied, controllers running. */
  start(): Promise<void>;
  stop(): void;
};

/** Assembles the sandbox and loads all code that it will run. Nothing moves before `start`. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machines = laterListener();
  let oldKinds: OldKindRewriter | undefined;
  let followVersion: (() => void) | undefined;
  let addOns: AddOnWorld | undefined;
  const { aws, kubernetes, further } = createApis(options, machines.listener, {
    versionChanged() {
      oldKinds?.recheck();
      followVersion?.();
    },
    addOnChanged: (addOn) => addOns && followAddOn(addOns, addOn),
    shellEnded: (pod, container, exitCode) => void noteShellEnd(client('kubelet'), { pod, container, exitCode }),
  });
  await aws.load();
  const { gate, way = 'wire' } = options;
  const client = clientsOf({ gate, way }, kubernetes);
  const there = whileThere(kubernetes, aws.eks);
  const { faults, eks } = aws;
  const cluster = { kubernetes, faults, nodeGroups: eks.nodeGroups, client, random: options.random };
  const running: Stoppable[] = [];
  return {
    kubernetes: there,
    handleClusters: further.serveBeside(there.handle),
    aws,
    admin: client('nodewright'),
    clientAs: ({ commonName, userAgent }) =>
      client(userAgent, {
        peer: { clientCertificate: { commonName, organizations: ['system:masters'] } },
        server: there,
      }),
    way,
    async start() {
      const kubelets = createKubelets({
        ...options,
        random: options.random.fork('kubelets'),
        client: client('kubelet'),
        ...(options.nodeIdentities === true && { clientOf: (name: string) => client('kubelet', nodeCaller(name)) }),
      });
      machines.become(kubelets);
      oldKinds = startOldKindRewriter({
        ...options,
        random: options.random.fork('old kinds'),
        client: client('karpenter-conversion'),
        kubernetesVersion: () => kubernetes.version,
      });
      running.push(oldKinds, kubelets, ...startControlPlane(options, cluster), further);
      await createSystemObjects(client('eks'), options.kubernetesVersion);
      if (options.clusterServices === true) {
        running.push(await startServices(options, cluster));
        followVersion = () => updateAddOnsSoon(options, client('eks'), kubernetes);
        addOns = { clock: options.clock, log: options.log, eks: aws.eks, client: client('eks') };
        resumeAddOns(addOns);
      } else if (options.serviceEndpoints === true) {
        const random = options.random.fork('service endpoints');
        running.push(startServiceEndpoints({ ...options, random, client: client('kube-controller-manager') }));
      }
      aws.resume();
    },
    stop() {
      for (const part of running) part.stop();
    },
  };
}

/** What parts of the sandbox do that are made after the APIs. */
type LaterListeners = {
  readonly versionChanged: () => void;
  readonly addOnChanged: (addOn: ClusterAddon) => void;
  readonly shellEnded: (pod: Pod, container: string, exitCode: number) => void;
};

type SandboxApis = { readonly aws: Aws; readonly kubernetes: ApiServer; readonly further: FurtherClusters };

/** The two APIs. They name each other: the API server asks AWS about tokens, EKS sets the version of the API server. */
function createApis(options: SandboxOptions, machines: MachineListener, later: LaterListeners): SandboxApis {
  const { clock, random, endpoints, callersClock, podLogs, podListener, ledger = forgetfulLedger() } = options;
  const played = playedLogs(clock);
  const target = { clusterName: options.clusterName, kubernetesVersion: () => kubernetes.version };
  const further = new FurtherClusters(() => ({ options, aws }));
  const aws: Aws = createAws({
    ...options,
    ledger,
    random: random.fork('aws'),
    machines,
    onControlPlaneVersion: (minor) => {
      kubernetes.setVersion(minor);
      later.versionChanged();
    },
    onAddon: later.addOnChanged,
    readWebIdentity: (token) => kubernetes.readTokenClaims(token) ?? further.readTokenClaims(token),
    readAwsAuth: () => readAwsAuth(kubernetes),
    clusterEndpoint: () => endpoints?.kubernetes() ?? 'https://kubernetes.sandbox.internal',
    clusterCertificateAuthority: () => endpoints?.certificateAuthority ?? 'sandbox',
    clusterAccess: () => clusterAccess(kubernetes, aws.faults, nodeManagerPeer.clientCertificate.commonName),
    clusterHost: further,
  });
  const churn = new ChurnWatch({ clock, report: (message, fields) => options.log?.(message, fields) });
  const kubernetes = createApiServer({
    clock,
    random: random.fork('kubernetes'),
    version: aws.eks.controlPlane.version,
    ledger,
    customResources: [
      ...karpenterCustomResources,
      ...nodewrightCustomResources,
      ...serveOldKinds(target, random.fork('old kinds/definitions')),
    ],
    tokens: [(token) => clusterUserOf(aws.authenticateToken(token))],
    onWrite: (write) => {
      churn.see(write);
      options.onWrite?.(write);
    },
    ...(callersClock && { callersClock }),
    podLogs: (pod, asked) => podLogs?.(pod, asked) ?? played(pod, asked),
    ...(options.clusterServices === true && { usage: simulatedUsage }),
    kubelets: simulatedKubelets(clock),
    findPodCredentials: (account) => findPodCredentials({ eks: aws.eks, region: options.region }, account),
    podPrograms: {
      exec: playedExec(clock),
      attach: playedAttach(clock, later.shellEnded),
      ...(podListener && { listener: podListener }),
    },
    ...(endpoints && { certificateAuthority: endpoints.certificateAuthority, callWebhook }),
    ...(endpoints?.tokenKey !== undefined && { tokenKey: endpoints.tokenKey }),
    tokenIssuer: {
      issuer: `https://oidc.eks.${options.region}.amazonaws.com/id/SANDBOX`,
      audience: 'https://kubernetes.default.svc',
    },
    ...(endpoints && { serverAddress: () => new URL(endpoints.kubernetes()).host }),
  });
  return { aws, kubernetes, further };
}
