import { oncePerObject } from '@nodewright/apis';
import { stringify as yamlOf } from 'yaml';
import type { AnswerForm } from './negotiation.ts';
import { breakLongTexts } from './yaml-lines.ts';

const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** The JSON text of an object. Stored objects never change, so each is encoded once for all clients. */
export const encodeJson = oncePerObject((object: object): string => escapeForHtml(JSON.stringify(object)));

/** Escapes three characters as Go does, because clients compare bytes. */
export const escapeForHtml = (json: string): string =>
  /[<>&]/.test(json) ? json.replaceAll(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`) : json;

export const formatJson = (body: unknown, isPretty: boolean): string =>
  escapeForHtml(isPretty ? JSON.stringify(body, undefined, 2) : JSON.stringify(body));

/** Objects that occur twice are written twice. An alias would depend on the order, and a real server writes none. */
export const formatYaml = (body: unknown): string =>
  breakLongTexts(
    yamlOf(body, {
      lineWidth: 0,
      sortMapEntries: true,
      indentSeq: false,
      aliasDuplicateObjects: false,
      version: '1.1',
      // A point alone is no number, as managed fields have it.
    }).replaceAll(/^( *(?:- )*)"\.":/gm, '$1.:'),
  );

/** A document in the syntax that was negotiated. */
export const formatDocument = (body: unknown, { syntax, isPretty }: Pick<AnswerForm, 'syntax' | 'isPretty'>): string =>
  syntax === 'yaml' ? formatYaml(body) : formatJson(body, isPretty);
