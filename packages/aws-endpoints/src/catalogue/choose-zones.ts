const zoneForm = /^([a-z]{2}(?:-[a-z]+)+-\d)[a-f]$/;

/** The zones that manifests name, in order. Local zones and ids of zones are not among them. */
export function findNamedZones(manifests: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && zoneForm.test(value)) found.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  manifests.forEach(visit);
  return [...found].toSorted();
}

export type ChosenZones = { readonly region: string; readonly zones: readonly string[] };

/**
 * Chooses where a cluster for some manifests is. If every zone in the manifests belongs to one region, the cluster is in that
 * region; otherwise it is in the usual region. It has the zones a, b and c of its region, and every other zone of that
 * region that the manifests name.
 */
export function chooseZones(manifests: readonly unknown[], usualRegion = 'us-east-1'): ChosenZones {
  const named = findNamedZones(manifests);
  const regions = new Set(named.map((zone) => zone.slice(0, -1)));
  const region = regions.size === 1 ? ([...regions][0] ?? usualRegion) : usualRegion;
  const ofRegion = named.filter((zone) => zone.slice(0, -1) === region);
  const first = ['a', 'b', 'c'].map((letter) => `${region}${letter}`);
  return { region, zones: [...new Set([...first, ...ofRegion])].toSorted() };
}
