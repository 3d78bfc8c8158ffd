import { type EC2NodeClass, instant, type KubernetesObject } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases, type CatalogueName } from '@nodewright/aws-endpoints';
import { createSandbox } from '@nodewright/sandbox';
import { checkManifests, fillManifestDefaults, type ManifestCheck } from './check-manifests.ts';
import type { SourcedObject } from './manifest-source.ts';

const simulationClusterName = 'simulation';

/** What can be known without a network: the sandbox's EC2 and API server, asked in this process. */
export type OfflineWorld = {
  /**
   * The instance types of the built-in catalogue as an EC2NodeClass would make nodes of them, at the sandbox's prices.
   * @param nodeClass plain AL2023 nodes where there is none
   */
  typesOf(nodeClass?: EC2NodeClass): Promise<readonly InstanceType[]>;
  /** What an API server makes of manifests. */
  check(objects: readonly SourcedObject[]): Promise<ManifestCheck>;
  /** The objects with what an API server fills in. */
  fillDefaults(objects: readonly KubernetesObject[]): Promise<readonly KubernetesObject[]>;
};

/**
 * @param zones where nodes may be, all of one region
 * @param catalogue which types can be bought [a few families of every kind]
 */
export async function offlineWorld(
  zones: readonly string[],
  catalogue: CatalogueName = 'small',
): Promise<OfflineWorld> {
  const region = (zones[0] ?? '').replace(/[a-z]$/, '');
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const { clock, gate } = time;
  const random = seededRandom(1);
  const releases = builtInReleases();
  const settings = {
    clock,
    gate,
    random,
    clusterName: simulationClusterName,
    kubernetesVersion: '1.30',
    region,
    zones,
    releases,
    catalogue,
  };
  const { aws, admin } = await createSandbox(settings);
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const cloud = createAwsCloud({
    clock,
    gate,
    random: random.fork('cloud'),
    clusterName: simulationClusterName,
    region,
    clients,
  });
  const never = new AbortController().signal;
  return {
    typesOf: (nodeClass = plainNodeClass) => time.finish(cloud.instanceTypes.list(inZones(nodeClass, zones), never)),
    check: (objects) => time.finish(checkManifests(objects, admin)),
    fillDefaults: (objects) => time.finish(fillManifestDefaults(objects, admin)),
  };
}

/** The manifest that a simulation assumes for an EC2NodeClass it is not given. */
const plainNodeClass: EC2NodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'al2023' },
  spec: {
    role: 'node-role',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': simulationClusterName } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': simulationClusterName } }],
  },
};

/** A NodeClass of a manifest has no subnets yet: it may use every zone. */
const inZones = (nodeClass: EC2NodeClass, zones: readonly string[]): EC2NodeClass => ({
  ...nodeClass,
  status: { ...nodeClass.status, subnets: zones.map((zone) => ({ id: `subnet-${zone}`, zone })) },
});
