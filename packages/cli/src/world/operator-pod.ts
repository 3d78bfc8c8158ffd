import { instant, namespaces, type Pod, pods, toTimestamp } from '@nodewright/apis';
import { ApiError, type Clock, type KubernetesClient, type Random, startInformer } from '@nodewright/runtime';
import type { PodLogs } from '@nodewright/kube-api';
import type { OperatorLog } from './operator-log.ts';

const namespace = 'karpenter';
const labels = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' };

type Surroundings = { readonly client: KubernetesClient; readonly clock: Clock; readonly random: Random };

/**
 * Shows the operator of this process as the pod that it would be in a cluster, so that `kubectl logs` finds its
 * log. No scheduler places the pod, no node runs it: it takes no room and nothing evicts it. Like a pod of a
 * Deployment it comes back after it is deleted.
 */
export async function showOperatorPod(around: Surroundings): Promise<{ stop(): Promise<void> }> {
  const { clock } = around;
  await createPod(around);
  let isStopped = false;
  const missed = (): void => {
    if (isStopped) return;
    createPod(around).catch(() => void clock.at(instant(clock.now() + tryAgainMs), missed));
  };
  const shown = startInformer<Pod>({
    ...around,
    type: pods,
    namespace,
    labelSelector: 'app.kubernetes.io/name=karpenter',
  });
  shown.onChange((_, after) => {
    if (after === undefined && shown.store.list().length === 0) missed();
  });
  return {
    stop: async () => {
      isStopped = true;
      await shown.stop();
    },
  };
}

/** Until a namespace that is going is gone. */
const tryAgainMs = 1_000;

async function createPod({ client, clock, random }: Surroundings): Promise<void> {
  await unlessThere(client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const { items } = await client.list(pods, { namespace, labelSelector: 'app.kubernetes.io/name=karpenter' });
  if (items.length > 0) return;
  const created = await client.create(pods, operatorPod(`karpenter-${random.hex(9)}-${random.hex(5)}`));
  const status = runningSince(toTimestamp(clock.now()));
  const key = { namespace, name: created.metadata.name };
  await client.patch(pods, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
}

/** The log of the operator for its pod; other pods have written nothing. */
export const logsOfOperator =
  (log: OperatorLog): PodLogs =>
  (pod, options) =>
    pod.metadata.namespace === namespace && pod.metadata.name.startsWith('karpenter-') ? log.read(options) : undefined;

const image = 'public.ecr.aws/nodewright/controller';

const operatorPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
  spec: {
    schedulerName: 'nodewright-sandbox',
    priorityClassName: 'system-cluster-critical',
    containers: [{ name: 'controller', image, resources: { requests: { cpu: '1', memory: '1Gi' } } }],
  },
});

const runningSince = (at: string) => ({
  phase: 'Running',
  startTime: at,
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: at,
  })),
  containerStatuses: [
    {
      name: 'controller',
      image,
      imageID: '',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
    },
  ],
});

async function unlessThere(creating: Promise<unknown>): Promise<void> {
  try {
    await creating;
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.reason === 'AlreadyExists')) throw failure;
  }
}
