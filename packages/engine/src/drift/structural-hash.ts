import { readOwn } from '@nodewright/apis';

/** Data as manifests hold it. */
export type HashedStructure =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly HashedStructure[]
  | { readonly [key: string]: HashedStructure };

/**
 * A 64-bit number, as decimal text, that is equal for structures that mean the same: lists in any
 * order, and absent fields like empty or zero ones.
 */
export const structuralHash = (structure: HashedStructure): string => fnv1a(structureText(structure) ?? '');

/** Text that is equal for structures of equal meaning; `undefined` for what counts as absent. */
function structureText(structure: HashedStructure): string | undefined {
  if (structure === null || structure === undefined || structure === '' || structure === 0 || structure === false) {
    return undefined;
  }
  if (typeof structure !== 'object') return JSON.stringify(structure);
  return Array.isArray(structure)
    ? canonicalList(structure)
    : canonicalObject(structure as Record<string, HashedStructure>);
}

function canonicalList(list: readonly HashedStructure[]): string | undefined {
  const items = list.map((item) => structureText(item) ?? 'null').toSorted();
  return items.length === 0 ? undefined : `[${items.join(',')}]`;
}

function canonicalObject(object: Readonly<Record<string, HashedStructure>>): string | undefined {
  const fields = Object.keys(object)
    .toSorted()
    .flatMap((key) => {
      const value = structureText(readOwn(object, key));
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
