import {
  deployments,
  type Deployment,
  type EC2NodeClass,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  type KubernetesObject,
  nodeClaims,
  type NodeClaim,
  nodePools,
  type NodePool,
  nodes,
  type NodeSelectorRequirement,
  type ResourceType,
  byTextOf,
} from '@nodewright/apis';
import { createAwsClients, inProcessRequestHandler } from '@nodewright/provider-aws';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases, mergeReleases, parseReleases, type ImageRelease } from '@nodewright/aws-endpoints';
import { createEmbeddedWorld } from '../../packages/cli/src/world/embedded-world.ts';

export const clusterName = 'sandbox';

const role = `karpenterNodeRole-${clusterName}`;
const bySandboxTag = [{ tags: { 'karpenter.sh/discovery': clusterName } }];

/** A NodeClass `default` with terms of the test's own. */
export const nodeClassWith = (
  spec: Pick<EC2NodeClass['spec'], 'amiSelectorTerms'> & Partial<EC2NodeClass['spec']>,
  annotations: Readonly<Record<string, string>> = {},
): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default', annotations },
  spec: { role, subnetSelectorTerms: bySandboxTag, securityGroupSelectorTerms: bySandboxTag, ...spec },
});

/** A NodePool `default` of on-demand nodes of the given types, which replaces any number of them at once. */
export const nodePoolOf = (types: readonly string[] = ['m5.large'], os: 'linux' | 'windows' = 'linux'): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] },
    template: {
      spec: {
        expireAfter: 'Never',
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: types },
          { key: 'kubernetes.io/os', operator: 'In', values: [os] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  },
});

/** Pods that need a node each. */
export const deploymentOf = (replicas: number, nodeSelector: Readonly<Record<string, string>> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'inflate' } },
    template: {
      metadata: { labels: { app: 'inflate' } },
      spec: {
        nodeSelector,
        containers: [
          {
            name: 'inflate',
            image: 'public.ecr.aws/eks-distro/kubernetes/pause:3.7',
            resources: { requests: { cpu: '1' } },
          },
        ],
      },
    },
  },
});

export type WorldTraits = {
  readonly start: string;
  readonly kubernetesVersion?: string;
  /** Builds beside the built-in ones, in the form of a feed file. */
  readonly releases?: readonly object[];
};

const kinds: readonly ResourceType[] = [nodePools, nodeClaims, ec2NodeClasses, deployments, nodes];

function typeOf({ kind, apiVersion }: KubernetesObject): ResourceType {
  const found = kinds.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no type for kind ${kind}`);
  return { ...found, version: apiVersion?.split('/')[1] ?? found.version };
}

/** A sandbox with the operator inside, on virtual time, as far as images are concerned. */
export async function imageWorld({ start, kubernetesVersion = '1.29', releases = [] }: WorldTraits) {
  const time = virtualTime(fromTimestamp(start));
  const world = await createEmbeddedWorld({
    way: 'direct',
    clock: time.clock,
    gate: time.gate,
    random: seededRandom(1),
    clusterName,
    kubernetesVersion,
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: mergeReleases(builtInReleases(), parseReleases(releases)),
    controller: true,
  });
  await time.finish(world.start());
  const { admin, aws } = world.sandbox;
  const clients = createAwsClients({
    region: 'us-east-1',
    requestHandler: inProcessRequestHandler(time.gate, world.sandbox.aws.handle),
  });
  const releaseOf = (imageId: string | undefined): ImageRelease | undefined => aws.releases.byImage(imageId ?? '');
  const claims = async (): Promise<readonly NodeClaim[]> => {
    const { items } = await time.finish(admin.list(nodeClaims));
    return items.toSorted(byTextOf(({ metadata }) => metadata.name));
  };
  return {
    aws,
    admin,
    time,
    /** Creates objects in the version they are written in, or gives those that are there a new spec. */
    async apply(...objects: readonly (KubernetesObject & { readonly spec: object })[]): Promise<void> {
      for (const object of objects) {
        const type = typeOf(object);
        const { name, namespace } = object.metadata;
        const key = { name, ...(namespace !== undefined && { namespace }) };
        const there = await time.finish(admin.get(type, key));
        const patch = { type: 'merge', patch: { metadata: object.metadata, spec: object.spec } } as const;
        await time.finish(there === undefined ? admin.create(type, object) : admin.patch(type, key, patch));
      }
    },
    delete: (object: KubernetesObject): Promise<void> =>
      time.finish(admin.delete(typeOf(object), { name: object.metadata.name })),
    /** Lets time pass until an instant. */
    until: (at: string) => time.run(fromTimestamp(at)),
    pass: (minutes: number) => time.run(instant(time.clock.now() + minutes * 60_000)),
    nodeClass: (): Promise<EC2NodeClass | undefined> => time.finish(admin.get(ec2NodeClasses, { name: 'default' })),
    claims,
    /** Versions of the releases that the cluster's nodes run, sorted. */
    async running(): Promise<readonly string[]> {
      const versions = (await claims())
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ status }) => releaseOf(status?.imageID)?.version ?? 'none');
      return versions.toSorted();
    },
    nodes: async () => (await time.finish(admin.list(nodes))).items,
    releaseOf,
    /** Asks AWS as people with its command line would. */
    call: <T>(send: (sdk: typeof clients, options: object) => Promise<T>): Promise<T> =>
      time.finish(time.gate.call((ticket) => send(clients, { ticket }), 'a call by hand')),
    /** What is selected for amd64 and arm64 machines, image ids by architecture. */
    async selected(): Promise<Readonly<Record<string, string>>> {
      const nodeClass = await time.finish(admin.get(ec2NodeClasses, { name: 'default' }));
      const archOf = (requirements: readonly NodeSelectorRequirement[]): string =>
        requirements.find(({ key }) => key === 'kubernetes.io/arch')?.values?.join() ?? '';
      const plain = (nodeClass?.status?.amis ?? []).filter(
        ({ requirements }) =>
          !requirements.some(({ key, operator }) => key.endsWith('-count') && operator === 'Exists'),
      );
      return Object.fromEntries(plain.map(({ id, requirements }) => [archOf(requirements), id]));
    },
    /** Everything that was launched so far, in order: the release of each fleet's image. */
    launched: (): readonly string[] =>
      aws.ec2.instances.all().map(({ settings }) => releaseOf(settings.imageId)?.version ?? 'none'),
    end: () => time.finish(world.stop()),
  };
}
