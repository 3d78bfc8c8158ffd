import { isYamlTooDeep } from '@nodewright/apis';
import { parse as parseYaml } from 'yaml';
import type { JsonValue } from './json.ts';

/** How deep objects and lists may lie in each other. Everything that walks a value goes one call deeper with each. */
const mostDepth = 1_000;

/** A value that lies deeper than any that is served; the message is in the words of Go's decoder. */
export class TooDeepError extends Error {
  constructor(options?: ErrorOptions) {
    super('exceeded max depth', options);
  }
}

/**
 * The value that `decode` returns, when it is not too deep. A body of a few bytes cannot be.
 * @throws TooDeepError also when `decode` itself goes deeper than the stack
 */
export function decodeWithinDepth<T extends JsonValue>(byteLength: number, decode: () => T): T {
  try {
    const value = decode();
    if (byteLength > 2 * mostDepth) checkDepth(value);
    return value;
  } catch (error) {
    throw error instanceof RangeError ? new TooDeepError({ cause: error }) : error;
  }
}

/** @throws TooDeepError before the text is parsed; what else the parser throws is about its syntax */
export function parseYamlWithinDepth(text: string): JsonValue {
  if (isYamlTooDeep(text)) throw new TooDeepError();
  return parseYaml(text, { version: '1.1' }) as JsonValue;
}

/** @throws TooDeepError */
export function checkDepth(value: JsonValue): void {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostDepth) throw new TooDeepError();
    level = level.flatMap(holdersIn);
  }
}

/** The objects and lists that lie directly in a value. */
function holdersIn(value: JsonValue): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null);
}
