import { parse as parseYaml } from 'yaml';
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts';
import { WireError } from '../protobuf/wire.ts';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';
import { badRequestError, tooLargeBodyError, unknownFormatError } from './status-error.ts';

/** The size limit of a body, in bytes. */
const bodyLimitBytes = 3 * 1024 * 1024;

export function checkBodySize(body: Uint8Array): void {
  if (body.byteLength > bodyLimitBytes) throw tooLargeBodyError(bodyLimitBytes);
}

export const mediaTypeOf = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim() ?? '';

/** Decodes the object of a create or an update by its content type. `expected` is the kind of the path. */
export function decodeObject(body: Uint8Array, contentType: string | undefined, expected: string): JsonObject {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  switch (mediaTypeOf(contentType)) {
    case '':
    case 'application/json':
      return requireObject(parseJsonBody(text, expected), text, expected);
    case 'application/yaml':
      return requireObject(parseYamlBody(text, expected), text, expected);
    case 'application/vnd.kubernetes.protobuf':
      return readProtobuf(body, expected);
    default:
      throw unknownFormatError('application/json, application/yaml, application/vnd.kubernetes.protobuf');
  }
}

function readProtobuf(body: Uint8Array, expected: string): JsonObject {
  try {
    return decodeProtobuf(body);
  } catch (error) {
    if (error instanceof WireError) throw unrecognized(expected, error.message);
    throw error;
  }
}

const unrecognized = (expected: string, problem: string): Error =>
  badRequestError(`the object provided is unrecognized (must be of type ${expected}): ${problem}`);

function parseJsonBody(text: string, expected: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const problem = jsonProblem(text, error);
    throw unrecognized(expected, `couldn't get version/kind; json parse error: ${problem} (${excerpt(text)})`);
  }
}

function parseYamlBody(text: string, expected: string): JsonValue {
  try {
    return parseYaml(text, { version: '1.1' }) as JsonValue;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw unrecognized(expected, `couldn't get version/kind; yaml parse error: ${problem}`);
  }
}

const goObject =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function requireObject(value: JsonValue, text: string, expected: string): JsonObject {
  if (isObject(value)) return value;
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : goTypeOf(value);
  const problem = `json: cannot unmarshal ${found} into Go value of type ${goObject}`;
  throw unrecognized(expected, `couldn't get version/kind; json parse error: ${problem} (${textAsHex(text)})`);
}

const goTypeOf = (value: string | number | boolean | JsonValue[]): string =>
  typeof value === 'boolean' ? 'bool' : typeof value;

const textAsHex = (text: string): string => Buffer.from(text).toString('hex');

const excerpt = (text: string): string => (text === '' ? '<empty>' : text);

/** Go's message for the first error in a JSON text. */
export function jsonProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  const found = text.at(position);
  if (found === undefined || /Unexpected end/.test(message)) return 'unexpected end of JSON input';
  const before = text.slice(0, position).trimEnd();
  if (before === '' || before.endsWith(':')) return `invalid character '${found}' looking for beginning of value`;
  if (before.endsWith('{') || before.endsWith(',')) {
    return `invalid character '${found}' looking for beginning of object key string`;
  }
  return `invalid character '${found}' after top-level value`;
}
