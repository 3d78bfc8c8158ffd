import { oncePerObject } from '@nodewright/apis';
import { stringify as yamlOf } from 'yaml';
import { exactNumbersOf, restoreNumbers, restoreYamlNumbers } from '../schema/exact-numbers.ts';
import type { AnswerForm } from './negotiation.ts';
import { breakLongTexts } from './yaml-lines.ts';

const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** The JSON text of an object. Stored objects never change, so each is encoded once for all clients. */
export const encodeJson = oncePerObject((object: object): string => formatJson(object, false));

/** Escapes three characters as Go does, because clients compare bytes. */
export const escapeForHtml = (json: string): string =>
  /[<>&]/.test(json) ? json.replaceAll(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`) : json;

export function formatJson(body: object, isPretty: boolean): string {
  const json = escapeForHtml(isPretty ? JSON.stringify(body, undefined, 2) : JSON.stringify(body));
  const exact = exactNumbersOf(body);
  return exact === undefined ? json : restoreNumbers(json, exact);
}

/** Objects that occur twice are written twice. An alias would depend on the order, and a real server writes none. */
export function formatYaml(body: object): string {
  const yaml = breakLongTexts(
    yamlOf(body, {
      lineWidth: 0,
      sortMapEntries: true,
      indentSeq: false,
      aliasDuplicateObjects: false,
      version: '1.1',
      // A point alone is no number, as managed fields have it.
    }).replaceAll(/^( *(?:- )*)"\.":/gm, '$1.:'),
  );
  const exact = exactNumbersOf(body);
  return exact === undefined ? yaml : restoreYamlNumbers(yaml, exact);
}

/** A document in the syntax that was negotiated. */
export const formatDocument = (body: object, { syntax, isPretty }: Pick<AnswerForm, 'syntax' | 'isPretty'>): string =>
  syntax === 'yaml' ? formatYaml(body) : formatJson(body, isPretty);
