import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt } from '../../schema/json.ts';

/** What is wrong with an event of the core group. Its namespace is that of what it is about. */
export function eventCauses(object: JsonObject): Cause[] {
  const about = jsonTextAt(object, 'involvedObject', 'namespace');
  return about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about);
}

/** What is wrong with an event of `events.k8s.io`; its causes carry the names of the core group. */
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

/** Events about objects without a namespace are kept in `default`. */
const namespaceOfCluster = (object: JsonObject, about: string): Cause[] =>
  ['default', 'kube-system', ''].includes(jsonTextAt(object, 'metadata', 'namespace'))
    ? []
    : [invalidCause('involvedObject.namespace', about, 'does not match event.namespace')];
