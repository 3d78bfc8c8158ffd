import { mostBodyBytes } from '@nodewright/runtime';
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts';
import { WireError } from '../protobuf/wire.ts';
import { parseExactJson } from '../schema/exact-numbers.ts';
import { decodeWithinDepth, parseYamlWithinLimits, ShapeLimitError } from '../schema/depth.ts';
import { isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { jsonProblem } from './json-problem.ts';
import { badRequestError, tooLargeBodyError, unknownFormatError } from './status-error.ts';

export function checkBodySize(body: Uint8Array): void {
  if (body.byteLength > mostBodyBytes) throw tooLargeBodyError(mostBodyBytes);
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
    return decodeWithinDepth(body.byteLength, () => decodeProtobuf(body));
  } catch (error) {
    if (error instanceof ShapeLimitError) throw unrecognized(expected, error.message);
    if (error instanceof WireError) throw unrecognized(expected, error.message);
    throw error;
  }
}

const unrecognized = (expected: string, problem: string): Error =>
  badRequestError(`the object provided is unrecognized (must be of type ${expected}): ${problem}`);

const unreadableText = (expected: string, problem: string): Error =>
  unrecognized(expected, `couldn't get version/kind; ${problem}`);

function parseJsonBody(text: string, expected: string): JsonValue {
  try {
    return decodeWithinDepth(text.length, () => parseExactJson(text) as JsonValue);
  } catch (error) {
    if (error instanceof ShapeLimitError) throw unreadableText(expected, `json parse error: ${error.message}`);
    const problem = jsonProblem(text);
    throw unreadableText(expected, `json parse error: ${problem} (${excerpt(text)})`);
  }
}

function parseYamlBody(text: string, expected: string): JsonValue {
  try {
    return parseYamlWithinLimits(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw unreadableText(expected, `yaml parse error: ${problem}`);
  }
}

/** What an object says of its type are texts. */
function withTypeTexts(value: JsonObject, text: string, expected: string): JsonObject {
  for (const key of ['apiVersion', 'kind']) {
    const found = memberOf(value, key);
    if (found === undefined || found === null || typeof found === 'string') continue;
    const type = Array.isArray(found) ? 'array' : isObject(found) ? 'object' : goTypeOf(found);
    const problem = `json: cannot unmarshal ${type} into Go struct field .${key} of type string`;
    throw unreadableText(expected, `json parse error: ${problem} (${text})`);
  }
  return value;
}

const goObject =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function requireObject(value: JsonValue, text: string, expected: string): JsonObject {
  if (isObject(value)) return withTypeTexts(value, text, expected);
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : goTypeOf(value);
  const problem = `json: cannot unmarshal ${found} into Go value of type ${goObject}`;
  throw unreadableText(expected, `json parse error: ${problem} (${textAsHex(text)})`);
}

const goTypeOf = (value: string | number | boolean | JsonValue[]): string =>
  typeof value === 'boolean' ? 'bool' : typeof value;

const textAsHex = (text: string): string => Buffer.from(text).toString('hex');

const excerpt = (text: string): string => (text === '' ? '<empty>' : text);
