import { exactNumbersOf, withExactNumbers } from '../schema/exact-numbers.ts';
import { documentResponse, type HttpResponse } from '@nodewright/runtime';
import { listKindOf, type Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { type ListMetadata, partialMetadataList, partialMetadata } from '../http/partial-metadata.ts';
import { encodeText, formatJson, formatDocument, encodeJson } from '../http/encoding.ts';
import type { AnswerForm } from '../http/negotiation.ts';
import { switchingResponse } from '../streams/upgrade.ts';
import type { RequestOutcome } from './outcome.ts';
import { encodeWatch } from './watch-lines.ts';
import type { AnswerWriting } from './writing.ts';

/** Writes an outcome in the negotiated form. */
export function writeResponse(outcome: RequestOutcome, writing: AnswerWriting): HttpResponse {
  switch (outcome.kind) {
    case 'object':
      return isPlainJson(writing.form)
        ? objectResponse(outcome.code, outcome.object, () => `${encodeJson(outcome.object)}\n`)
        : textResponse(outcome.code, formatObject(outcome.object, outcome.resource, writing), writing.form);
    case 'list':
      return isPlainJson(writing.form)
        ? objectResponse(200, documentOfList(outcome), () => `${compactList(outcome)}\n`)
        : textResponse(200, formatList(outcome, writing), writing.form);
    case 'document':
      return textResponse(outcome.code, formatDocument(outcome.body, writing.form), writing.form);
    case 'watch':
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: encodeWatch(outcome.messages, outcome.resource, writing),
      };
    case 'text':
      return { status: 200, headers: { 'content-type': outcome.contentType }, body: encodeText(outcome.text) };
    case 'stream':
      return { status: 200, headers: { 'content-type': outcome.contentType }, body: outcome.chunks };
    case 'connection':
      return switchingResponse(outcome.headers, outcome.serve);
  }
}

/** Whole objects in compact JSON, the form that programs read. */
const isPlainJson = ({ as, syntax, isPretty }: AnswerForm): boolean =>
  as === 'object' && syntax === 'json' && !isPretty;

const objectResponse = (status: number, document: unknown, json: () => string): HttpResponse =>
  documentResponse(status, { 'content-type': 'application/json' }, { document, write: () => encodeText(json()) });

/** The list as a document. Its items are the stored objects and so contain their type. */
const documentOfList = ({ objects, metadata, resource }: ListOutcome): unknown => ({
  ...listHead(resource, metadata),
  items: objects,
});

const textResponse = (status: number, body: string, { syntax, isPretty }: AnswerForm): HttpResponse => ({
  status,
  headers: { 'content-type': syntax === 'yaml' ? 'application/yaml' : 'application/json' },
  body: encodeText(syntax === 'yaml' || isPretty ? body : `${body}\n`),
});

function formatObject(object: ApiObject, resource: Resource, { form, includeObject, tables }: AnswerWriting): string {
  switch (form.as) {
    case 'table':
      return formatDocument(
        withExactNumbers(tables.ofObject(resource, object, includeObject), exactNumbersOf(object)),
        form,
      );
    case 'metadata':
      return formatDocument(partialMetadata(object), form);
    case 'object':
      return formatDocument(object, form);
  }
}

type ListOutcome = Extract<RequestOutcome, { kind: 'list' }>;

function formatList(
  { objects, metadata, resource }: ListOutcome,
  { form, includeObject, tables }: AnswerWriting,
): string {
  const exact = objects.map(exactNumbersOf);
  switch (form.as) {
    case 'table':
      return formatDocument(
        withExactNumbers(tables.ofList(resource, objects, metadata, includeObject), ...exact),
        form,
      );
    case 'metadata':
      return formatDocument(partialMetadataList(objects, metadata), form);
    case 'object': {
      const list = { ...listHead(resource, metadata), items: objects.map(itemOf(resource)) };
      return formatDocument(withExactNumbers(list, ...exact), form);
    }
  }
}

const listHead = (resource: Resource, metadata: ListMetadata): Readonly<Record<string, unknown>> => ({
  kind: listKindOf(resource),
  apiVersion: groupVersion(resource),
  metadata,
});

/** Built-in kinds omit their type in list items. Custom kinds keep it. */
const itemOf =
  (resource: Resource) =>
  (object: ApiObject): object => {
    if (resource.custom !== undefined) return object;
    const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
    return item;
  };

/** Joins the texts of the items, so that a long list is not encoded again. */
function compactList({ objects, metadata, resource }: ListOutcome): string {
  const head = formatJson(listHead(resource, metadata), false).slice(0, -1);
  const items = objects.map((object) => (resource.custom === undefined ? untyped(object) : encodeJson(object)));
  return `${head},"items":[${items.join(',')}]}`;
}

function untyped(object: ApiObject): string {
  const json = encodeJson(object);
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
  if (json.startsWith(head)) return `{${json.slice(head.length)}`;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return formatJson(item, false);
}
