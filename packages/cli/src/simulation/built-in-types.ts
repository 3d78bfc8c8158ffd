import { instant } from '@nodewright/apis';
import type { EC2NodeClass } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { createAwsClients, createAwsCloud, inProcessRequestHandler } from '@nodewright/provider-aws';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases, createSandbox } from '@nodewright/sandbox';

const region = 'us-east-1';
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const clusterName = 'simulation';

const anyNodeClass: EC2NodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
};

/**
 * The instance types of the built-in catalogue as a NodeClass would make nodes of them, in three
 * zones, at the sandbox's prices. No network: the sandbox's EC2 is asked in this process.
 */
export async function builtInTypes(nodeClass: EC2NodeClass = anyNodeClass): Promise<readonly InstanceType[]> {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const { clock, gate } = time;
  const random = seededRandom(1);
  const sandbox = await createSandbox({
    clock,
    gate,
    random,
    clusterName,
    kubernetesVersion: '1.30',
    region,
    zones,
    releases: builtInReleases(),
  });
  const clients = createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, sandbox.aws.handle) });
  const cloud = createAwsCloud({ clock, gate, random: random.fork('cloud'), clusterName, region, clients });
  return time.finish(cloud.instanceTypes.list(inZones(nodeClass), new AbortController().signal));
}

const inZones = (nodeClass: EC2NodeClass): EC2NodeClass => ({
  ...nodeClass,
  status: { ...nodeClass.status, subnets: zones.map((zone) => ({ id: `subnet-${zone}`, zone })) },
});
