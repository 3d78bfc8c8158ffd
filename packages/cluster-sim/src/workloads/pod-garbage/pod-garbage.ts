import {
  type Condition,
  type Instant,
  instant,
  type Node,
  nodes,
  type Pod,
  pods,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { type ControllerPlan, startPlannedController } from '../../control-plane/planned-controller.ts';
import { deleteSameObject, patchPodStatus } from '../../control-plane/writes.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { indexByNode } from '../../objects/pod-health.ts';

/** How long a node may be missing before its pods are deleted. */
const quarantineMs = seconds(40);

/** Deletes pods that are bound to nodes that do not exist. */
export function runPodGarbage(control: ClusterControlPlane): void {
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'pod garbage',
    observe: (nodeName) => observe(control, nodeName),
    plan: planLostPods,
    perform: (action) => perform(action, client),
  });
  watchMissingNodes(control, keys);
}

type LostPods = { readonly lost: readonly Pod[]; readonly now: Instant };

/** The watch may be behind, so the API has to confirm that the node is missing. */
async function observe({ watches, options }: ClusterControlPlane, nodeName: string): Promise<LostPods | undefined> {
  const lost = watches.of(pods).by(indexByNode, nodeName);
  if (watches.of(nodes).get(nodeName) !== undefined || lost.length === 0) return undefined;
  if ((await options.client.get(nodes, { name: nodeName })) !== undefined) return undefined;
  return { lost, now: options.clock.now() };
}

export type LostPodAction =
  | { readonly kind: 'failPod'; readonly pod: Pod; readonly status: object }
  | { readonly kind: 'deletePod'; readonly pod: Pod };

/** Each lost pod fails, so that its owner counts it, and is deleted without a grace period. */
export const planLostPods = ({ lost, now }: LostPods): ControllerPlan<LostPodAction> => ({
  actions: lost.flatMap((pod): readonly LostPodAction[] => [
    { kind: 'failPod', pod, status: failedStatus(pod, now) },
    { kind: 'deletePod', pod },
  ]),
});

const nodeIsGone: Condition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
};

const failedStatus = ({ status }: Pod, now: Instant): object => ({
  phase: 'Failed',
  conditions: mergeConditions(status?.conditions, [nodeIsGone], toTimestamp(now)),
});

async function perform(action: LostPodAction, client: KubernetesClient): Promise<void> {
  if (action.kind === 'deletePod') return deleteSameObject(client, pods, action.pod, { gracePeriodSeconds: 0 });
  await patchPodStatus(client, action.pod, action.status);
}

/** A node is looked at some time after it is gone, and after a pod is bound to it while it is missing. */
function watchMissingNodes({ watches, options }: ClusterControlPlane, keys: Keys): void {
  const known = watches.of(nodes);
  const checkLater = (nodeName: string): void => keys.addAt(nodeName, instant(options.clock.now() + quarantineMs));
  known.onChange((before, after) => {
    if (after === undefined) checkLater((before as Node).metadata.name);
  });
  watches.of(pods).onChange((before, after) => {
    const nodeName = after?.spec.nodeName;
    if (nodeName === undefined || before?.spec.nodeName !== undefined) return;
    if (known.get(nodeName) === undefined) checkLater(nodeName);
  });
}
