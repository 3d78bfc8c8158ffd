import type { ProblemFile } from '@nodewright/engine';

const gib = (amount: number): string => `${amount}Gi`;

const offerings = [
  ['test-zone-1', 'spot'],
  ['test-zone-2', 'spot'],
  ['test-zone-1', 'on-demand'],
  ['test-zone-2', 'on-demand'],
  ['test-zone-3', 'on-demand'],
] as const;

/** Type i has i+1 vCPU, 2(i+1) GiB and 10(i+1) pods, at one price however it is bought. */
export const syntheticTypes = (count: number): ProblemFile['instanceTypes'] =>
  Array.from({ length: count }, (_, index) => {
    const size = index + 1;
    const price = size * 0.1 + (size * 2 * 2 ** 30) / 1e10;
    return {
      name: `fake-it-${index}`,
      requirements: {
        'node.kubernetes.io/instance-type': [`fake-it-${index}`],
        'kubernetes.io/arch': ['amd64'],
        'kubernetes.io/os': ['darwin', 'linux', 'windows'],
        'topology.kubernetes.io/zone': ['test-zone-1', 'test-zone-2', 'test-zone-3'],
        'karpenter.sh/capacity-type': ['on-demand', 'spot'],
        integer: [String(size)],
        size: [size > 4 ? 'large' : 'small'],
        special: size > 4 ? ['optional'] : [],
      },
      capacity: { cpu: String(size), memory: gib(2 * size), pods: String(10 * size) },
      overhead: { cpu: '100m', memory: '10Mi' },
      offerings: offerings.map(([zone, capacityType]) => ({ zone, capacityType, price, available: true })),
    };
  });

/** One NodePool that takes everything. */
export const openPool: ProblemFile['nodePools'][number] = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      metadata: { labels: { 'example.com/cluster': 'bench' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [],
      },
    },
    limits: { cpu: '10000000', memory: '10000000Gi' },
  },
};

export const syntheticLabels = ['integer', 'size', 'special'];
