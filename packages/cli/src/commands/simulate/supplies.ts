import type { EC2NodeClass, KubernetesObject, Node, NodePool } from '@nodewright/apis';
import { kubernetesLabels } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { chooseZones } from '@nodewright/aws-endpoints';
import type { OfflineWorld } from './offline-world.ts';

const poolManifestsOfKind = <T extends KubernetesObject>(
  objects: readonly KubernetesObject[],
  kind: string,
): readonly T[] => objects.filter((object) => object.kind === kind) as unknown as readonly T[];

/**
 * Where nodes may be: in the zones of the NodeClasses' subnets and of the nodes there are, else in three zones of the region
 * whose zones the manifests name, or of us-east-1.
 */
export function zonesIn(objects: readonly KubernetesObject[]): readonly string[] {
  const ofSubnets = poolManifestsOfKind<EC2NodeClass>(objects, 'EC2NodeClass').flatMap(({ status }) =>
    (status?.subnets ?? []).map(({ zone }) => zone),
  );
  const ofNodes = poolManifestsOfKind<Node>(objects, 'Node').flatMap(
    ({ metadata }) => metadata.labels?.[kubernetesLabels.zone] ?? [],
  );
  const zones = [...new Set(ofSubnets.length > 0 ? ofSubnets : ofNodes)].filter((zone) =>
    /^[a-z]+(-[a-z]+)+-\d[a-z]$/.test(zone),
  );
  return zones.length === 0 ? chooseZones(objects).zones : zones.toSorted();
}

/** What each NodePool could launch, by the NodeClass that it names; one that is not there counts as plain AL2023. */
export async function typesByPool(
  objects: readonly KubernetesObject[],
  world: OfflineWorld,
): Promise<{ readonly typesOf: (nodePool: NodePool) => readonly InstanceType[]; readonly assumed: readonly string[] }> {
  const classes = new Map(
    poolManifestsOfKind<EC2NodeClass>(objects, 'EC2NodeClass').map((each) => [each.metadata.name, each]),
  );
  const named = [...new Set(poolManifestsOfKind<NodePool>(objects, 'NodePool').map(classNameOf))].toSorted();
  const lists = new Map<string, readonly InstanceType[]>();
  for (const name of named) lists.set(name, await world.typesOf(classes.get(name)));
  return {
    typesOf: (nodePool) => lists.get(classNameOf(nodePool)) ?? [],
    assumed: named.filter((name) => !classes.has(name)),
  };
}

const classNameOf = ({ spec }: NodePool): string => spec.template.spec.nodeClassRef.name;
