import type { KubernetesObject } from '@nodewright/apis';

const zoneForm = /^([a-z]{2}(?:-[a-z]+)+-\d)[a-f]$/;

/** The zones that manifests name, in order. Local zones and ids of zones are not among them. */
export function findNamedZones(objects: readonly KubernetesObject[]): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && zoneForm.test(value)) found.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  objects.forEach(visit);
  return [...found].toSorted();
}

/** The region of zones that are all in one; `undefined` of none, and of several. */
export function regionOfZones(zones: readonly string[]): string | undefined {
  const regions = new Set(zones.map((zone) => zone.slice(0, -1)));
  return regions.size === 1 ? [...regions][0] : undefined;
}
