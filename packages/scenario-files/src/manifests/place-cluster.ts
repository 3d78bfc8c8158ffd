import type { KubernetesObject } from '@nodewright/apis';
import { chooseZones } from '@nodewright/aws-endpoints';
import type { ScenarioCluster, ScenarioFile } from '../reading/scenario-file.ts';
import { ScenarioFileError } from '../reading/source-text.ts';

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
  const { region, zones } = chooseZones(objects, cluster.region);
  const problems = steppedZones
    .filter(({ zone }) => !zones.includes(zone))
    .map(({ zone, place, path }) => ({
      place,
      message: `${path} is "${zone}": the cluster has ${zones.join(', ')}; cluster.region and cluster.zones say where else it is`,
    }));
  if (problems.length > 0) throw new ScenarioFileError(problems);
  return { ...cluster, region, zones };
}
