import type { Environment } from '@marcbachmann/cel-js';

/** The variable `jsonpatch` of expressions. */
export class CelJsonPatch {
  /** Writes a key as a part of a JSON pointer. */
  escapeKey(key: string): string {
    return key.replaceAll('~', '~0').replaceAll('/', '~1');
  }
}

/** Registers the functions of `jsonpatch`. */
export const registerJsonPatch = (environment: Environment): Environment =>
  environment
    .registerType('jsonpatch', CelJsonPatch)
    .registerFunction('jsonpatch.escapeKey(string): string', (patch: CelJsonPatch, key: string) =>
      patch.escapeKey(key),
    );
