import { readOwn, writeOwn } from '@nodewright/apis';
import type { Json, JsonObject } from '../schema/json.ts';
import { fieldsOf, type MessageField, messageOf } from './messages.ts';
import { type WireField, WireError, wireFields } from './wire.ts';

const magic = [0x6b, 0x38, 0x73, 0x00];

/**
 * Reads an object that a client sent as `application/vnd.kubernetes.protobuf`. Zero values are left out: the client
 * writes most of them whether they were set or not.
 * @throws WireError for bytes without the API's prefix, a kind that is not built in, or a broken message
 */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  if (!magic.every((byte, index) => bytes[index] === byte)) {
    throw new WireError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = wireFields(bytes.subarray(magic.length));
  const [apiVersion, kind] = typeMetaOf(envelope);
  const message = messageOf(apiVersion, kind);
  if (message === undefined)
    throw new WireError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  return { apiVersion, kind, ...decodeMessage(message, bytesOf(envelope, 2)) };
}

function typeMetaOf(envelope: readonly WireField[]): [apiVersion: string, kind: string] {
  const fields = wireFields(bytesOf(envelope, 1));
  return [text(bytesOf(fields, 1)), text(bytesOf(fields, 2))];
}

function bytesOf(fields: readonly WireField[], number: number): Uint8Array {
  const found = fields.find((field) => field.number === number)?.value;
  return found instanceof Uint8Array ? found : new Uint8Array();
}

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);

function decodeMessage(message: string, bytes: Uint8Array): JsonObject {
  const known = new Map((fieldsOf(message) ?? []).map((field) => [field[0], field]));
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

/** A map is a list of pairs. */
function addEntry(result: JsonObject, { name, type }: { name: string; type: string }, value: WireField['value']): void {
  const pair = wireFields(asBytes(value));
  const before = readOwn(result, name);
  const entries = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  const inner = pair.find(({ number }) => number === 2)?.value ?? new Uint8Array();
  writeOwn(result, name, { ...entries, [text(bytesOf(pair, 1))]: decodeValue(type, inner) });
}

const asBytes = (value: WireField['value']): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new WireError('a number stands where a message belongs');
};

function decodeValue(type: string, value: WireField['value']): Json {
  switch (type) {
    case 'int':
      return Number(BigInt.asIntN(64, asNumber(value)));
    case 'bool':
      return asNumber(value) !== 0n;
    case 'text':
      return text(asBytes(value));
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

/** An unset time is null, which is an answer and no reason to look further. */
function decodeSpecial(type: string, bytes: Uint8Array): Json {
  const read = readOwn(special, type);
  return read === undefined ? decodeMessage(type, bytes) : read(bytes);
}

const asNumber = (value: WireField['value']): bigint => {
  if (typeof value === 'bigint') return value;
  throw new WireError('a message stands where a number belongs');
};

const numberOf = (fields: readonly WireField[], number: number): number => {
  const found = fields.find((field) => field.number === number)?.value;
  return typeof found === 'bigint' ? Number(BigInt.asIntN(64, found)) : 0;
};

/** Messages whose JSON form is not an object of their fields. */
const special: Readonly<Record<string, (bytes: Uint8Array) => Json>> = {
  'm.api.resource.Quantity': (bytes) => text(bytesOf(wireFields(bytes), 1)),
  'm.apis.meta.v1.Time': (bytes) => timestamp(bytes, 0),
  'm.apis.meta.v1.MicroTime': (bytes) => timestamp(bytes, 6),
  'm.apis.meta.v1.FieldsV1': (bytes) => JSON.parse(text(bytesOf(wireFields(bytes), 1))) as Json,
  'm.runtime.RawExtension': (bytes) => JSON.parse(text(bytesOf(wireFields(bytes), 1))) as Json,
  'm.util.intstr.IntOrString': (bytes) => {
    const fields = wireFields(bytes);
    return numberOf(fields, 1) === 0 ? numberOf(fields, 2) : text(bytesOf(fields, 3));
  },
  'a.authorization.v1.ExtraValue': (bytes) => texts(bytes),
  'a.authentication.v1.ExtraValue': (bytes) => texts(bytes),
};

const texts = (bytes: Uint8Array): Json => wireFields(bytes).map(({ value }) => text(asBytes(value)));

/** RFC 3339 with so many decimal places; null for a time that is not set. */
function timestamp(bytes: Uint8Array, decimals: 0 | 6): Json {
  const fields = wireFields(bytes);
  const [seconds, nanos] = [numberOf(fields, 1), numberOf(fields, 2)];
  if (seconds === 0 && nanos === 0) return null;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  const fraction = decimals === 0 ? '' : `.${String(nanos).padStart(9, '0').slice(0, decimals)}`;
  return `${whole}${fraction}Z`;
}

/** Counts for which zero was meant: the client writes them only when they are set. */
const meaningfulZeros: ReadonlySet<string> = new Set(
  'replicas parallelism completions backoffLimit ttlSecondsAfterFinished terminationGracePeriodSeconds gracePeriodSeconds revisionHistoryLimit activeDeadlineSeconds runAsUser runAsGroup fsGroup priority tolerationSeconds leaseTransitions successfulJobsHistoryLimit failedJobsHistoryLimit minReplicas defaultMode value'.split(
    ' ',
  ),
);

const isUnset = (name: string, value: Json): boolean =>
  value === null || value === '' || value === false || (value === 0 && !meaningfulZeros.has(name));
