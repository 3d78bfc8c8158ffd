import { mostBodyBytes } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { checkBodySize, decodeObject, mediaTypeOf } from './request-body.ts';
import { isWrittenAsFloat } from './written-number.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const refusalOf = (text: string, contentType?: string): unknown => {
  try {
    return decodeObject(bytes(text), contentType, 'pods');
  } catch (error) {
    const { code, message } = error as { readonly code: number; readonly message: string };
    return `${code} ${message}`;
  }
};
const goObject =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const unrecognized = "400 the object provided is unrecognized (must be of type pods): couldn't get version/kind; ";

describe('an object is read', () => {
  test.each<readonly [string | undefined, string]>([
    [undefined, '{"kind":"Pod"}'],
    ['', '{"kind":"Pod"}'],
    ['application/json', ' {"kind":"Pod"} '],
    ['application/json; charset=utf-8', '{"kind":"Pod"}'],
    ['application/yaml', 'kind: Pod\n'],
    ['application/yaml', '{"kind":"Pod"}'],
  ])('of type %s: %s', (contentType, text) => {
    expect(decodeObject(bytes(text), contentType, 'pods')).toEqual({ kind: 'Pod' });
  });

  test('from a part of a larger buffer', () => {
    const all = bytes('xx{"kind":"Pod"}yy');
    expect(decodeObject(all.subarray(2, -2), 'application/json', 'pods')).toEqual({ kind: 'Pod' });
  });
});

describe('a body is refused in the words of a real server', () => {
  test.each<readonly [string, string]>([
    ['', `${unrecognized}json parse error: unexpected end of JSON input (<empty>)`],
    ['{"kind":', `${unrecognized}json parse error: unexpected end of JSON input ({"kind":)`],
    ['{"kind":}', `${unrecognized}json parse error: invalid character '}' looking for beginning of value ({"kind":})`],
    [
      '{kind:1}',
      `${unrecognized}json parse error: invalid character 'k' looking for beginning of object key string ({kind:1})`,
    ],
    ['[]', `${unrecognized}json parse error: json: cannot unmarshal array into Go value of type ${goObject} (5b5d)`],
    [
      '"a"',
      `${unrecognized}json parse error: json: cannot unmarshal string into Go value of type ${goObject} (226122)`,
    ],
    ['7', `${unrecognized}json parse error: json: cannot unmarshal number into Go value of type ${goObject} (37)`],
    [
      'true',
      `${unrecognized}json parse error: json: cannot unmarshal bool into Go value of type ${goObject} (74727565)`,
    ],
  ])('%j', (text, refusal) => expect(refusalOf(text, 'application/json')).toBe(refusal));

  test('YAML that is none', () => {
    expect(refusalOf('a: [', 'application/yaml')).toContain(`${unrecognized}yaml parse error: `);
  });

  test('a type that no object has', () => {
    expect(refusalOf('{}', 'text/plain')).toBe(
      '415 the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  });

  test('protobuf without its magic', () => {
    expect(refusalOf('{}', 'application/vnd.kubernetes.protobuf')).toMatch(
      /^400 the object provided is unrecognized \(must be of type pods\): /,
    );
  });

  test('JSON that is nested too deeply', () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(refusalOf(deep, 'application/json')).toMatch(/^400 .*json parse error: .*deep|nest|depth/);
  });

  test('a body above the limit', () => {
    expect(() => checkBodySize(new Uint8Array(mostBodyBytes))).not.toThrow();
    expect(() => checkBodySize(new Uint8Array(mostBodyBytes + 1))).toThrow(
      expect.objectContaining({ code: 413, message: `Request entity too large: limit is ${mostBodyBytes}` }),
    );
  });
});

test('a media type has no parameters', () => {
  expect([undefined, 'a/b', 'a/b;c=d', ' a/b ; c=d'].map(mediaTypeOf)).toEqual(['', 'a/b', 'a/b', 'a/b']);
});

describe('a number is written as a float', () => {
  const replicas = (written: string): string => `{"spec":{"text":"1.5 \\" 2","replicas":${written}}}`;
  test.each<readonly [string, string | undefined, boolean]>([
    [replicas('2'), undefined, false],
    [replicas('2.0'), undefined, true],
    [replicas('2e0'), 'application/json', true],
    [replicas('-2E+1'), 'application/merge-patch+json', true],
    [replicas('"2.0"'), undefined, true],
    [replicas('"two.x"'), undefined, false],
    [replicas('2.0'), 'application/yaml', false],
    ['{"spec":{"other":2.0}}', undefined, false],
    ['[{"op":"replace","path":"/spec/replicas","value":2.0}]', 'application/json-patch+json', true],
    ['[{"op":"replace","path":"/spec/replicas","value":2}]', 'application/json-patch+json', false],
    [
      '[{"op":"replace","path":"/spec/replicas","value":2.0},{"op":"replace","path":"/spec/replicas","value":3}]',
      'application/json-patch+json',
      false,
    ],
    ['{"path":"/spec/replicas","value":2.0}', 'application/json-patch+json', false],
  ])('%s of type %s: %s', (text, contentType, isFloat) => {
    const headers: Readonly<Record<string, string>> = contentType === undefined ? {} : { 'content-type': contentType };
    expect(isWrittenAsFloat({ body: bytes(text), headers }, '.spec.replicas')).toBe(isFloat);
  });
});
