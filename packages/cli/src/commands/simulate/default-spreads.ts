import type { KubernetesObject, LabelSelector, Pod, Service, TopologySpreadConstraint } from '@nodewright/apis';
import { type DefaultSpreadConstraint, defaultSpreadOf, podName } from '@nodewright/engine';

type Owner = KubernetesObject & {
  readonly spec?: { readonly selector?: LabelSelector | Readonly<Record<string, string>> };
};

/** How pods that state no spread of their own are spread by default, by pod. A Deployment stands for its ReplicaSet. */
export function defaultSpreadsIn(
  objects: readonly KubernetesObject[],
  pods: readonly Pod[],
  constraints: readonly DefaultSpreadConstraint[],
): ReadonlyMap<string, readonly TopologySpreadConstraint[]> {
  if (constraints.length === 0) return new Map();
  const services = objects.filter(({ kind }) => kind === 'Service') as unknown as readonly Service[];
  return new Map(
    pods.flatMap((pod) => {
      const namespace = pod.metadata.namespace ?? 'default';
      const around = {
        services: services.filter(({ metadata }) => (metadata.namespace ?? 'default') === namespace),
        ...selectorOfOwner(findOwner(pod, objects)),
      };
      const spread = defaultSpreadOf(pod, constraints, around);
      return spread === undefined ? [] : [[podName(pod), spread] as const];
    }),
  );
}

function findOwner({ metadata }: Pod, objects: readonly KubernetesObject[]): Owner | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return objects.find(
    (object) =>
      object.kind === owner?.kind &&
      object.metadata.name === owner?.name &&
      (object.metadata.namespace ?? 'default') === (metadata.namespace ?? 'default'),
  );
}

function selectorOfOwner(owner: Owner | undefined) {
  const selector = owner?.spec?.selector;
  switch (owner?.kind) {
    case 'ReplicationController':
      return selector === undefined ? {} : { replicationController: selector as Readonly<Record<string, string>> };
    case 'Deployment':
    case 'ReplicaSet':
    case 'StatefulSet':
      return selector === undefined ? {} : { replicas: selector as LabelSelector };
    default:
      return {};
  }
}
