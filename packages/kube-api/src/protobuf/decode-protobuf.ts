import { readOwn, writeOwn } from '@nodewright/apis';
import type { JsonValue, JsonObject } from '../schema/json.ts';
import { messageFields, type MessageField, findMessage } from './messages.ts';
import { type WireField, WireError, wireFields } from './wire.ts';

const magic = [0x6b, 0x38, 0x73, 0x00];

/**
 * Decodes an object that a client sends as `application/vnd.kubernetes.protobuf`. Zero values are left out, because
 * clients write most of them whether they are set or not.
 * @throws WireError for bytes without the API's prefix, a kind that is not built in, or a broken message
 */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  if (!magic.every((byte, index) => bytes[index] === byte)) {
    throw new WireError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = wireFields(bytes.subarray(magic.length));
  const [apiVersion, kind] = typeMetaOf(envelope);
  const message = findMessage(apiVersion, kind);
  if (message === undefined)
    throw new WireError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  return { apiVersion, kind, ...decodeMessage(message, lastBytes(envelope, 2)) };
}

function typeMetaOf(envelope: readonly WireField[]): [apiVersion: string, kind: string] {
  const fields = wireFields(lastBytes(envelope, 1));
  return [decodeText(lastBytes(fields, 1)), decodeText(lastBytes(fields, 2))];
}

function lastBytes(fields: readonly WireField[], number: number): Uint8Array {
  const found = fields.find((field) => field.number === number)?.value;
  return found instanceof Uint8Array ? found : new Uint8Array();
}

const decoder = new TextDecoder();
const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

function decodeMessage(message: string, bytes: Uint8Array): JsonObject {
  const known = new Map((messageFields(message) ?? []).map((field) => [field[0], field]));
  const result: JsonObject = {};
  for (const { number, value } of wireFields(bytes)) {
    const field = known.get(number);
    if (field !== undefined) addField(result, field, value);
  }
  return result;
}

function addField(result: JsonObject, [, name, type, shape]: MessageField, value: WireField['value']): void {
  if (shape === 'map') addEntry(result, { name, type }, value);
  else if (shape === 'inline') {
    for (const [key, inner] of Object.entries(decodeMessage(type, asBytes(value)))) writeOwn(result, key, inner);
  } else if (shape === 'list') {
    const before = readOwn(result, name);
    writeOwn(result, name, [...(Array.isArray(before) ? before : []), decodeValue(type, value)]);
  } else {
    const decoded = decodeValue(type, value);
    if (!isUnset(name, decoded)) writeOwn(result, name, decoded);
  }
}

/** Protobuf encodes a map as a list of pairs. */
function addEntry(result: JsonObject, { name, type }: { name: string; type: string }, value: WireField['value']): void {
  const pair = wireFields(asBytes(value));
  const before = readOwn(result, name);
  const entries = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  const inner = pair.find(({ number }) => number === 2)?.value ?? new Uint8Array();
  writeOwn(result, name, { ...entries, [decodeText(lastBytes(pair, 1))]: decodeValue(type, inner) });
}

const asBytes = (value: WireField['value']): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new WireError('a number stands where a message belongs');
};

function decodeValue(type: string, value: WireField['value']): JsonValue {
  switch (type) {
    case 'int':
      return Number(BigInt.asIntN(64, asNumber(value)));
    case 'bool':
      return asNumber(value) !== 0n;
    case 'text':
      return decodeText(asBytes(value));
    case 'bytes':
      return Buffer.from(asBytes(value)).toString('base64');
    case 'double': {
      const bytes = asBytes(value);
      return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0, true);
    }
    default:
      return decodeSpecial(type, asBytes(value));
  }
}

/** A special message can decode to null: an unset time. */
function decodeSpecial(type: string, bytes: Uint8Array): JsonValue {
  const read = readOwn(specialMessages, type);
  return read === undefined ? decodeMessage(type, bytes) : read(bytes);
}

const asNumber = (value: WireField['value']): bigint => {
  if (typeof value === 'bigint') return value;
  throw new WireError('a message stands where a number belongs');
};

const lastNumber = (fields: readonly WireField[], number: number): number => {
  const found = fields.find((field) => field.number === number)?.value;
  return typeof found === 'bigint' ? Number(BigInt.asIntN(64, found)) : 0;
};

/** Messages whose JSON form is not an object of their fields. */
const specialMessages: Readonly<Record<string, (bytes: Uint8Array) => JsonValue>> = {
  'm.api.resource.Quantity': (bytes) => decodeText(lastBytes(wireFields(bytes), 1)),
  'm.apis.meta.v1.Time': (bytes) => decodeTimestamp(bytes, 0),
  'm.apis.meta.v1.MicroTime': (bytes) => decodeTimestamp(bytes, 6),
  'm.apis.meta.v1.FieldsV1': (bytes) => JSON.parse(decodeText(lastBytes(wireFields(bytes), 1))) as JsonValue,
  'm.runtime.RawExtension': (bytes) => JSON.parse(decodeText(lastBytes(wireFields(bytes), 1))) as JsonValue,
  'm.util.intstr.IntOrString': (bytes) => {
    const fields = wireFields(bytes);
    return lastNumber(fields, 1) === 0 ? lastNumber(fields, 2) : decodeText(lastBytes(fields, 3));
  },
  'a.authorization.v1.ExtraValue': (bytes) => decodeTexts(bytes),
  'a.authentication.v1.ExtraValue': (bytes) => decodeTexts(bytes),
};

const decodeTexts = (bytes: Uint8Array): JsonValue => wireFields(bytes).map(({ value }) => decodeText(asBytes(value)));

/** The time as RFC 3339 with this many decimal places; null for an unset time. */
function decodeTimestamp(bytes: Uint8Array, decimals: 0 | 6): JsonValue {
  const fields = wireFields(bytes);
  const [seconds, nanos] = [lastNumber(fields, 1), lastNumber(fields, 2)];
  if (seconds === 0 && nanos === 0) return null;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  const fraction = decimals === 0 ? '' : `.${String(nanos).padStart(9, '0').slice(0, decimals)}`;
  return `${whole}${fraction}Z`;
}

/** Counts whose zero is meant, because clients write them only when they are set. */
const meaningfulZeros: ReadonlySet<string> = new Set(
  'replicas parallelism completions backoffLimit ttlSecondsAfterFinished terminationGracePeriodSeconds gracePeriodSeconds revisionHistoryLimit activeDeadlineSeconds runAsUser runAsGroup fsGroup priority tolerationSeconds leaseTransitions successfulJobsHistoryLimit failedJobsHistoryLimit minReplicas defaultMode value'.split(
    ' ',
  ),
);

const isUnset = (name: string, value: JsonValue): boolean =>
  value === null || value === '' || value === false || (value === 0 && !meaningfulZeros.has(name));
