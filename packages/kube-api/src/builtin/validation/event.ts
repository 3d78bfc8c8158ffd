import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { validateNamed } from './checks.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';

/** The problems of a core/v1 event. Its namespace must be the namespace of the object it describes. */
export function eventCauses(object: JsonObject): Cause[] {
  const about = jsonTextAt(object, 'involvedObject', 'namespace');
  return about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about);
}

/** The problems of an `events.k8s.io` event. The causes name the fields of the core group. */
export function newEventCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const about = jsonTextAt(object, 'regarding', 'namespace');
  const type = jsonTextAt(object, 'type');
  return [
    ...(about === '' ? namespaceOfCluster(object, about) : namespaceMismatch(object, about)),
    ...(jsonTextAt(object, 'eventTime') === '' && old === undefined ? [requiredCause('eventTime')] : []),
    ...(old === undefined
      ? // Without its time, nobody takes it for an event of the newer form.
        jsonTextAt(object, 'eventTime') === ''
        ? []
        : newerMemberCauses(object)
      : eventChangeCauses(object, old)),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidCause('type', '', `has invalid value: ${type}`)]),
  ];
}

/** The members of the old form, as they are called inside a server. */
const olderMembers: readonly (readonly [member: string, printed: string, empty: JsonValue])[] = [
  ['deprecatedFirstTimestamp', 'firstTimestamp', ''],
  ['deprecatedLastTimestamp', 'lastTimestamp', ''],
  ['deprecatedCount', 'count', 0],
];

/** How long the texts of an event may be. */
const longestTexts: readonly (readonly [member: string, printed: string, most: number])[] = [
  ['reportingInstance', 'reportingInstance', 128],
  ['action', 'action', 128],
  ['reason', 'reason', 128],
  ['note', 'message', 1024],
];

function newerMemberCauses(object: JsonObject): Cause[] {
  const source = object['deprecatedSource'];
  return [
    ...reportingCauses(jsonTextAt(object, 'reportingController')),
    ...longestTexts
      .filter(([member, , most]) => jsonTextAt(object, member).length > most)
      .map(([, printed, most]) => invalidCause(printed, '', `can have at most ${most} characters`)),
    ...['reportingController', 'reportingInstance', 'action', 'reason'].flatMap((key) =>
      jsonTextAt(object, key) === '' ? [requiredCause(key)] : [],
    ),
    ...olderMembers.flatMap(([member, printed, empty]) => {
      const value = memberOf(object, member);
      return value === undefined || value === null || value === 0
        ? []
        : [invalidCause(printed, empty, 'needs to be unset')];
    }),
    ...(isObject(source) && Object.keys(source).length > 0 ? [invalidCause('source', '', 'needs to be unset')] : []),
  ];
}

const reportingCauses = (controller: string): Cause[] =>
  controller === '' ? [] : validateNamed('reportingController', controller, validateQualifiedName);

/** Of an event of the newer form, only the series changes. */
function eventChangeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const fixed = [
    ['regarding', 'involvedObject'],
    ['reason', 'reason'],
    ['note', 'message'],
    ['type', 'type'],
    ['eventTime', 'eventTime'],
    ['action', 'action'],
    ['related', 'related'],
    ['reportingController', 'reportingController'],
    ['reportingInstance', 'reportingInstance'],
    ['deprecatedFirstTimestamp', 'firstTimestamp'],
    ['deprecatedLastTimestamp', 'lastTimestamp'],
    ['deprecatedCount', 'count'],
    ['deprecatedSource', 'source'],
  ] as const;
  return fixed
    .filter(([member]) => !isEqualJson(memberOf(old, member), memberOf(object, member)))
    .map(([member, printed]) => invalidCause(printed, memberOf(object, member) ?? null, 'field is immutable'));
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
