import type { ScalingGroup } from '@nodewright/ports';
import { outdatedNodes } from './counts.ts';
import { ownHook } from './departures.ts';
import { parallelFor, podsThatMove, surgeFor, updateConfigOfGroup } from './gate.ts';
import { heldProcesses } from './held-processes.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { surgeByZone } from './zones.ts';

/** What a person should know before an update, and what does not keep it from beginning. */
export const listGroupWarnings = (seen: NodeGroupSnapshot): readonly string[] => [
  ...zoneWarnings(seen),
  ...podWarnings(seen),
  ...clusterWarnings(seen),
  ...(seen.scaling === undefined ? [] : groupWarnings(seen.scaling, seen.nodeGroup.spec.eks === undefined)),
];

function zoneWarnings(seen: NodeGroupSnapshot): readonly string[] {
  const { scaling, nodes } = seen;
  const { strategy } = updateConfigOfGroup(seen);
  const isSuspended =
    scaling?.suspended.includes('AZRebalance') === true && !heldProcesses(seen).includes('AZRebalance');
  const isUnbalanced = (scaling?.zones.length ?? 0) > 1 && isSuspended;
  const short = surgeByZone(seen, surgeFor(seen)).filter((zone) => zone.freeAddresses < zone.surge);
  return [
    ...(strategy === 'DEFAULT' && isUnbalanced
      ? ['AZRebalance is suspended: a zone with old nodes may get no new one, and the update then fails']
      : []),
    ...short.map(({ zone, surge, freeAddresses }) => `${zone} may need ${surge} addresses and has ${freeAddresses}`),
    ...(strategy === 'MINIMAL' && nodes.length > 0 && parallelFor(seen) >= nodes.length
      ? ['as many nodes go at once as there are: the group may be empty for a while']
      : []),
  ];
}

const podWarnings = (seen: NodeGroupSnapshot): readonly string[] =>
  podsThatMove(seen).flatMap(({ namespace, name, toleratesEverything, isBare }) => [
    ...(toleratesEverything ? [`pod ${namespace}/${name} tolerates every taint and may come back to its node`] : []),
    ...(isBare ? [`pod ${namespace}/${name} belongs to no controller: nothing makes it anew`] : []),
  ]);

function clusterWarnings(seen: NodeGroupSnapshot): readonly string[] {
  const { dnsNodes, hasClusterAutoscaler } = seen.neighbours;
  const old = new Set(outdatedNodes(seen).map(({ metadata }) => metadata.name));
  const [only = ''] = dnsNodes;
  return [
    ...(dnsNodes.length === 1 && old.has(only)
      ? [`coredns has one pod, on ${only}: the cluster resolves no names while it moves; give it two`]
      : []),
    ...(hasClusterAutoscaler
      ? ['Cluster Autoscaler runs: if it raises the group meanwhile, the larger size stays']
      : []),
  ];
}

function groupWarnings(scaling: ScalingGroup, isPlain: boolean): readonly string[] {
  const own = ownHook(scaling);
  const foreign = isPlain ? scaling.hooks.filter((hook) => hook !== own) : [];
  return [
    ...(scaling.isRefreshing === 'unknown'
      ? ['the endpoint does not tell whether an instance refresh is under way; none may be']
      : []),
    ...foreign.map(
      ({ name, transition, heartbeatSeconds }) =>
        `hook ${name} makes ${transition} instances wait, up to ${heartbeatSeconds} seconds when nothing answers`,
    ),
  ];
}
