import { describe, expect, test } from 'vitest';
import { parseAccept } from './accept.ts';
import { includeObjectOf, negotiateForm } from './negotiation.ts';

const typesOf = (header: string | undefined): readonly string[] => parseAccept(header).map(({ type }) => type);

describe('what a client accepts', () => {
  test.each<readonly [string | undefined, readonly string[]]>([
    [undefined, ['*/*']],
    ['', ['*/*']],
    [' , ', ['*/*']],
    ['application/yaml, application/json', ['application/yaml', 'application/json']],
    ['Application/JSON', ['application/json']],
    ['application/json;q=0.5, application/yaml', ['application/yaml', 'application/json']],
    ['application/json;q=0.5, application/yaml;q=0.9', ['application/yaml', 'application/json']],
    ['*/*, application/*, application/yaml', ['application/yaml', 'application/*', '*/*']],
    ['*/*, application/yaml;q=0.9', ['*/*', 'application/yaml']],
    ['application/json;q=high, application/yaml', ['application/json', 'application/yaml']],
  ])('of %j is %j', (header, types) => expect(typesOf(header)).toEqual(types));

  test('has parameters with and without values', () => {
    expect(parseAccept('application/json;as=Table; v = v1 ;pretty')).toEqual([
      { type: 'application/json', parameters: { as: 'Table', v: 'v1', pretty: '' } },
    ]);
  });
});

type Want = { readonly list?: boolean; readonly watch?: boolean; readonly query?: string; readonly agent?: string };

const formFor = (
  accept: string | undefined,
  { list = false, watch = false, query = '', agent = 'kubectl' }: Want = {},
) =>
  negotiateForm(
    { ...(accept === undefined ? {} : { accept }), 'user-agent': agent },
    { isList: list, isWatch: watch, query: new URLSearchParams(query) },
  );
const json = { syntax: 'json', as: 'object', isPretty: false };
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

describe('the form of an answer', () => {
  test.each<readonly [string, string | undefined, Want, object]>([
    ['is JSON for whoever says nothing', undefined, {}, json],
    ['is JSON for whoever takes anything', 'text/html, */*', {}, json],
    ['is JSON for whoever asks for protobuf', 'application/vnd.kubernetes.protobuf', {}, json],
    ['is YAML when that comes first', 'application/yaml, application/json', {}, { ...json, syntax: 'yaml' }],
    ['is YAML when JSON is liked less', 'application/json;q=0.1, application/yaml', {}, { ...json, syntax: 'yaml' }],
    ['is JSON for a watch, also where YAML comes first', 'application/yaml, application/json', { watch: true }, json],
    ['is a table when one is asked for', `${table}, application/json`, { list: true }, { ...json, as: 'table' }],
    ['is a table of the older version', table.replace('v1', 'v1beta1'), {}, { ...json, as: 'table' }],
    ['is no table of an unknown version', `${table.replace('v1', 'v2')}, application/json`, {}, json],
    ['is no table of another group', `${table.replace('meta', 'other')}, application/json`, {}, json],
    ['is the metadata of an object', partial, {}, { ...json, as: 'metadata' }],
    ['is the metadata of a list', partialList, { list: true }, { ...json, as: 'metadata' }],
    ['is the metadata of each object of a watch', partial, { list: true, watch: true }, { ...json, as: 'metadata' }],
    ['is no list of metadata for one object', `${partialList}, application/json`, {}, json],
    ['is pretty for people', undefined, { agent: 'curl/8.0' }, { ...json, isPretty: true }],
    ['is pretty for browsers', undefined, { agent: 'Mozilla/5.0 (X11)' }, { ...json, isPretty: true }],
    ['is not pretty for people who say so', undefined, { agent: 'curl/8.0', query: 'pretty=false' }, json],
    ['is pretty when asked for', undefined, { query: 'pretty=true' }, { ...json, isPretty: true }],
    ['is pretty when asked for without a value', undefined, { query: 'pretty' }, { ...json, isPretty: true }],
  ])('%s', (_, accept, want, form) => expect(formFor(accept, want)).toEqual(form));

  const objectTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const watchTypes = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  test.each<readonly [string, string, Want, string]>([
    ['an unknown type', 'text/html', {}, `406: Not Acceptable\n\nAvailable representations: ${objectTypes}`],
    [
      'an unknown type of a list',
      'text/html',
      { list: true },
      `406: Not Acceptable\n\nAvailable representations: ${objectTypes}, ${watchTypes}`,
    ],
    ['a view that an object has not', partialList, {}, `only the following media types are accepted: ${objectTypes}`],
    [
      'YAML for a watch',
      'application/yaml',
      { watch: true },
      `only the following media types are accepted: ${watchTypes}`,
    ],
  ])('is refused for %s', (_, accept, want, message) => {
    expect(() => formFor(accept, want)).toThrow(expect.objectContaining({ code: 406, message }));
  });
});

describe('rows of a table', () => {
  test.each<readonly [string, string]>([
    ['', 'Metadata'],
    ['includeObject=', 'Metadata'],
    ['includeObject=Metadata', 'Metadata'],
    ['includeObject=Object', 'Object'],
    ['includeObject=None', 'None'],
  ])('with %j carry %s', (query, carried) => {
    expect(includeObjectOf(new URLSearchParams(query))).toBe(carried);
  });

  test('carry nothing else', () => {
    expect(() => includeObjectOf(new URLSearchParams('includeObject=All'))).toThrow(
      expect.objectContaining({
        code: 400,
        message: `Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
      }),
    );
  });
});
