import { byTextOf, type Node } from '@nodewright/apis';
import { countParallelReplacements, countSurgeInstances } from '@nodewright/nodegroups';
import type { GroupUpdateConfig } from '@nodewright/ports';
import { outdatedNodes } from './counts.ts';
import { nodesToGo } from './goal.ts';
import { instanceIdOfNode } from './names.ts';
import { instancesToReplace } from './nodes-let-go.ts';
import type { GroupObstacle } from './obstacle.ts';
import { quotaNeeds, quotaObstacles } from './quota.ts';
import type { GroupPod, NodeGroupSnapshot } from './snapshot.ts';

/** Issues of a managed group that do not keep EKS from updating it. */
const bearable = new Set([
  'AsgInstanceLaunchFailures',
  'InstanceLimitExceeded',
  'InsufficientFreeAddresses',
  'ClusterUnreachable',
]);

/**
 * What speaks against an update now. An update by EKS can be neither paused nor cancelled, so all of it
 * is asked before the call.
 */
export function obstaclesOf(seen: NodeGroupSnapshot): readonly GroupObstacle[] {
  return [
    ...(seen.pause === undefined ? [] : [{ reason: 'DisruptionPause', message: seen.pause }]),
    ...groupObstacles(seen),
    ...scalingObstacles(seen),
    ...roomObstacles(seen),
    ...quotaObstacles(needsOf(seen)),
    ...podObstacles(seen),
  ];
}

function groupObstacles({ managed, kubernetesVersion }: NodeGroupSnapshot): readonly GroupObstacle[] {
  if (managed === undefined) return [];
  const { status, issues } = managed;
  const isUpdatable = status === 'ACTIVE' || status === 'DEGRADED';
  const isNewer = minorOf(managed.kubernetesVersion) > minorOf(kubernetesVersion);
  return [
    ...(isUpdatable ? [] : [{ reason: 'GroupBusy', message: `the group is ${status}` }]),
    ...(isNewer
      ? [
          {
            reason: 'VersionAhead',
            message: `nodes are at Kubernetes ${managed.kubernetesVersion}, the control plane is at ${kubernetesVersion}`,
          },
        ]
      : []),
    ...issues
      .filter(({ code }) => !bearable.has(code))
      .map(({ code, message }) => ({ reason: code, message: `EKS reports: ${message}` })),
  ];
}

const minorOf = (version: string): number => Number(version.split('.')[1] ?? 0);

function scalingObstacles({ scaling, nodeGroup }: NodeGroupSnapshot): readonly GroupObstacle[] {
  if (scaling === undefined) return [];
  const held = ['Launch', 'Terminate'].filter((process) => scaling.suspended.includes(process));
  const isPlain = nodeGroup.spec.autoScalingGroup !== undefined;
  return [
    ...(isPlain && scaling.template === undefined
      ? [
          {
            reason: 'NoLaunchTemplate',
            message: `${scaling.name} launches from no launch template that names an image`,
          },
        ]
      : []),
    ...(isPlain && scaling.typesWithOwnTemplate.length > 0
      ? [
          {
            reason: 'SeveralTemplates',
            message: `${scaling.typesWithOwnTemplate.join(', ')} of ${scaling.name} have a launch template of their own, which another image would not reach`,
          },
        ]
      : []),
    ...(scaling.isRefreshing === true
      ? [
          {
            reason: 'InstanceRefreshActive',
            message: `an instance refresh of ${scaling.name} ends instances with their pods`,
          },
        ]
      : []),
    ...(held.length === 0
      ? []
      : [{ reason: 'ProcessesSuspended', message: `${held.join(' and ')} of ${scaling.name} is suspended` }]),
  ];
}

function roomObstacles(seen: NodeGroupSnapshot): readonly GroupObstacle[] {
  const { scaling } = seen;
  const surge = surgeFor(seen);
  if (scaling === undefined || scaling.subnets.length === 0) return [];
  const free = scaling.subnets.reduce((sum, { freeAddresses }) => sum + freeAddresses, 0);
  if (free >= surge) return [];
  const message = `${surge} instances more need addresses, the subnets of ${scaling.name} have ${free}`;
  return [{ reason: 'InsufficientFreeAddresses', message }];
}

/** What the surge takes of the account's limits. */
export const needsOf = (seen: NodeGroupSnapshot): ReturnType<typeof quotaNeeds> =>
  seen.scaling === undefined ? [] : quotaNeeds(seen.scaling, seen.quotas ?? [], surgeFor(seen));

function podObstacles(seen: NodeGroupSnapshot): readonly GroupObstacle[] {
  if (seen.nodeGroup.spec.update?.force === true) return [];
  return podsThatMove(seen).flatMap((pod): readonly GroupObstacle[] => {
    if (pod.heldForGood === undefined) return [];
    const { namespace, name, node, heldForGood } = pod;
    const message = `PodDisruptionBudget ${namespace}/${heldForGood} never lets pod ${namespace}/${name} leave ${node}`;
    return [{ reason: 'PodDisruptionBudget', message, namespace, pod: name, node, podDisruptionBudget: heldForGood }];
  });
}

/** Those on nodes that will be replaced, by name. */
export function podsThatMove(seen: NodeGroupSnapshot): readonly GroupPod[] {
  const going = new Set(nodesThatMove(seen).map(({ metadata }) => metadata.name));
  return seen.pods
    .filter(({ node }) => going.has(node))
    .toSorted(byTextOf(({ namespace, name }) => `${namespace}/${name}`));
}

/** In a rollout that goes node by node: the nodes that were let go. */
const nodesThatMove = (seen: NodeGroupSnapshot): readonly Node[] => {
  const letGo = seen.rollout?.byNode?.nodes;
  return nodesToGo(seen).filter((node) => letGo?.has(instanceIdOfNode(node)) !== false);
};

/** How nodes will be replaced: what the NodeGroup says, else what the group has. */
export function updateConfigOfGroup({ nodeGroup, managed }: NodeGroupSnapshot): GroupUpdateConfig {
  const { strategy, maxUnavailable, maxUnavailablePercentage } = nodeGroup.spec.update ?? {};
  const parallel =
    maxUnavailable === undefined && maxUnavailablePercentage === undefined
      ? parallelOf(managed?.updateConfig ?? {})
      : parallelOf({
          ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
          ...(maxUnavailablePercentage === undefined ? {} : { maxUnavailablePercentage }),
        });
  return { strategy: strategy ?? managed?.updateConfig.strategy ?? 'DEFAULT', ...parallel };
}

const parallelOf = ({ maxUnavailable, maxUnavailablePercentage }: GroupUpdateConfig): GroupUpdateConfig => ({
  ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  ...(maxUnavailablePercentage === undefined ? {} : { maxUnavailablePercentage }),
});

export const parallelFor = (seen: NodeGroupSnapshot): number =>
  countParallelReplacements(updateConfigOfGroup(seen), seen.scaling?.instances.length ?? seen.nodes.length);

/** How many instances the group will have too many for a while. */
export function surgeFor(seen: NodeGroupSnapshot): number {
  const { byNode } = seen.rollout ?? {};
  const isMinimal = updateConfigOfGroup(seen).strategy === 'MINIMAL' || byNode?.terminatesFirst === true;
  if (isMinimal || outdatedNodes(seen).length === 0) return 0;
  if (byNode !== undefined) return instancesToReplace(seen).length;
  return countSurgeInstances({ zones: seen.scaling?.zones.length ?? 1, parallel: parallelFor(seen) });
}
