import type { DaemonSet, Deployment, KubernetesObject, Pod, ReplicaSet, StatefulSet } from '@nodewright/apis';
import { controllerOf } from '../../objects/ownership.ts';

/** Finds the controllers of pods, and the controllers of those, by `namespace/name`. */
export type ControllerLookup = {
  readonly deployment: (key: string) => Deployment | undefined;
  readonly replicaSet: (key: string) => ReplicaSet | undefined;
  readonly statefulSet: (key: string) => StatefulSet | undefined;
  readonly daemonSet: (key: string) => DaemonSet | undefined;
};

/** How many pods the controllers of the given pods want together. A pod without a controller counts as one. */
export function countExpectedPods(pods: readonly Pod[], lookup: ControllerLookup): number {
  const counts = new Map(pods.map((pod) => readScale(pod, lookup)));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

type ControllerScale = readonly [uid: string, count: number];

function readScale(pod: Pod, lookup: ControllerLookup): ControllerScale {
  const alone: ControllerScale = [pod.metadata.uid ?? '', 1];
  const controller = controllerOf(pod);
  const key = `${pod.metadata.namespace}/${controller?.name}`;
  switch (controller?.kind) {
    case 'DaemonSet':
      return [controller.uid, lookup.daemonSet(key)?.status?.desiredNumberScheduled ?? 0];
    case 'StatefulSet':
      return scaleOf(lookup.statefulSet(key)) ?? alone;
    case 'ReplicaSet': {
      const set = lookup.replicaSet(key);
      return scaleOf(set && deploymentOf(set, lookup)) ?? scaleOf(set) ?? alone;
    }
    default:
      return alone;
  }
}

function deploymentOf(set: ReplicaSet, lookup: ControllerLookup): Deployment | undefined {
  const owner = controllerOf(set);
  return owner?.kind === 'Deployment' ? lookup.deployment(`${set.metadata.namespace}/${owner.name}`) : undefined;
}

type Scalable = KubernetesObject & { readonly spec: { readonly replicas?: number } };

const scaleOf = (object: Scalable | undefined): ControllerScale | undefined =>
  object && [object.metadata.uid ?? '', object.spec.replicas ?? 1];
