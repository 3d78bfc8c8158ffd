import { stringify as yamlOf } from 'yaml';
import type { ApiObject } from '../storage/api-object.ts';

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Stored objects never change, so each is written as JSON once, however many watch it. */
const written = new WeakMap<object, string>();

export function jsonOf(object: ApiObject): string {
  const known = written.get(object);
  if (known !== undefined) return known;
  const text = escapedForHtml(JSON.stringify(object));
  written.set(object, text);
  return text;
}

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The lines by which watches tell of an object: the same bytes for everybody. */
const lines = new WeakMap<object, Map<ChangeType, Uint8Array>>();

export function watchLineOf(type: ChangeType, object: ApiObject): Uint8Array {
  const known = lines.get(object) ?? new Map<ChangeType, Uint8Array>();
  const line = known.get(type) ?? bytesOf(`{"type":"${type}","object":${jsonOf(object)}}\n`);
  lines.set(object, known.set(type, line));
  return line;
}

/** Go writes these three characters of a string as escapes, and clients compare bytes. */
export const escapedForHtml = (json: string): string =>
  /[<>&]/.test(json) ? json.replaceAll(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`) : json;

export const documentJson = (body: unknown, isPretty: boolean): string =>
  escapedForHtml(isPretty ? JSON.stringify(body, undefined, 2) : JSON.stringify(body));

export const documentYaml = (body: unknown): string =>
  yamlOf(body, { lineWidth: 0, sortMapEntries: true, indentSeq: false, version: '1.1' });
