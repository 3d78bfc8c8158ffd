import { type Cause, invalid, required } from '../../schema/cause.ts';
import { type JsonObject, textAt } from '../../schema/json.ts';

/** What is wrong with an event of the core group. Its namespace is that of what it is about. */
export function eventCauses(object: JsonObject): Cause[] {
  const about = textAt(object, 'involvedObject', 'namespace');
  return about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about);
}

/** What is wrong with an event of `events.k8s.io`; its causes carry the names of the core group. */
export function newEventCauses(object: JsonObject): Cause[] {
  const about = textAt(object, 'regarding', 'namespace');
  const type = textAt(object, 'type');
  return [
    ...(about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about)),
    ...(textAt(object, 'eventTime') === '' ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
  ];
}

const namespaceMismatch = (object: JsonObject, about: string): Cause[] =>
  about === textAt(object, 'metadata', 'namespace')
    ? []
    : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];

/** Events about objects without a namespace are kept in `default`. */
const namespaceOfCluster = (object: JsonObject, about: string): Cause[] =>
  ['default', 'kube-system', ''].includes(textAt(object, 'metadata', 'namespace'))
    ? []
    : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
