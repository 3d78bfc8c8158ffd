import { valueAtPath, type JsonValue, jsonTextAt } from '../schema/json.ts';
import { mediaTypeOf } from './request-body.ts';

const numberTokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const aFloat = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

type JsonRequest = { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> };

/**
 * Whether a JSON request writes the number at `path` (`.spec.replicas`) as `2.0` or `2e0`. Go's decoder reads such a
 * number as float64, which is not an integer; `JSON.parse` does not show the difference.
 */
export function isWrittenAsFloat({ body, headers }: JsonRequest, path: string): boolean {
  const names = path.split('.').slice(1);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (!text.includes(`${names.at(-1)}`) || !/\d[.eE]/.test(text)) return false;
  const written = writtenValueAt(asWritten(text), names, mediaTypeOf(headers['content-type']));
  return typeof written === 'string' && /[.eE]/.test(written) && aFloat.test(written);
}

/** The JSON value with every number as its text. */
const asWritten = (text: string): JsonValue =>
  JSON.parse(text.replace(numberTokens, (token) => (token.startsWith('"') ? token : `"${token}"`))) as JsonValue;

function writtenValueAt(value: JsonValue, names: readonly string[], mediaType: string): JsonValue | undefined {
  switch (mediaType) {
    case '':
    case 'application/json':
    case 'application/merge-patch+json':
      return valueAtPath(value, ...names);
    case 'application/json-patch+json':
      return Array.isArray(value)
        ? valueAtPath(
            value.findLast((change) => jsonTextAt(change, 'path') === `/${names.join('/')}`),
            'value',
          )
        : undefined;
    default:
      return undefined;
  }
}
