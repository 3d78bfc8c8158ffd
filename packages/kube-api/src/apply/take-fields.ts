import type { Comparison } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { type Ownership } from './managed-fields.ts';

/** The fields of other managers that a write changes, by the key of their owner. */
export function contestedFields(
  owners: ReadonlyMap<string, Ownership>,
  writer: string,
  { added, modified }: Comparison,
): Map<string, FieldSet> {
  const changed = added.union(modified);
  const contested = new Map<string, FieldSet>();
  for (const [key, owner] of owners) {
    const fields = key === writer ? FieldSet.empty : owner.fields.intersection(changed);
    if (!fields.isEmpty) contested.set(key, fields);
  }
  return contested;
}

/** The owners after a write. Other managers lose the changed fields, and every manager loses the removed fields. */
export function ownersAfterWrite(
  owners: ReadonlyMap<string, Ownership>,
  writer: string,
  comparison: Comparison,
): Map<string, Ownership> {
  const contested = contestedFields(owners, writer, comparison);
  return new Map(
    [...owners].map(([key, owner]) => {
      const kept = owner.fields.difference(contested.get(key) ?? FieldSet.empty);
      const fields = key === writer ? owner.fields : kept.difference(comparison.removed);
      return [key, fields === owner.fields ? owner : { ...owner, fields: fields.shared() }];
    }),
  );
}
