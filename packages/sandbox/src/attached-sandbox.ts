import { type KubernetesObject, listKarpenterCrds, type ResourceType, seconds } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { type Aws, createAws } from '@nodewright/aws-endpoints';
import {
  type Stoppable,
  unlessRefusedAs,
  createKubelets,
  startScheduler,
  startWorkloadControllers,
  createSystemObjects,
} from '@nodewright/cluster-sim';
import { laterListener } from './machine-listener.ts';
import { startNodeManager } from './node-manager/node-manager.ts';
import type { SandboxEndpoints, SandboxOptions } from './sandbox-options.ts';

export type AttachedSandboxOptions = Omit<SandboxOptions, 'endpoints' | 'callersClock' | 'podLogs'> & {
  /** Makes a client of the existing cluster for a user agent. */
  readonly client: (userAgent: string) => KubernetesClient;
  readonly endpoints: SandboxEndpoints;
  /** Whether scheduling and workload controllers are run for a cluster that has none. */
  readonly workloadControllers: boolean;
};

/** An AWS account, and kubelets of its machines that join an existing API server. */
export type AttachedSandbox = {
  readonly aws: Aws;
  /** Resolves when the definitions are there and the kubelets run. */
  start(): Promise<void>;
  stop(): void;
};

export async function attachSandbox(options: AttachedSandboxOptions): Promise<AttachedSandbox> {
  const { client, random, endpoints, workloadControllers, log } = options;
  const machines = laterListener();
  const aws = createAws({
    ...options,
    random: random.fork('aws'),
    machines: machines.listener,
    onControlPlaneVersion: (minor) =>
      log?.('EKS tells another version from now on; the API server is not ours to upgrade', { version: minor }),
    clusterEndpoint: endpoints.kubernetes,
    clusterCertificateAuthority: () => endpoints.certificateAuthority,
  });
  await aws.load();
  const running: Stoppable[] = [];
  return {
    aws,
    async start() {
      await installDefinitions(options);
      const kubelets = createKubelets({ ...options, random: random.fork('kubelets'), client: client('kubelet') });
      machines.become(kubelets);
      const manager = { random: random.fork('node-manager'), client: client('eks-node-manager') };
      running.push(kubelets, startNodeManager({ ...options, ...manager, nodeGroups: aws.eks.nodeGroups }));
      if (workloadControllers) running.push(...(await startControlPlane(options)));
      aws.resume();
    },
    stop() {
      for (const part of running) part.stop();
    },
  };
}

async function startControlPlane(options: AttachedSandboxOptions): Promise<readonly Stoppable[]> {
  const { client } = options;
  const controllers = {
    ...options,
    random: options.random.fork('controllers'),
    client: client('kube-controller-manager'),
  };
  const started = [
    startWorkloadControllers(controllers),
    startScheduler({ ...controllers, client: client('kube-scheduler') }),
  ];
  await createSystemObjects(client('eks'), options.kubernetesVersion);
  return started;
}

type AttachedDefinition = KubernetesObject & {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
};

const definitions: ResourceType<AttachedDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

const establishedWithinMs = seconds(30);
const askEveryMs = 250;

/** Definitions that are there already stay as they are. */
async function installDefinitions({ client, clock }: AttachedSandboxOptions): Promise<void> {
  const api = client('eks');
  for (const definition of listKarpenterCrds())
    await unlessRefusedAs('AlreadyExists', api.create(definitions, definition));
  const until = clock.now() + establishedWithinMs;
  for (const { metadata } of listKarpenterCrds()) {
    while (!isEstablished(await api.get(definitions, { name: metadata.name }))) {
      if (clock.now() > until) throw new Error(`the API server does not serve ${metadata.name}`);
      await clock.sleep(askEveryMs);
    }
  }
}

const isEstablished = (definition: AttachedDefinition | undefined): boolean =>
  definition?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
