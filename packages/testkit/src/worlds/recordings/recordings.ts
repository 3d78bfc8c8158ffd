import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isObject, type JsonValue, type JsonObject } from '@nodewright/kube-api';

/** One request to a real API server and its answer, byte for byte; bodies are texts. For tests only. */
export type Exchange = {
  readonly slug: string;
  readonly note: string;
  readonly request: {
    readonly method: string;
    /** Path with query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
  };
};

/** The exchanges of one section of the recordings (`patch`, `apply`, ...), in the order in which they were made. */
export const recorded = (section: string): Exchange[] =>
  unpacked(`${section}.jsonl.gz`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange);

/** The text of a compressed file of the recordings. */
export const unpacked = (file: string): string =>
  gunzipSync(readFileSync(new URL(`../../../testdata/golden/${file}`, import.meta.url))).toString('utf8');

/** The answer as JSON; undefined when it is a stream, a text or empty. */
export const answerOf = (exchange: Exchange): JsonObject | undefined => parsed(exchange.response.body);

/** What was sent, when it was JSON. */
export const sentBy = (exchange: Exchange): JsonObject | undefined => parsed(exchange.request.body);

function parsed(text: string | null): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
