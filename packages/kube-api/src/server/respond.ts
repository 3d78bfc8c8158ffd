import { documentResponse, type HttpResponse } from '@nodewright/runtime';
import { listKindOf, type Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { type ListMetadata, metadataListOf, metadataOf } from '../http/partial-metadata.ts';
import { bytesOf, documentJson, documentText, jsonOf } from '../http/encoding.ts';
import type { Form } from '../http/negotiation.ts';
import type { Outcome } from './outcome.ts';
import { watchLines } from './watch-lines.ts';
import type { Writing } from './writing.ts';

/** Writes an outcome in the form that was settled on. */
export function respond(outcome: Outcome, writing: Writing): HttpResponse {
  switch (outcome.kind) {
    case 'object':
      return isPlain(writing.form)
        ? known(outcome.code, outcome.object, () => `${jsonOf(outcome.object)}\n`)
        : text(outcome.code, objectText(outcome.object, outcome.resource, writing), writing.form);
    case 'list':
      return isPlain(writing.form)
        ? known(200, documentOfList(outcome), () => `${compactList(outcome)}\n`)
        : text(200, listText(outcome, writing), writing.form);
    case 'document':
      return text(outcome.code, documentText(outcome.body, writing.form), writing.form);
    case 'watch':
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: watchLines(outcome.messages, outcome.resource, writing),
      };
    case 'stream':
      return { status: 200, headers: { 'content-type': outcome.contentType }, body: outcome.chunks };
  }
}

/** Objects as they are, in JSON for programs. */
const isPlain = ({ as, syntax, isPretty }: Form): boolean => as === 'object' && syntax === 'json' && !isPretty;

const known = (status: number, document: unknown, json: () => string): HttpResponse =>
  documentResponse(status, { 'content-type': 'application/json' }, { document, write: () => bytesOf(json()) });

/** Its items say their type, as every client takes them: they are the objects that are stored. */
const documentOfList = ({ objects, metadata, resource }: List): unknown => ({
  ...listHead(resource, metadata),
  items: objects,
});

const text = (status: number, body: string, { syntax, isPretty }: Form): HttpResponse => ({
  status,
  headers: { 'content-type': syntax === 'yaml' ? 'application/yaml' : 'application/json' },
  body: bytesOf(syntax === 'yaml' || isPretty ? body : `${body}\n`),
});

function objectText(object: ApiObject, resource: Resource, { form, includeObject, tables }: Writing): string {
  switch (form.as) {
    case 'table':
      return documentText(tables.ofObject(resource, object, includeObject), form);
    case 'metadata':
      return documentText(metadataOf(object), form);
    case 'object':
      return documentText(object, form);
  }
}

type List = Extract<Outcome, { kind: 'list' }>;

function listText({ objects, metadata, resource }: List, { form, includeObject, tables }: Writing): string {
  switch (form.as) {
    case 'table':
      return documentText(tables.ofList(resource, objects, metadata, includeObject), form);
    case 'metadata':
      return documentText(metadataListOf(objects, metadata), form);
    case 'object':
      return documentText({ ...listHead(resource, metadata), items: objects.map(itemOf(resource)) }, form);
  }
}

const listHead = (resource: Resource, metadata: ListMetadata): Readonly<Record<string, unknown>> => ({
  kind: listKindOf(resource),
  apiVersion: groupVersion(resource),
  metadata,
});

/** Built-in kinds leave their type out of list items; custom ones keep it. */
const itemOf =
  (resource: Resource) =>
  (object: ApiObject): object => {
    if (resource.custom !== undefined) return object;
    const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
    return item;
  };

/** Joins what is already written, so that a long list costs no second encoding. */
function compactList({ objects, metadata, resource }: List): string {
  const head = documentJson(listHead(resource, metadata), false).slice(0, -1);
  const items = objects.map((object) => (resource.custom === undefined ? untyped(object) : jsonOf(object)));
  return `${head},"items":[${items.join(',')}]}`;
}

function untyped(object: ApiObject): string {
  const json = jsonOf(object);
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
  if (json.startsWith(head)) return `{${json.slice(head.length)}`;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return documentJson(item, false);
}
