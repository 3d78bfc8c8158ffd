import type { ApiObject } from '../storage/api-object.ts';

/** Members of a core/v1 Event and what they are called in events.k8s.io/v1, where the two differ. */
const eventMembers: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

const toNewer: ReadonlyMap<string, string> = new Map(eventMembers);
const toCore: ReadonlyMap<string, string> = new Map(eventMembers.map(([core, newer]) => [newer, core]));

const renameMembers = (object: ApiObject, map: ReadonlyMap<string, string>, apiVersion: string): ApiObject => ({
  ...object,
  ...Object.fromEntries([...map.keys()].map((name) => [name, undefined])),
  ...Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (map.has(name) ? [[map.get(name) ?? name, value]] : [])),
  ),
  apiVersion,
});

const dropUndefined = (object: ApiObject): ApiObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as ApiObject;

/** Events are stored as core/v1; this is how the events.k8s.io group shows them. */
export const newEventOf = (event: ApiObject): ApiObject =>
  dropUndefined(renameMembers(event, toNewer, 'events.k8s.io/v1'));

export const coreEventOf = (event: ApiObject): ApiObject => dropUndefined(renameMembers(event, toCore, 'v1'));
