import { yamlComplaint } from '@nodewright/apis';
import { mostBodyBytes } from '@nodewright/runtime';
import { parse as parseYaml } from 'yaml';
import type { JsonValue } from './json.ts';

/** The limit of objects and lists inside each other. Everything that walks a value recurses once per level. */
export const mostNestedValues = 1_000;

/** A value that is nested too deep, or a YAML document that is too large with its aliases. */
export class ShapeLimitError extends Error {
  override readonly name = 'ShapeLimitError';
}

const tooDeep = (cause?: unknown): ShapeLimitError => new ShapeLimitError('exceeded max depth', { cause });

/**
 * Returns the value that `decode` returns, unless it is nested too deep. A short body cannot be.
 * @throws ShapeLimitError also when `decode` itself overflows the stack
 */
export function decodeWithinDepth<T extends JsonValue>(byteLength: number, decode: () => T): T {
  try {
    const value = decode();
    if (byteLength > 2 * mostNestedValues) checkDepth(value);
    return value;
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/**
 * Parses a YAML text whose nesting and aliases have limits.
 * @throws ShapeLimitError before the text is parsed; every other error of the parser is about the syntax
 */
export function parseYamlWithinLimits(text: string): JsonValue {
  const complaint = yamlComplaint(text);
  if (complaint !== undefined) throw new ShapeLimitError(complaint);
  return decodeWithinDepth(text.length, () => {
    const value = parseYaml(text, { version: '1.1', logLevel: 'error' }) as JsonValue;
    if (expandedSize(value, new Map()) > mostBodyBytes) {
      throw new ShapeLimitError('yaml: document contains excessive aliasing');
    }
    return value;
  });
}

/** The characters of a value when each alias is written out. Aliases share one object, which is counted once. */
function expandedSize(value: JsonValue, known: Map<object, number>): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const counted = known.get(value);
  if (counted !== undefined) return counted;
  let size = 0;
  for (const [key, inner] of Object.entries(value)) size += key.length + expandedSize(inner, known);
  known.set(value, size);
  return size;
}

/** @throws ShapeLimitError */
export function checkDepth(value: JsonValue): void {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostNestedValues) throw tooDeep();
    level = level.flatMap(nestedValues);
  }
}

/** The objects and lists directly inside a value. */
function nestedValues(value: JsonValue): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null);
}
