import { readOwn } from '@nodewright/apis';

/** Data as manifests hold it. */
export type Structure =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Structure[]
  | { readonly [key: string]: Structure };

/**
 * A 64-bit number, as decimal text, that is equal for structures that mean the same: lists in any
 * order, and absent fields like empty or zero ones.
 */
export const structuralHash = (structure: Structure): string => fnv1a(canonical(structure) ?? '');

/** Text that is equal for structures of equal meaning; `undefined` for what counts as absent. */
function canonical(structure: Structure): string | undefined {
  if (structure === null || structure === undefined || structure === '' || structure === 0 || structure === false) {
    return undefined;
  }
  if (typeof structure !== 'object') return JSON.stringify(structure);
  return Array.isArray(structure) ? canonicalList(structure) : canonicalObject(structure as Record<string, Structure>);
}

function canonicalList(list: readonly Structure[]): string | undefined {
  const items = list.map((item) => canonical(item) ?? 'null').toSorted();
  return items.length === 0 ? undefined : `[${items.join(',')}]`;
}

function canonicalObject(object: Readonly<Record<string, Structure>>): string | undefined {
  const fields = Object.keys(object)
    .toSorted()
    .flatMap((key) => {
      const value = canonical(readOwn(object, key));
      return value === undefined ? [] : [`${JSON.stringify(key)}:${value}`];
    });
  return fields.length === 0 ? undefined : `{${fields.join(',')}}`;
}

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a over the UTF-8 bytes. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function fnv1a(text: string): string {
  let hash = offsetBasis;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString();
}
