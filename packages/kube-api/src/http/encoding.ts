import { stringify as yamlOf } from 'yaml';
import type { Form } from './negotiation.ts';

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Stored objects never change, so each is written as JSON once at most, however many ask for it. */
const written = new WeakMap<object, string>();

export function jsonOf(object: object): string {
  const known = written.get(object);
  if (known !== undefined) return known;
  const text = escapedForHtml(JSON.stringify(object));
  written.set(object, text);
  return text;
}

/** Go writes these three characters of a string as escapes, and clients compare bytes. */
export const escapedForHtml = (json: string): string =>
  /[<>&]/.test(json) ? json.replaceAll(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`) : json;

export const documentJson = (body: unknown, isPretty: boolean): string =>
  escapedForHtml(isPretty ? JSON.stringify(body, undefined, 2) : JSON.stringify(body));

export const documentYaml = (body: unknown): string =>
  yamlOf(body, { lineWidth: 0, sortMapEntries: true, indentSeq: false, version: '1.1' });

/** A document in the syntax that was negotiated. */
export const documentText = (body: unknown, { syntax, isPretty }: Pick<Form, 'syntax' | 'isPretty'>): string =>
  syntax === 'yaml' ? documentYaml(body) : documentJson(body, isPretty);
