import {
  type Deployment,
  deployments,
  minutes,
  namespaces,
  type PodDisruptionBudget,
  podDisruptionBudgets,
} from '@nodewright/apis';
import { iamArnOf, releasesFor, createNodegroup, releaseVersionOf } from '@nodewright/aws-endpoints';
import type { Scenario, ScenarioWorld } from './scenario.ts';

const groupName = 'default';

/** Where the walkthrough of managed node group upgrades begins. */
export const managedNodeGroup: Scenario = {
  name: 'managed-node-group',
  about:
    'A managed node group one AL2 release behind, in three zones, under a sample application with a disruption budget',
  kubernetesVersion: '1.23',
  startTime: '2023-10-16T09:00:00Z',
  exports: { EKS_DEFAULT_MNG_NAME: groupName },
  steps: [
    { do: createScenarioGroup, settlesInMs: minutes(3) },
    { do: createApplication, settlesInMs: minutes(1) },
  ],
};

function createScenarioGroup({ aws }: ScenarioWorld): void {
  const { eks, ec2 } = aws;
  const { clock } = eks.nodeGroups.deps;
  const asked = { amiType: 'AL2_x86_64' as const, version: eks.controlPlane.version, now: clock.now() };
  const [newest, previous = newest] = releasesFor(asked, aws.releases);
  createNodegroup(eks, {
    clusterName: eks.clusterName,
    nodegroupName: groupName,
    subnets: ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id),
    nodeRole: iamArnOf(eks.account, `role/karpenterNodeRole-${eks.clusterName}`),
    instanceTypes: ['m5.large'],
    scalingConfig: { minSize: 3, maxSize: 6, desiredSize: 3 },
    updateConfig: { maxUnavailable: 1 },
    labels: { 'workshop-default': 'yes' },
    ...(previous !== undefined && { releaseVersion: releaseVersionOf(previous) }),
  });
}

async function createApplication({ admin }: ScenarioWorld): Promise<void> {
  await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: application } });
  await admin.create(deployments, scenarioDeployment);
  await admin.create(podDisruptionBudgets, scenarioBudget);
}

const application = 'ui';
const scenarioLabels = { 'app.kubernetes.io/name': application };
const scenarioMetadata = { namespace: application, name: application, labels: scenarioLabels };

const scenarioDeployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: scenarioMetadata,
  spec: {
    replicas: 4,
    selector: { matchLabels: scenarioLabels },
    template: {
      metadata: { labels: scenarioLabels },
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'topology.kubernetes.io/zone',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: scenarioLabels },
          },
        ],
        containers: [
          {
            name: application,
            image: 'public.ecr.aws/aws-containers/retail-store-sample-ui:0.4.0',
            resources: { requests: { cpu: '250m', memory: '512Mi' } },
          },
        ],
      },
    },
  },
};

const scenarioBudget: PodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: scenarioMetadata,
  spec: { minAvailable: 3, selector: { matchLabels: scenarioLabels } },
};
