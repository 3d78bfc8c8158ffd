import { toTimestamp } from '@nodewright/apis';
import { withNewPodStatus } from '../../builtin/new-pod-status.ts';
import { jobSelector } from '../../builtin/workload-defaults.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import { isObject } from '../../schema/json.ts';
import type { ServerContext } from '../world.ts';
import { allocateService } from './service-allocation.ts';

/** Adds what the server generates for new objects of some kinds and validates with the rest. No manager owns it. */
export const generatedOnCreate = ({ collection }: Resource, object: ApiObject): ApiObject =>
  collection === 'jobs.batch' ? asApiObject(jobSelector(asJson(object), object.metadata.uid ?? '')) : object;

/** Adds the fields that the server sets on new objects of some kinds after admission. No manager owns them. */
export function completedOnCreate(world: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'pods':
      return asApiObject(withNewPodStatus(asJson(object), toTimestamp(world.clock.now())));
    case 'namespaces':
      return newNamespace(object);
    case 'persistentvolumes':
      return { ...object, status: { phase: 'Pending', lastPhaseTransitionTime: toTimestamp(world.clock.now()) } };
    case 'volumeattributesclasses.storage.k8s.io':
      return withFinalizer(object, 'kubernetes.io/vac-protection');
    case 'services':
      return allocateService(world, object);
    case 'leases.coordination.k8s.io':
      return withoutStrategy(object);
    default:
      return object;
  }
}

/** Two members of a lease belong to a feature that is off. */
export function withoutStrategy(lease: ApiObject): ApiObject {
  const { spec } = asJson(lease);
  if (!isObject(spec)) return lease;
  const { strategy: _strategy, preferredHolder: _holder, ...kept } = spec;
  return { ...lease, spec: kept };
}

const namespaceNameLabel = 'kubernetes.io/metadata.name';

function newNamespace(object: ApiObject): ApiObject {
  const labels = { ...object.metadata.labels, [namespaceNameLabel]: object.metadata.name };
  const spec = object['spec'] as { readonly finalizers?: readonly string[] } | undefined;
  const finalizers = [...new Set([...(spec?.finalizers ?? []), 'kubernetes'])];
  return { ...changeMetadata(object, { labels }), spec: { ...spec, finalizers }, status: { phase: 'Active' } };
}

const withFinalizer = (object: ApiObject, finalizer: string): ApiObject =>
  changeMetadata(object, { finalizers: [...new Set([...(object.metadata.finalizers ?? []), finalizer])] });
