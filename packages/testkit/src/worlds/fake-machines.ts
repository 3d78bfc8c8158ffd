import {
  awsLabels,
  conditionOf,
  instant,
  karpenterLabels,
  kubernetesLabels,
  nodes,
  pods,
  toTimestamp,
  unregisteredTaint,
  type Instant,
  type Node,
  type Pod,
} from '@nodewright/apis';
import { toResourceList } from '@nodewright/engine';
import type { Instance, LaunchRequest } from '@nodewright/ports';
import { startInformer, type Clock, type KubernetesClient, type Random } from '@nodewright/runtime';

type MachineOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  readonly bootMs?: number;
};

/** Machines that join some time after their launch, become ready, and run and end what is bound to them. */
export function fakeMachines({ clock, random, client, bootMs = 30_000 }: MachineOptions) {
  let joins = true;
  const later = (ms: number, work: () => Promise<unknown>): void => {
    clock.at(instant(clock.now() + ms), () => void work().catch(() => undefined));
  };
  const informer = startInformer<Pod>({ client, clock, random, type: pods });
  informer.onChange((_, pod) => {
    if (pod?.spec.nodeName === undefined || pod.spec.nodeName === '') return;
    if (pod.metadata.deletionTimestamp !== undefined) later(1_000, () => end(client, pod));
    else if (pod.status?.phase === 'Pending') later(1_000, () => run(client, pod, clock));
  });
  return {
    /** What happens to instances launched from now on. */
    setJoining: (does: boolean) => void (joins = does),
    launched: (instance: Instance, request: LaunchRequest): void => {
      if (!joins) return;
      later(bootMs, () => join(client, instance, request));
      later(bootMs + 10_000, () => becomeReady(client, instance.privateDnsName, clock));
    },
    /** The kubelet of a node falls silent. */
    fail: (node: string) => setReady(client, node, { status: 'Unknown', at: clock.now() }),
    stop: () => informer.stop(),
  };
}

const notReady = [
  unregisteredTaint,
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' as const },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' as const },
];

async function join(client: KubernetesClient, instance: Instance, { claim, instanceTypes, nodeClass }: LaunchRequest) {
  const type = instanceTypes.find(({ name }) => name === instance.instanceType);
  const resources = { ...toResourceList(type?.allocatable ?? {}) };
  await client.create(nodes, {
    metadata: {
      name: instance.privateDnsName,
      labels: {
        ...claim.metadata.labels,
        [awsLabels.ec2NodeClass]: nodeClass.metadata.name,
        [kubernetesLabels.hostname]: instance.privateDnsName,
        [kubernetesLabels.instanceType]: instance.instanceType,
        [kubernetesLabels.zone]: instance.zone,
        [kubernetesLabels.arch]: 'amd64',
        [kubernetesLabels.os]: 'linux',
        [karpenterLabels.capacityType]: instance.capacityType,
      },
    },
    spec: { providerID: instance.providerId, taints: notReady },
  });
  await client.patch(
    nodes,
    { name: instance.privateDnsName },
    {
      type: 'merge',
      patch: {
        status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'False' }] },
      },
    },
    { subresource: 'status' },
  );
}

async function becomeReady(client: KubernetesClient, name: string, clock: Clock): Promise<void> {
  const node = await client.get<Node>(nodes, { name });
  if (node === undefined) return;
  await setReady(client, name, { status: 'True', at: clock.now() });
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/not-ready');
  await client.patch(nodes, { name }, { type: 'merge', patch: { spec: { taints } } });
}

async function setReady(
  client: KubernetesClient,
  name: string,
  { status, at }: { readonly status: 'True' | 'Unknown'; readonly at: Instant },
): Promise<void> {
  const conditions = [{ type: 'Ready', status, lastTransitionTime: toTimestamp(at) }];
  await client.patch(nodes, { name }, { type: 'merge', patch: { status: { conditions } } }, { subresource: 'status' });
}

const keyOf = ({ metadata: { name, namespace = 'default' } }: Pod) => ({ name, namespace });

async function run(client: KubernetesClient, pod: Pod, clock: Clock): Promise<void> {
  const at = toTimestamp(clock.now());
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: at } as const;
  const conditions = [...(pod.status?.conditions ?? []).filter(({ type }) => type !== 'Ready'), ready];
  if (conditionOf(pod, 'Ready')?.status === 'True') return;
  const patch = { status: { phase: 'Running', startTime: at, conditions } };
  await client.patch(pods, keyOf(pod), { type: 'merge', patch }, { subresource: 'status' });
}

const end = (client: KubernetesClient, pod: Pod): Promise<void> =>
  client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
