import { byTextOf } from '@nodewright/apis';
import { isObject, type JsonValue } from '../schema/json.ts';
import { type ApiObject, changeMetadata } from '../storage/api-object.ts';
import type { ObjectCall } from './world.ts';

/** The object with each of its owners once. A warning names those that came twice. */
export function withDistinctOwners({ warnings }: ObjectCall, object: ApiObject): ApiObject {
  const { ownerReferences } = object.metadata;
  if (!Array.isArray(ownerReferences) || ownerReferences.length < 2) return object;
  const distinct = new Map<string, (typeof ownerReferences)[number]>();
  const repeated = new Set<string>();
  for (const owner of ownerReferences) {
    const text = ownerText(owner);
    if (distinct.has(text)) repeated.add(owner.uid);
    else distinct.set(text, owner);
  }
  if (repeated.size === 0) return object;
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
  return changeMetadata(object, { ownerReferences: [...distinct.values()] });
}

/** Equal owners have equal texts, in whatever order their members were written. */
const ownerText = (owner: JsonValue): string =>
  JSON.stringify(isObject(owner) ? Object.entries(owner).toSorted(byTextOf(([name]) => name)) : owner);
