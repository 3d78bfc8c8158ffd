import type { ApiObject } from '../storage/api-object.ts';

/** Members whose names differ between core/v1 and events.k8s.io/v1 events. */
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

/** Converts a stored core/v1 event to events.k8s.io/v1. */
export const newEventOf = (event: ApiObject): ApiObject =>
  dropUndefined(renameMembers(event, toNewer, 'events.k8s.io/v1'));

export const coreEventOf = (event: ApiObject): ApiObject => dropUndefined(renameMembers(event, toCore, 'v1'));
