import type { KubernetesObject } from '@nodewright/apis';
import { namedZones } from '../reading/read-cluster.ts';
import type { ScenarioCluster, ScenarioFile } from '../reading/scenario-file.ts';
import { ScenarioFileError } from '../reading/source-text.ts';
import { findNamedZones, regionOfZones } from './named-zones.ts';

/**
 * Where the cluster of a scenario is: where its file says, else in the region whose zones its manifests name, with those
 * zones.
 * @throws ScenarioFileError for steps about a zone that the cluster does not have
 */
export function placeCluster(
  { cluster, steppedZones }: Pick<ScenarioFile, 'cluster' | 'steppedZones'>,
  objects: readonly KubernetesObject[],
): ScenarioCluster {
  if (cluster.isPlaced || cluster.snapshot !== undefined) return cluster;
  const named = findNamedZones(objects);
  const region = regionOfZones(named) ?? cluster.region;
  const ofRegion = named.filter((zone) => zone.slice(0, -1) === region);
  const zones = [...new Set([...namedZones(region, 3), ...ofRegion])].toSorted();
  const problems = steppedZones
    .filter(({ zone }) => !zones.includes(zone))
    .map(({ zone, place, path }) => ({
      place,
      message: `${path} is "${zone}": the cluster has ${zones.join(', ')}; cluster.region and cluster.zones say where else it is`,
    }));
  if (problems.length > 0) throw new ScenarioFileError(problems);
  return { ...cluster, region, zones };
}
