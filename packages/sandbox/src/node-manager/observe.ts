import { type Node, nodes, type Pod, pods, readOwn } from '@nodewright/apis';
import type { Observation, SeenNode, SeenPod } from '@nodewright/nodegroups';
import type { IndexBy } from '@nodewright/runtime';
import type { AutoScalingGroupRecord, NodegroupResources } from '@nodewright/aws-endpoints';
import { isTrue, type ClusterWatches, indexByNode, isEndedPod, controllerOf } from '@nodewright/cluster-sim';
import { updateMarkTaint } from './update-mark.ts';

/**
 * The world of one node group, from what is watched and what Auto Scaling knows.
 * @param eyes blind: of nodes and pods nothing is seen
 */
export function observe(
  watches: ClusterWatches,
  scaling: AutoScalingGroupRecord,
  { configurations, pointer }: NodegroupResources,
  eyes: { readonly blind?: boolean } = {},
): Observation {
  const found = eyes.blind === true ? [] : nodesOf(watches, scaling);
  return {
    group: {
      min: scaling.min,
      max: scaling.max,
      desired: scaling.desired,
      zones: scaling.zones,
      configuration: readOwn(configurations, pointer) ?? pointer,
      versions: Object.fromEntries(
        Object.entries(configurations).map(([version, configuration]) => [configuration, version]),
      ),
      suspended: scaling.suspended,
      instances: scaling.instances.map(({ id, zone, lifecycle, template, launchedAt }) => ({
        id,
        zone,
        lifecycle,
        launchedAt,
        configuration: readOwn(configurations, template.version) ?? template.version,
      })),
    },
    nodes: found.map(({ instanceId, node }) => observeNode(instanceId, node)),
    pods: found.flatMap(({ node }) => podsToEvict(watches, node.metadata.name).map(seenPod)),
  };
}

/** Nodes of the group's instances, in the order of the instances. */
export const nodesOf = (
  watches: ClusterWatches,
  scaling: AutoScalingGroupRecord,
): readonly { readonly instanceId: string; readonly node: Node }[] =>
  scaling.instances.flatMap(({ id }) => {
    const node = nodeOfInstance(watches, id);
    return node === undefined ? [] : [{ instanceId: id, node }];
  });

export const nodeOfInstance = (watches: ClusterWatches, instanceId: string): Node | undefined =>
  watches.of(nodes).by(byInstance, instanceId)[0];

const byInstance: IndexBy<Node> = ({ spec }) =>
  spec?.providerID === undefined ? [] : [spec.providerID.slice(spec.providerID.lastIndexOf('/') + 1)];

const observeNode = (instanceId: string, node: Node): SeenNode => ({
  name: node.metadata.name,
  instanceId,
  ready: isTrue(node.status?.conditions, 'Ready'),
  labels: node.metadata.labels ?? {},
  unschedulable: node.spec?.unschedulable ?? false,
  marked: node.spec?.taints?.some(({ key }) => key === updateMarkTaint.key) ?? false,
  starting: false,
});

/** The pods of a node without pods of DaemonSets, mirror pods and finished pods. */
export const podsToEvict = (watches: ClusterWatches, nodeName: string): readonly Pod[] =>
  watches
    .of(pods)
    .by(indexByNode, nodeName)
    .filter((pod) => controllerOf(pod)?.kind !== 'DaemonSet' && !isMirror(pod) && !isEndedPod(pod));

const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;

/** Budgets are the API server's business: EKS asks for an eviction, and hears whether they allow it. */
const seenPod = ({ metadata, spec }: Pod): SeenPod => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  node: spec.nodeName ?? '',
  leaving: metadata.deletionTimestamp !== undefined,
  budgets: [],
});
