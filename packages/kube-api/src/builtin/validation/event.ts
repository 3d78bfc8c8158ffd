import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt } from '../../schema/json.ts';

/** The problems of a core/v1 event. Its namespace must be the namespace of the object it describes. */
export function eventCauses(object: JsonObject): Cause[] {
  const about = jsonTextAt(object, 'involvedObject', 'namespace');
  return about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about);
}

/** The problems of an `events.k8s.io` event. The causes name the fields of the core group. */
export function newEventCauses(object: JsonObject): Cause[] {
  const about = jsonTextAt(object, 'regarding', 'namespace');
  const type = jsonTextAt(object, 'type');
  return [
    ...(about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about)),
    ...(jsonTextAt(object, 'eventTime') === '' ? [requiredCause('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidCause('type', '', `has invalid value: ${type}`)]),
  ];
}

const namespaceMismatch = (object: JsonObject, about: string): Cause[] =>
  about === jsonTextAt(object, 'metadata', 'namespace')
    ? []
    : [invalidCause('involvedObject.namespace', about, 'does not match event.namespace')];

/** Events about cluster-scoped objects are in the namespace `default`. */
const namespaceOfCluster = (object: JsonObject, about: string): Cause[] =>
  ['default', 'kube-system', ''].includes(jsonTextAt(object, 'metadata', 'namespace'))
    ? []
    : [invalidCause('involvedObject.namespace', about, 'does not match event.namespace')];
