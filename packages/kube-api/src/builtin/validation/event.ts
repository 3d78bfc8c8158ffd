import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { validateNamed } from './checks.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';

/** How a version of events calls the members that both have. */
type EventForm = {
  readonly about: string;
  readonly text: string;
  readonly reporter: string;
};

const coreForm: EventForm = { about: 'involvedObject', text: 'message', reporter: 'reportingComponent' };
const newForm: EventForm = { about: 'regarding', text: 'note', reporter: 'reportingController' };

/** The problems of a core/v1 event. */
export const eventCauses = (object: JsonObject): Cause[] => timedEventCauses(object, coreForm);

/** The problems of an `events.k8s.io` event. The causes name the fields of the core group. */
export function newEventCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const type = jsonTextAt(object, 'type');
  const isSeriesKept = old !== undefined && isEqualJson(memberOf(old, 'series'), memberOf(object, 'series'));
  return [
    ...timedEventCauses(object, newForm),
    ...(isSeriesKept ? [] : seriesCauses(object['series'])),
    ...(old === undefined ? olderMemberCauses(object) : eventChangeCauses(object, old)),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidCause('type', '', `has invalid value: ${type}`)]),
  ];
}

/** An event with a time says who reports what. One without it belongs to the namespace of its object. */
function timedEventCauses(object: JsonObject, form: EventForm): Cause[] {
  const about = jsonTextAt(object, form.about, 'namespace');
  const namespace = jsonTextAt(object, 'metadata', 'namespace');
  const isTimed = jsonTextAt(object, 'eventTime') !== '';
  const ofCluster = isTimed ? ['default', 'kube-system', ''] : ['default', ''];
  const isPlaced = about === '' ? ofCluster.includes(namespace) : isTimed || about === namespace;
  return [
    ...(isPlaced ? [] : [invalidCause('involvedObject.namespace', about, 'does not match event.namespace')]),
    ...(isTimed ? reportCauses(object, form) : []),
  ];
}

const longestEventText = 128;
const longestNote = 1024;

function reportCauses(object: JsonObject, form: EventForm): Cause[] {
  const reporter = jsonTextAt(object, form.reporter);
  return [
    ...(reporter === '' ? [requiredCause(form.reporter)] : []),
    ...validateNamed(form.reporter, reporter, validateQualifiedName),
    ...['reportingInstance', 'action', 'reason'].flatMap((key) =>
      jsonTextAt(object, key) === ''
        ? [requiredCause(key)]
        : longTextCauses(key, jsonTextAt(object, key), longestEventText),
    ),
    ...longTextCauses('message', jsonTextAt(object, form.text), longestNote),
  ];
}

const longTextCauses = (field: string, text: string, most: number): Cause[] =>
  text.length > most ? [invalidCause(field, '', `can have at most ${most} characters`)] : [];

const leastInSeries = 2;

function seriesCauses(series: JsonValue | undefined): Cause[] {
  if (!isObject(series)) return [];
  const { count = 0 } = series;
  return [
    ...(typeof count === 'number' && count < leastInSeries
      ? [invalidCause('series.count', '', `should be at least ${leastInSeries}`)]
      : []),
    ...(jsonTextAt(series, 'lastObservedTime') === '' ? [requiredCause('series.lastObservedTime')] : []),
  ];
}

/** The members of the old form, as they are called inside a server. */
const olderMembers: readonly (readonly [member: string, printed: string, empty: JsonValue])[] = [
  ['deprecatedFirstTimestamp', 'firstTimestamp', ''],
  ['deprecatedLastTimestamp', 'lastTimestamp', ''],
  ['deprecatedCount', 'count', 0],
];

/** A new event has a time, and none of the members of the old form. */
function olderMemberCauses(object: JsonObject): Cause[] {
  const source = object['deprecatedSource'];
  return [
    ...(jsonTextAt(object, 'eventTime') === '' ? [requiredCause('eventTime')] : []),
    ...olderMembers.flatMap(([member, printed, empty]) => {
      const value = memberOf(object, member);
      return value === undefined || value === null || value === 0
        ? []
        : [invalidCause(printed, empty, 'needs to be unset')];
    }),
    ...(isObject(source) && Object.keys(source).length > 0 ? [invalidCause('source', '', 'needs to be unset')] : []),
  ];
}

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
