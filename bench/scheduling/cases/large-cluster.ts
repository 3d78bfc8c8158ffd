import type { Node, NodeClaim, Pod } from '@nodewright/apis';
import type { ProblemFile, SchedulingProblem } from '@nodewright/engine';
import { openPool, syntheticLabels, syntheticTypes } from './synthetic-types.ts';

const nodeCount = 5_000;
const podsPerNode = 20;
const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
const type = 'fake-it-15';
const size = { cpu: '15900m', memory: '32758Mi', pods: '160' };

/** A full cluster of 5,000 nodes and 100,000 pods of 50 deployments, every fifth deployment spread over zones. */
export const largeCluster = (): ProblemFile => ({
  wellKnownLabels: syntheticLabels,
  instanceTypes: syntheticTypes(400),
  nodePools: [openPool],
  nodes: Array.from({ length: nodeCount }, (_, index) => ({ ...machine(index), pods: podsOf(index) })),
  pods: [],
});

/** New pods of the deployments; others for every number. */
export const withPods = (problem: SchedulingProblem, count: number, number: number): SchedulingProblem => ({
  ...problem,
  pods: Array.from({ length: count }, (_, index) => pod(`new-${number}-${index}`, number + index)),
});

/** The cluster without one node, whose pods look for another place: what consolidation asks. */
export function withoutNode(problem: SchedulingProblem, number: number): SchedulingProblem {
  const leaving = problem.nodes[number % nodeCount];
  return leaving === undefined ? problem : { ...problem, leavingNodes: [leaving], pods: leaving.pods };
}

const podsOf = (node: number): readonly Pod[] =>
  Array.from({ length: podsPerNode }, (_, index) => {
    const each = pod(`n${node}-${index}`, node * podsPerNode + index);
    return { ...each, spec: { ...each.spec, nodeName: nameOf(node) }, status: { phase: 'Running' as const } };
  });

function pod(name: string, index: number): Pod {
  const deployment = index % 50;
  const labels = { app: `app-${deployment}` };
  const topologySpreadConstraints = [
    {
      maxSkew: 1_000,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: labels },
    },
  ];
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: '780m', memory: '1500Mi' } } }],
      ...(deployment % 5 === 0 ? { topologySpreadConstraints } : {}),
    },
  };
}

const nameOf = (index: number): string => `node-${String(index).padStart(4, '0')}`;

function machine(index: number): { readonly node: Node; readonly nodeClaim: NodeClaim } {
  const name = nameOf(index);
  const labels = {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'karpenter.sh/capacity-type': 'spot',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': zones[index % zones.length] ?? '',
    'example.com/cluster': 'bench',
  };
  const status = { capacity: size, allocatable: size, providerID: `fake:///${name}` };
  return {
    node: {
      metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name } },
      spec: { providerID: `fake:///${name}` },
      status: { capacity: size, allocatable: size },
    },
    nodeClaim: {
      metadata: { name: `default-${index}`, labels },
      spec: { nodeClassRef: openPool.spec.template.spec.nodeClassRef, requirements: [] },
      status,
    },
  };
}
