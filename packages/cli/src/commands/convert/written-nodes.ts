import { presentName } from '@nodewright/apis';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Scalar } from 'yaml';

/** A field as it was written: its key, if it has one, and its value. */
export type WrittenField = { readonly key?: Scalar; readonly value: Node | undefined };

/** Every field of a document by dotted path, labels and annotations under their present names. */
export function writtenFields(document: Document): ReadonlyMap<string, WrittenField> {
  const fields = new Map<string, WrittenField>();
  const note = (path: string, field: WrittenField): void => {
    fields.set(path, field);
    const value = isAlias(field.value) ? field.value.resolve(document) : field.value;
    if (isMap(value)) {
      for (const pair of value.items) {
        if (!isScalar(pair.key)) continue;
        const name = String(pair.key.value);
        const member = isNode(pair.value) ? pair.value : undefined;
        note(pathBelow(path, presentName(name) ?? name), { key: pair.key, value: member });
      }
    }
    if (isSeq(value)) {
      for (const [index, item] of value.items.entries()) {
        if (isNode(item)) note(`${path}[${index}]`, { value: item });
      }
    }
  };
  note('', { value: document.contents ?? undefined });
  return fields;
}

export const pathBelow = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The remarks of a field, as they were written. */
export const remarksOf = ({ key, value }: WrittenField): readonly string[] =>
  [key?.commentBefore, key?.comment, value?.commentBefore, value?.comment].flatMap((remark) =>
    remark === undefined || remark === null ? [] : [`#${remark}`],
  );
