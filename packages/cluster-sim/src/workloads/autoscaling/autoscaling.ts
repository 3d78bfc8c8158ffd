import {
  deployments,
  type KubernetesObject,
  labelSelectorPredicate,
  type LabelSelector,
  pods,
  replicaSets,
  type ResourceType,
  seconds,
  statefulSets,
} from '@nodewright/apis';
import type { EventRecorder, KubernetesClient } from '@nodewright/runtime';
import type { ClusterControlPlane } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { indexByNamespace } from '../../objects/object-key.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { type Autoscaler, autoscalers } from './autoscaler.ts';
import { type AutoscalerAction, type AutoscalerSnapshot, planAutoscaler, type Recommendation } from './plan.ts';

type ScalableWorkload = KubernetesObject & {
  readonly spec: { readonly replicas?: number; readonly selector?: LabelSelector };
};

const scalableKinds = new Map(
  [deployments, replicaSets, statefulSets].map((type) => [type.kind, type as ResourceType<ScalableWorkload>]),
);

/** How long recommendations are remembered at most, as long as a window may be. */
const recommendationsKeptMs = seconds(3600);

/** Scales workloads by the simulated use of their pods. */
export function runAutoscaling(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'horizontal-pod-autoscaler');
  const remembered = new Map<string, readonly Recommendation[]>();
  const keys = startPlannedController<AutoscalerSnapshot, AutoscalerAction>(control, {
    name: 'horizontal pod autoscaling',
    observe: (key) => observe(control, key, remembered),
    plan: planAutoscaler,
    perform: (action, snapshot) => perform({ client, events, remembered }, action, snapshot),
  });
  control.watches.of(pods);
  for (const type of scalableKinds.values()) control.watches.of(type);
  control.watches.of(autoscalers).onChange((before, after) => {
    const { namespace = '', name = '', generation } = (after ?? before)?.metadata ?? {};
    if (after === undefined) remembered.delete(`${namespace}/${name}`);
    // The status that this controller writes is no reason to look again.
    if (before === undefined || before.metadata.generation !== generation) keys.add(`${namespace}/${name}`);
  });
}

function observe(
  { watches, options }: ClusterControlPlane,
  key: string,
  remembered: ReadonlyMap<string, readonly Recommendation[]>,
): AutoscalerSnapshot | undefined {
  const autoscaler = watches.of(autoscalers).get(key);
  if (autoscaler === undefined) return undefined;
  const { namespace = '' } = autoscaler.metadata;
  const { kind, name } = autoscaler.spec.scaleTargetRef;
  const type = scalableKinds.get(kind);
  const target = type && watches.of(type).get(`${namespace}/${name}`);
  const isItsOwn = labelSelectorPredicate(target?.spec.selector);
  return {
    autoscaler,
    target: target && { replicas: target.spec.replicas ?? 1 },
    pods: watches
      .of(pods)
      .by(indexByNamespace, namespace)
      .filter(({ metadata }) => isItsOwn(metadata.labels)),
    recommendations: remembered.get(key) ?? [],
    now: options.clock.now(),
  };
}

type AutoscalingDeps = {
  readonly client: KubernetesClient;
  readonly events: EventRecorder;
  readonly remembered: Map<string, readonly Recommendation[]>;
};

async function perform(
  { client, events, remembered }: AutoscalingDeps,
  action: AutoscalerAction,
  { autoscaler, now }: AutoscalerSnapshot,
): Promise<void> {
  const { namespace = '', name } = autoscaler.metadata;
  switch (action.kind) {
    case 'remember': {
      const key = `${namespace}/${name}`;
      const recent = (remembered.get(key) ?? []).filter(({ at }) => at > now - recommendationsKeptMs);
      remembered.set(key, [...recent, action.recommendation]);
      return;
    }
    case 'scale': {
      const { kind, name: target } = autoscaler.spec.scaleTargetRef;
      const type = scalableKinds.get(kind);
      if (type === undefined) return;
      const patch = { type: 'merge', patch: { spec: { replicas: action.replicas } } } as const;
      await unlessGone(client.patch(type, { namespace, name: target }, patch, { subresource: 'scale' }));
      const message = `New size: ${action.replicas}; reason: ${action.replicas > action.from ? 'resource metrics above target' : 'All metrics below target'}`;
      events.publish({ kind: autoscalers, about: autoscaler, type: 'Normal', reason: 'SuccessfulRescale', message });
      return;
    }
    case 'writeStatus':
      if (differsFromPatch(autoscaler.status, action.status)) await writeStatus(client, autoscaler, action.status);
  }
}

const writeStatus = (
  client: KubernetesClient,
  autoscaler: Autoscaler,
  status: NonNullable<Autoscaler['status']>,
): Promise<void> => patchStatus(client, autoscalers, autoscaler, status);
