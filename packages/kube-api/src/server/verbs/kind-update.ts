import { readOwn } from '@nodewright/apis';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { jsonObjectsIn, jsonTextsIn } from '../../builtin/validation/checks.ts';
import { isEqualJson, isObject, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import type { ObjectCall, ServerContext } from '../world.ts';
import {
  withDataSources,
  withoutKubeletSettings,
  withoutScheduling,
  withoutStrategy,
  withoutTopology,
} from './completed-on-create.ts';
import { withTimesOfTaints } from './kind-preparation.ts';
import { withField } from './object-writes.ts';
import { allocateService } from './service-allocation.ts';

type Versioned = { readonly before: ApiObject; readonly after: ApiObject };

/** Keeps or corrects the fields that the server owns when an object of some kinds changes. */
export function prepareForUpdate(
  world: ServerContext,
  { resource, path }: ObjectCall,
  { before, after }: Versioned,
): ApiObject {
  switch (resource.collection) {
    case 'namespaces':
      return path.subresource === 'finalize' ? after : withFinalizersOf(before, after);
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return path.subresource === '' ? withStorageVersion(after) : after;
    case 'nodes':
      return withoutKubeletSettings(after);
    case 'persistentvolumeclaims':
      return path.subresource === '' ? withDataSources(after, before) : after;
    case 'resourceslices.resource.k8s.io':
      return withTimesOfTaints(world, after);
    case 'csidrivers.storage.k8s.io':
      return withoutScheduling(after);
    case 'endpointslices.discovery.k8s.io':
      return withoutTopology(after, before);
    case 'persistentvolumes':
      return withPhaseTime(before, after);
    case 'pods':
      return withPartOfPod(path.subresource, before, after);
    case 'daemonsets.apps':
      return path.subresource === '' ? withTemplateGeneration(before, after) : after;
    case 'leases.coordination.k8s.io':
      return withoutStrategy(after);
    case 'services':
      return path.subresource === '' ? allocateService(world, after, before) : after;
    default:
      return after;
  }
}

/** The finalizers in a namespace's spec change through the finalize subresource only. */
function withFinalizersOf(before: ApiObject, after: ApiObject): ApiObject {
  return withField(after, 'spec', before['spec']);
}

/** The time of the last change of its phase stays with a volume. */
function withPhaseTime(before: ApiObject, after: ApiObject): ApiObject {
  const status = asJson(after)['status'];
  const time = memberOf(asJson(before)['status'], 'lastPhaseTransitionTime');
  if (!isObject(status) || time === undefined || memberOf(status, 'lastPhaseTransitionTime') !== undefined)
    return after;
  return asApiObject({ ...after, status: { ...status, lastPhaseTransitionTime: time } });
}

/** Objects are stored in the storage version from now on; those that are stored in others stay as they are. */
function withStorageVersion(definition: ApiObject): ApiObject {
  const { spec, status } = asJson(definition);
  const stored = jsonTextsIn(memberOf(status, 'storedVersions'));
  const storage = jsonObjectsIn(memberOf(spec, 'versions')).find((version) => version['storage'] === true);
  const name = jsonTextAt(storage, 'name');
  if (!isObject(status) || storage === undefined || stored.includes(name)) return definition;
  return asApiObject({ ...definition, status: { ...status, storedVersions: [...stored, name] } });
}

const templateCountAnnotation = 'deprecated.daemonset.template.generation';

/** The changes of the template of a daemon set are counted, in an annotation that clients do not change. */
function withTemplateGeneration(before: ApiObject, after: ApiObject): ApiObject {
  const template = (object: ApiObject) => memberOf(asJson(object)['spec'], 'template');
  const count = Number(before.metadata.annotations?.[templateCountAnnotation] ?? 0);
  const next = isEqualJson(template(before), template(after)) ? count : count + 1;
  const annotations = { ...after.metadata.annotations, [templateCountAnnotation]: String(next) };
  return changeMetadata(after, { annotations });
}

/** What a write to a subresource of a pod changes. The rest of the pod stays as it is. */
function withPartOfPod(subresource: string, before: ApiObject, after: ApiObject): ApiObject {
  switch (subresource) {
    case 'ephemeralcontainers':
      return withSpecOf(before, after, (kept, wanted) =>
        withMember(kept, 'ephemeralContainers', wanted['ephemeralContainers']),
      );
    case 'resize':
      return withSpecOf(before, after, (kept, wanted) =>
        ['containers', 'initContainers'].reduce((spec, list) => withResources(spec, wanted, list), kept),
      );
    case 'status':
      return withServiceClass(before, after);
    default:
      return after;
  }
}

/** A status without the class of service keeps the class. */
function withServiceClass(before: ApiObject, after: ApiObject): ApiObject {
  const [kept, status] = [asJson(before)['status'], asJson(after)['status']];
  const known = memberOf(kept, 'qosClass');
  if (known === undefined || (memberOf(status, 'qosClass') ?? '') !== '') return after;
  return asApiObject({ ...after, status: { ...(isObject(status) ? status : {}), qosClass: known } });
}

function withSpecOf(
  before: ApiObject,
  after: ApiObject,
  change: (kept: JsonObject, wanted: JsonObject) => JsonObject,
): ApiObject {
  const [kept, wanted] = [asJson(before)['spec'], asJson(after)['spec']];
  if (!isObject(kept) || !isObject(wanted)) return after;
  const { managedFields, resourceVersion } = after.metadata;
  const metadata = { ...before.metadata, managedFields, resourceVersion };
  return asApiObject({ ...before, metadata, spec: change(kept, wanted) });
}

const withMember = (object: JsonObject, key: string, value: JsonObject[string] | undefined): JsonObject =>
  value === undefined
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    : { ...object, [key]: value };

/** Takes the resources of the containers of the same name. */
function withResources(spec: JsonObject, wanted: JsonObject, list: string): JsonObject {
  const containers = readOwn(spec, list);
  const others = readOwn(wanted, list);
  if (!Array.isArray(containers) || !Array.isArray(others)) return spec;
  const changed = containers.map((container) => {
    const other = others.find((candidate) => memberOf(candidate, 'name') === memberOf(container, 'name'));
    return isObject(container) && isObject(other)
      ? withMember(withMember(container, 'resources', other['resources']), 'resizePolicy', other['resizePolicy'])
      : container;
  });
  return { ...spec, [list]: changed };
}
