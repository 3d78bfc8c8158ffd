import {
  fromTimestamp,
  instant,
  karpenterCustomResources,
  type KubernetesObject,
  type ResourceType,
} from '@nodewright/apis';
import {
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  seededRandom,
  type VirtualTime,
  virtualTime,
} from '@nodewright/runtime';
import {
  type ClusterControllerOptions,
  type Stoppable,
  createKubelets,
  type Kubelets,
  type KubeletsOptions,
  startScheduler,
  startWorkloadControllers,
} from '@nodewright/cluster-sim';
import { createApiServer, isDeviceSelected } from '@nodewright/kube-api';
import type { BootedMachine, MachineBehavior, ImageRelease } from '@nodewright/aws-endpoints';

type SmallClusterOptions = Pick<KubeletsOptions, 'writeLeasesEveryMs' | 'readersClock'> & {
  readonly asNodes?: boolean;
  /** Of Kubernetes [1.28]. */
  readonly version?: string;
};

/** For tests: a control plane and kubelets around an API server in this process, on virtual time. */
export class SmallCluster {
  readonly time: VirtualTime = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  readonly client: KubernetesClient;
  readonly complaints: string[] = [];
  readonly #options: ClusterControllerOptions;
  readonly #kubeletOptions: Pick<KubeletsOptions, 'writeLeasesEveryMs' | 'readersClock' | 'clientOf'>;
  readonly #machines = new Map<string, BootedMachine>();
  #controllers: readonly Stoppable[] = [];
  #kubelets: Kubelets;

  /** @param asNodes whether kubelets are the users of their nodes, and no administrators */
  constructor({ asNodes = false, version = '1.28', ...kubelets }: SmallClusterOptions = {}) {
    const { clock, gate } = this.time;
    const random = seededRandom('small cluster');
    const server = createApiServer({ clock, random, version, customResources: karpenterCustomResources });
    const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
    const transport = inProcessTransport(gate, server.handle, { peer });
    this.client = kubernetesClient({ transport, gate, userAgent: 'small-cluster' });
    const clientOf = (name: string): KubernetesClient => {
      const node = { clientCertificate: { commonName: `system:node:${name}`, organizations: ['system:nodes'] } };
      return kubernetesClient({
        transport: inProcessTransport(gate, server.handle, { peer: node }),
        gate,
        userAgent: 'kubelet',
      });
    };
    this.#kubeletOptions = { ...kubelets, ...(asNodes && { clientOf }) };
    const log = (message: string, fields: object): void => {
      this.complaints.push(`${message} ${JSON.stringify(fields)}`);
    };
    const kubernetesMinor = () => Number(server.version.split('.')[1]);
    this.#options = { clock, random, client: this.client, log, selectDevice: isDeviceSelected, kubernetesMinor };
    this.#kubelets = this.#start();
  }

  /** Everything but the API server ends and begins again, kubelets of running machines included. */
  restart(): void {
    for (const part of [...this.#controllers, this.#kubelets]) part.stop();
    this.#kubelets = this.#start();
    for (const machine of this.#machines.values()) this.#kubelets.launched(machine);
  }

  #start(): Kubelets {
    this.#controllers = [startWorkloadControllers(this.#options), startScheduler(this.#options)];
    return createKubelets({ ...this.#options, ...this.#kubeletOptions, clusterName: 'sandbox' });
  }

  do<T>(work: (client: KubernetesClient) => Promise<T>): Promise<T> {
    return this.time.finish(work(this.client));
  }

  async create<T extends KubernetesObject>(type: ResourceType<T>, ...objects: readonly T[]): Promise<void> {
    for (const object of objects) await this.do((client) => client.create(type, object));
  }

  async list<T extends KubernetesObject>(type: ResourceType<T>, namespace?: string): Promise<readonly T[]> {
    const found = await this.do((client) => client.list(type, namespace === undefined ? {} : { namespace }));
    return found.items;
  }

  get<T extends KubernetesObject>(type: ResourceType<T>, name: string, namespace?: string): Promise<T | undefined> {
    return this.do((client) => client.get(type, namespace === undefined ? { name } : { name, namespace }));
  }

  async after(seconds: number): Promise<void> {
    await this.time.run(instant(this.time.clock.now() + seconds * 1000));
  }

  /** Launches an m6g.xlarge of an image and returns it. */
  launch(
    release: Partial<ImageRelease> = {},
    userData = bootstrapScript,
    more: Partial<BootedMachine> = {},
  ): BootedMachine {
    const number = this.#machines.size + 1;
    const machine = { ...aMachine(number, { ...anImage, ...release }, userData, this.time.clock.now()), ...more };
    this.#machines.set(machine.instanceId, machine);
    this.#kubelets.launched(machine);
    return machine;
  }

  /** The machine goes off. */
  turnOff(instanceId: string): void {
    this.#machines.delete(instanceId);
    this.#kubelets.stopping(instanceId);
  }

  /** As a fault does it. */
  behaves(instanceId: string, ...imposed: readonly MachineBehavior[]): void {
    this.#kubelets.behaves(instanceId, imposed);
  }
}

const bootstrapScript = `#!/bin/bash
/etc/eks/bootstrap.sh 'sandbox' --kubelet-extra-args '--node-labels="team=my-team"'`;

const anImage: ImageRelease = {
  family: 'AL2',
  variant: 'standard',
  arch: 'arm64',
  kubernetesVersion: '1.28',
  version: 'v20240117',
  imageId: 'ami-0d1b0c5ea0c4d1b3f',
  name: 'amazon-eks-arm64-node-1.28-v20240117',
  createdAt: '2024-01-17T00:00:00Z',
  publishedAt: '2024-01-19T00:00:00Z',
  kubeletVersion: 'v1.28.5-eks-5e0fdde',
  osImage: 'Amazon Linux 2',
  kernelVersion: '5.10.205-195.804.amzn2.aarch64',
  containerRuntimeVersion: 'containerd://1.7.2',
};

function aMachine(
  number: number,
  release: ImageRelease,
  userData: string,
  launchedAt: BootedMachine['launchedAt'],
): BootedMachine {
  const instanceId = `i-${String(number).padStart(17, '0')}`;
  return {
    instanceId,
    providerId: `aws:///us-east-1b/${instanceId}`,
    zone: 'us-east-1b',
    zoneId: 'use1-az2',
    region: 'us-east-1',
    privateIp: `192.168.${number >> 8}.${number & 255}`,
    privateDnsName: `ip-192-168-${number >> 8}-${number & 255}.ec2.internal`,
    imageId: release.imageId,
    release,
    behaviors: release.behavior === undefined ? [] : [{ behavior: release.behavior }],
    shape: {
      instanceType: 'm6g.xlarge',
      vcpus: 4,
      memoryMib: 16_384,
      arch: 'arm64',
      maxPods: 58,
      branchInterfaces: 18,
      volumes: 26,
    },
    volumeGib: 20,
    userData,
    launchedAt,
  };
}
