import { byText, byTextOf, inOrder } from '@nodewright/apis';
import { managerKey, type Ownership } from './managed-fields.ts';

/** The limit of managers that own fields by updates, as in Kubernetes. Appliers are not limited. */
const mostUpdaters = 10;

/** Owns the fields of the oldest updaters of its API version. */
const bucketManager = 'ancient-changes';

type Owner = readonly [key: string, ownership: Ownership];

/** Moves the fields of the oldest updaters to one manager for each API version, until there are few enough updaters. */
export function capUpdaters(owners: ReadonlyMap<string, Ownership>): ReadonlyMap<string, Ownership> {
  const updaters = [...owners].filter(isUpdater).toSorted(oldestFirst);
  const capped = new Map(owners);
  const firstKeys = new Map<string, string>();
  let excess = updaters.length - mostUpdaters;
  for (const [key, owner] of updaters) {
    if (excess <= 0) break;
    const { apiVersion } = owner.manager;
    const firstKey = firstKeys.get(apiVersion);
    if (firstKey === undefined) firstKeys.set(apiVersion, key);
    else {
      moveToBucket(capped, [firstKey, key]);
      firstKeys.set(apiVersion, bucketKeyOf(owner));
      excess -= 1;
    }
  }
  return capped;
}

const isUpdater = ([, { manager, fields }]: Owner): boolean => manager.operation === 'Update' && !fields.isEmpty;

const oldestFirst = inOrder<Owner>(
  byTextOf(([, { time }]) => time ?? ''),
  ([a], [b]) => byText(a, b),
);

const bucketOf = ({ manager: { apiVersion } }: Ownership) =>
  ({ manager: bucketManager, operation: 'Update', apiVersion }) as const;

const bucketKeyOf = (owner: Ownership): string => managerKey(bucketOf(owner));

/** The bucket has the time of the youngest update in it. */
function moveToBucket(owners: Map<string, Ownership>, [firstKey, key]: readonly [string, string]): void {
  const [first, owner] = [owners.get(firstKey), owners.get(key)];
  if (first === undefined || owner === undefined) return;
  owners.delete(firstKey);
  owners.delete(key);
  const fields = first.fields.union(owner.fields).shared();
  owners.set(bucketKeyOf(owner), { ...owner, manager: bucketOf(owner), fields });
}
