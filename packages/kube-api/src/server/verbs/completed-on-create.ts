import { toTimestamp } from '@nodewright/apis';
import { withNewPodStatus } from '../../builtin/new-pod-status.ts';
import { jobSelector } from '../../builtin/workload-defaults.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import { isEqualJson, isObject, jsonTextAt, type JsonValue, memberOf } from '../../schema/json.ts';
import type { ServerContext } from '../world.ts';
import { allocateService } from './service-allocation.ts';

/** What the server generates, copies or drops in new objects of some kinds before it validates. No manager owns it. */
export function generatedOnCreate({ collection }: Resource, object: ApiObject): ApiObject {
  switch (collection) {
    case 'jobs.batch':
      return asApiObject(jobSelector(asJson(object), object.metadata.uid ?? ''));
    case 'leases.coordination.k8s.io':
      return withoutStrategy(object);
    case 'csidrivers.storage.k8s.io':
      return withoutScheduling(object);
    case 'endpointslices.discovery.k8s.io':
      return withoutTopology(object);
    case 'nodes':
      return withoutKubeletSettings(object);
    case 'persistentvolumeclaims':
      return withDataSources(object);
    default:
      return object;
  }
}

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
    default:
      return object;
  }
}

/**
 * A claim is filled from another claim or a snapshot. One of the two members that say so is copied to the other. A source of
 * another kind, or of another namespace, is dropped.
 */
export function withDataSources(claim: ApiObject, before?: ApiObject): ApiObject {
  const { spec } = asJson(claim);
  if (!isObject(spec)) return claim;
  const old = before && asJson(before)['spec'];
  const { dataSource: given, dataSourceRef: referred, ...kept } = spec;
  const isOldKept = memberOf(old, 'dataSource') !== undefined;
  const source = isOldKept || isKnownDataSource(given) ? given : undefined;
  const isElsewhere = jsonTextAt(referred, 'namespace') !== '' && memberOf(old, 'dataSourceRef') === undefined;
  const reference = isElsewhere ? undefined : referred;
  const copied = source ?? (jsonTextAt(reference, 'namespace') === '' ? withoutPlace(reference) : undefined);
  return {
    ...claim,
    spec: {
      ...kept,
      ...(copied !== undefined && { dataSource: copied }),
      ...((reference ?? source) !== undefined && { dataSourceRef: reference ?? source }),
    },
  };
}

function withoutPlace(reference: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(reference)) return reference;
  const { namespace: _empty, ...source } = reference;
  return source;
}

/** One member of a driver belongs to a feature that is off. */
export function withoutScheduling(driver: ApiObject): ApiObject {
  const { spec } = asJson(driver);
  if (!isObject(spec) || spec['preventPodSchedulingIfMissing'] === undefined) return driver;
  const { preventPodSchedulingIfMissing: _off, ...kept } = spec;
  return { ...driver, spec: kept };
}

/** Where an endpoint is, in the words of an older version, stays as it was. */
export function withoutTopology(slice: ApiObject, before?: ApiObject): ApiObject {
  const { endpoints } = asJson(slice);
  if (!Array.isArray(endpoints) || endpoints.every((each) => memberOf(each, 'deprecatedTopology') === undefined))
    return slice;
  if (before !== undefined && isEqualJson(endpoints, asJson(before)['endpoints'] ?? null)) return slice;
  const plain = endpoints.map((each) => {
    if (!isObject(each)) return each;
    const { deprecatedTopology: _old, ...kept } = each;
    return kept;
  });
  return asApiObject({ ...asJson(slice), endpoints: plain });
}

function isKnownDataSource(source: JsonValue | undefined): boolean {
  const [group, kind] = [jsonTextAt(source, 'apiGroup'), jsonTextAt(source, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}

/** Kubelets no longer get their configuration from the object of their node. */
export function withoutKubeletSettings(node: ApiObject): ApiObject {
  const { spec, status } = asJson(node);
  const isConfigured = isObject(spec) && spec['configSource'] !== undefined;
  const tellsConfiguration = isObject(status) && status['config'] !== undefined;
  if (!isConfigured && !tellsConfiguration) return node;
  const without = (part: JsonValue | undefined, dropped: string): JsonValue =>
    Object.fromEntries(Object.entries(isObject(part) ? part : {}).filter(([key]) => key !== dropped));
  return asApiObject({ ...node, spec: without(spec, 'configSource'), status: without(status, 'config') });
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
