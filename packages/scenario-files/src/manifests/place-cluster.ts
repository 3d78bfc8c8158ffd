import { type EC2NodeClass, instant, type KubernetesObject } from '@nodewright/apis';
import { chooseZones } from '@nodewright/aws-endpoints';
import type { ScenarioCluster, ScenarioFile } from '../reading/scenario-file.ts';
import { ScenarioFileError } from '../reading/source-text.ts';
import { chooseMinor } from '../world/choose-minor.ts';
import { usualMinor, usualStart } from '../world/usual-cluster.ts';

/**
 * Where the cluster of a scenario is, and its Kubernetes version: as its file says, else in the region whose zones its manifests
 * name, with those zones, and of the newest version that has the images of its node classes.
 * @throws ScenarioFileError for steps about a zone that the cluster does not have
 */
export function placeCluster(
  scenario: Pick<ScenarioFile, 'cluster' | 'steppedZones'>,
  objects: readonly KubernetesObject[],
): ScenarioCluster {
  if (scenario.cluster.snapshot !== undefined) return scenario.cluster;
  const nodeClasses = objects.filter((object): object is EC2NodeClass => object.kind === 'EC2NodeClass');
  const minor = chooseMinor(nodeClasses, instant(scenario.cluster.startTime ?? usualStart));
  const cluster = minor === usualMinor ? scenario.cluster : { kubernetesVersion: minor, ...scenario.cluster };
  return cluster.isPlaced ? cluster : placeInZones({ ...scenario, cluster }, objects);
}

function placeInZones(
  { cluster, steppedZones }: Pick<ScenarioFile, 'cluster' | 'steppedZones'>,
  objects: readonly KubernetesObject[],
): ScenarioCluster {
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
