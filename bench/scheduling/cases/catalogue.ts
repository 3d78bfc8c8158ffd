import { offlineWorld } from '../../../packages/cli/src/commands/simulate/offline-world.ts';
import type { EC2NodeClass, NodePool, Pod, PodSpec } from '@nodewright/apis';
import type { SchedulingProblem } from '@nodewright/engine';
import { seededRandom } from '@nodewright/runtime';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const sizes = [
  ['100m', '128Mi'],
  ['250m', '256Mi'],
  ['500m', '1Gi'],
  ['1', '2Gi'],
  ['2', '4Gi'],
  ['4', '16Gi'],
] as const;

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
        ],
      },
    },
  },
};

const nodeClass: EC2NodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
};

type Labels = Readonly<Record<string, string>>;
type Wish = (labels: Labels, deployment: number) => Partial<PodSpec>;

const spread =
  (topologyKey: string, maxSkew: number, whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): Wish =>
  (labels) => ({
    topologySpreadConstraints: [{ maxSkew, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: labels } }],
  });

const selecting =
  (key: string, ...values: readonly string[]): Wish =>
  (_, deployment) => ({ nodeSelector: { [key]: values[deployment % values.length] ?? '' } });

const required = (topologyKey: string, labels: Labels) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: labels } }],
});

const apart: Wish = (labels) => ({ affinity: { podAntiAffinity: required(hostname, labels) } });

/** How many deployments ask what beside room: fifty in all. */
const wishes = [
  [20, () => ({})],
  [10, spread(zone, 1, 'DoNotSchedule')],
  [3, spread(hostname, 3, 'ScheduleAnyway')],
  [4, selecting('kubernetes.io/arch', 'amd64', 'amd64', 'arm64')],
  [3, selecting(zone, ...zones)],
  [3, selecting('karpenter.k8s.aws/instance-category', 'm', 'c')],
  [4, apart],
  [3, (labels) => ({ affinity: { podAffinity: required(zone, labels) } })],
] as const satisfies readonly (readonly [number, Wish])[];

/** Deployments that keep their pods on hosts of their own stay this small, however many pods there are. */
const mostApart = 20;

/** The sandbox's instance types in three zones, three daemons, and pods of 50 deployments of different sizes. */
export async function catalogueMix(count: number): Promise<SchedulingProblem> {
  const random = seededRandom(7);
  const deployments = wishes
    .flatMap(([number, wish]) => Array.from({ length: number }, (): Wish => wish))
    .map((wish, index) => ({
      wish,
      name: `app-${String(index).padStart(2, '0')}`,
      index,
      size: random.pick(sizes),
      share: 1 + random.integer(9),
      replicas: 0,
    }));
  const pods: Pod[] = [];
  while (pods.length < count) {
    for (const each of deployments) {
      const { wish, name, index, size, share } = each;
      for (let i = 0; i < share && pods.length < count; i++) {
        if (wish === apart && each.replicas === mostApart) break;
        const labels = { app: name };
        pods.push(pod(`${name}-${each.replicas}`, labels, size, wish(labels, index)));
        each.replicas += 1;
      }
    }
  }
  const world = await offlineWorld(zones);
  return {
    nodePools: [{ nodePool: pool, instanceTypes: await world.typesOf(nodeClass) }],
    nodes: [],
    pods,
    daemonPods: [
      pod('cni', { app: 'cni' }, ['50m', undefined]),
      pod('kube-proxy', { app: 'kube-proxy' }, ['100m', undefined]),
      pod('csi', { app: 'csi' }, ['30m', '120Mi']),
    ],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  };
}

function pod(
  name: string,
  labels: Labels,
  [cpu, memory]: readonly [string, string | undefined],
  spec: Partial<PodSpec> = {},
): Pod {
  const requests = memory === undefined ? { cpu } : { cpu, memory };
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { ...spec, containers: [{ name: 'main', resources: { requests } }] },
  };
}
