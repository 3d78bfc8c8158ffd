import type { ClusterObjects } from '../snapshot/read-cluster-objects.ts';

const mapsThatSelect = new Set(['matchLabels', 'nodeSelector', 'selector', 'tags']);
const fieldsWithKeys = new Set(['key', 'topologyKey', 'topologyKeys', 'matchLabelKeys', 'mismatchLabelKeys']);

/** Keys of labels and tags that a selector, a requirement, a taint, a spread or a term of a NodeClass names. */
export function findKeysLookedAt(objects: ClusterObjects): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, field: string): void => {
    if (typeof value === 'string' && fieldsWithKeys.has(field)) found.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (mapsThatSelect.has(field) && typeof inner === 'string') found.add(key);
      visit(inner, Array.isArray(value) ? field : key);
    }
  };
  for (const [resource, all] of Object.entries(objects)) for (const object of all) visit(object, resource);
  return found;
}
