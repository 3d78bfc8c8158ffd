import type { Pod, TopologySpreadConstraint } from '@nodewright/apis';
import { defaultSpreadOf, podName, type DefaultSpreadConstraint, type WorkloadSelectors } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/**
 * How pods that state no spread of their own are spread, by `namespace/name`; who belongs to nothing is not listed.
 * @param others pods that are no objects
 */
export function defaultSpreadsOf(
  objects: Objects,
  others: readonly Pod[],
  constraints: readonly DefaultSpreadConstraint[],
): ReadonlyMap<string, readonly TopologySpreadConstraint[]> {
  const spreads = new Map<string, readonly TopologySpreadConstraint[]>();
  if (constraints.length === 0) return spreads;
  for (const pod of [...objects.pods.list(), ...others]) {
    const spread = defaultSpreadOf(pod, constraints, selectorsAround(pod, objects));
    if (spread !== undefined) spreads.set(podName(pod), spread);
  }
  return spreads;
}

/** An owner that is not there says nothing. */
function selectorsAround({ metadata }: Pod, objects: Objects): WorkloadSelectors {
  const namespace = metadata.namespace ?? 'default';
  const services = objects.services.by('namespace', namespace);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return { services };
  switch (`${owner.apiVersion} ${owner.kind}`) {
    case 'v1 ReplicationController': {
      const labels = objects.replicationControllers.get(owner.name, namespace)?.spec?.selector;
      return { services, ...(labels === undefined ? {} : { replicationController: labels }) };
    }
    case 'apps/v1 ReplicaSet':
      return withReplicas(services, objects.replicaSets.get(owner.name, namespace));
    case 'apps/v1 StatefulSet':
      return withReplicas(services, objects.statefulSets.get(owner.name, namespace));
    default:
      return { services };
  }
}

type Selecting = { readonly spec: { readonly selector: NonNullable<WorkloadSelectors['replicas']> } };

const withReplicas = (services: WorkloadSelectors['services'], set: Selecting | undefined): WorkloadSelectors =>
  set === undefined ? { services } : { services, replicas: set.spec.selector };
