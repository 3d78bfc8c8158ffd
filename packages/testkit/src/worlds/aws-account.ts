import { type EC2NodeClass, fromTimestamp, type Instant } from '@nodewright/apis';
import { buildNodeClassImageQuery } from '@nodewright/engine';
import type { Cloud } from '@nodewright/ports';
import { seededRandom, virtualTime, type RequestHandler, type VirtualTime } from '@nodewright/runtime';
import {
  builtInReleases,
  createAws,
  type BootedMachine,
  type CatalogueName,
  type ReleaseHistory,
  type ThrottleOption,
} from '@nodewright/aws-endpoints';
import {
  createAwsClients,
  createAwsCloud,
  createInProcessClients,
  inProcessRequestHandler,
  type AwsCloudOptions,
} from '@nodewright/provider-aws';
import { checkAnswer } from '../answers/check-answer.ts';

export const never = new AbortController().signal;
const region = 'us-east-1';
/** When accounts are first looked at. */
export const accountStart = fromTimestamp('2024-01-28T16:00:00Z');
export const clusterName = 'demo';

type Traits = {
  readonly start?: Instant;
  /** How many zones the region has [2]. */
  readonly zones?: 1 | 2 | 3;
  readonly kubernetesVersion?: string;
  /** What EKS has published and will publish [the built-in history]. */
  readonly releases?: ReleaseHistory;
  /** How EC2 limits the rate of calls [none]. */
  readonly throttle?: ThrottleOption;
  /** Which instance types EC2 lists [small]. */
  readonly catalogue?: CatalogueName;
  /** What stands between the provider and AWS. With it calls go over the wire [calls reach the account as objects]. */
  readonly around?: (handle: RequestHandler) => RequestHandler;
};

/** The sandbox's AWS with an empty cluster, and the provider's clients for it, on virtual time. */
export function anAwsAccount({
  start: now = accountStart,
  zones = 2,
  kubernetesVersion = '1.28',
  releases = builtInReleases(),
  throttle = 'none',
  catalogue = 'small',
  around,
}: Traits = {}) {
  const time = virtualTime(now);
  const { clock, gate } = time;
  const machines: BootedMachine[] = [];
  const aws = createAws({
    clock,
    random: seededRandom(1).fork('aws'),
    region,
    zones: ['a', 'b', 'c'].slice(0, zones).map((letter) => `${region}${letter}`),
    clusterName,
    kubernetesVersion,
    onControlPlaneVersion: () => {},
    clusterEndpoint: () => 'https://cluster.invalid',
    clusterCertificateAuthority: () => 'ca',
    onAnswer: checkAnswer,
    releases,
    throttle,
    catalogue,
    machines: { launched: (machine) => machines.push(machine), stopping: () => {}, behaves: () => {} },
  });
  const handle = around === undefined ? aws.handle : around(aws.handle);
  const wireClients = () => createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, handle) });
  const clients = () => (around === undefined ? createInProcessClients({ gate, answer: aws.answer }) : wireClients());
  return {
    time,
    aws,
    /** What was launched, in order. */
    machines,
    clients,
    /** Clients of the SDK whose requests are bytes. */
    wireClients,
    /** A provider that remembers nothing yet. */
    cloudWith: (settings: Partial<AwsCloudOptions> = {}) =>
      createAwsCloud({ clock, gate, random: seededRandom(2), clusterName, region, clients: clients(), ...settings }),
  };
}

/** A NodeClass that selects what the account has for the cluster. */
export const aNodeClassOfAccount = (spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    tags: { intent: 'apps' },
    ...spec,
  },
});

/** A NodeClass with what its controller would find for it, and the standard images. */
export async function resolvedIn(
  { time, cloud }: { readonly time: VirtualTime; readonly cloud: Cloud },
  nodeClass: EC2NodeClass,
): Promise<EC2NodeClass> {
  const { nodeClasses } = cloud;
  const [subnets, securityGroups, found, instanceProfile] = await time.finish(
    Promise.all([
      nodeClasses.subnets(nodeClass, never),
      nodeClasses.securityGroups(nodeClass, never),
      nodeClasses.images(buildNodeClassImageQuery(nodeClass, '1.28'), never),
      nodeClasses.ensureInstanceProfile(nodeClass, never),
    ]),
  );
  const amis = found.images
    .filter(({ variant }) => variant === 'standard')
    .map(({ id, name, arch }) => ({
      id,
      name,
      requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: [arch] }],
    }));
  return {
    ...nodeClass,
    status: {
      subnets: subnets.map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId })),
      securityGroups,
      amis,
      instanceProfile,
    },
  };
}
