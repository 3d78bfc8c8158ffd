import type { Pod, Taint, Toleration } from '@nodewright/apis';
import { podRequests } from '../../pods/pod-requests.ts';
import { requirementsIntersect, isCompatible, type Requirements } from '@nodewright/requirements';
import { hostPortsOf, type PodHostPort } from '../../pods/host-ports.ts';
import type { InstanceType, Resources } from '../../instance-types/instance-type.ts';
import { addResources, noResources } from '../../instance-types/resources.ts';
import { toleratesAll, toleratesPreferNoSchedule } from '../../pods/tolerations.ts';
import { admittedNodes } from '../../pods/admitted-nodes.ts';

/** What the daemons of one node take. Equal sets of daemons share one object. */
export type DaemonOverhead = {
  readonly requests: Resources;
  readonly hostPorts: readonly PodHostPort[];
};

export const noDaemons: DaemonOverhead = { requests: noResources, hostPorts: [] };

type NodeToBe = {
  readonly taints: readonly Taint[];
  readonly requirements: Requirements;
  readonly wellKnownLabels: ReadonlySet<string>;
};

/** What daemons take from a new node of this pool, for each instance type. */
export function daemonOverheads(
  daemons: readonly Pod[],
  node: NodeToBe,
  types: readonly InstanceType[],
): ReadonlyMap<InstanceType, DaemonOverhead> {
  const willing = daemons.filter((daemon) => toleratesTaints(daemon, node.taints));
  const bySet = new Map<string, DaemonOverhead>();
  return new Map(
    types.map((type) => {
      const running = willing.filter((daemon) => runsOn(daemon, node, type));
      const identity = running.map((daemon) => willing.indexOf(daemon)).join(' ');
      const overhead = bySet.get(identity) ?? daemonOverheadOf(running);
      bySet.set(identity, overhead);
      return [type, overhead];
    }),
  );
}

/** Tolerations that the DaemonSet controller adds to every daemon pod. */
const daemonSetTolerations: readonly Toleration[] = [
  ...['unschedulable', 'memory-pressure', 'disk-pressure', 'pid-pressure'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists' as const,
    effect: 'NoSchedule' as const,
  })),
  ...['not-ready', 'unreachable'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists' as const,
    effect: 'NoExecute' as const,
  })),
  toleratesPreferNoSchedule,
];

/** Whether a daemon runs in spite of taints. The tolerations of the DaemonSet controller count. */
export const toleratesTaints = (daemon: Pod, taints: readonly Taint[]): boolean =>
  taints.length === 0 || toleratesAll(taints, [...(daemon.spec.tolerations ?? []), ...daemonSetTolerations]);

/** The sum of what daemons take. */
export const daemonOverheadOf = (daemons: readonly Pod[]): DaemonOverhead =>
  daemons.length === 0
    ? noDaemons
    : {
        requests: daemons.map(podRequests).reduce(addResources, noResources),
        hostPorts: daemons.flatMap(hostPortsOf),
      };

/** Whether some alternative of the daemon's node affinity admits the node. */
const runsOn = (daemon: Pod, node: NodeToBe, type: InstanceType): boolean =>
  admittedNodes(daemon).some(
    (asked) =>
      isCompatible(node.requirements, asked, node.wellKnownLabels) && requirementsIntersect(type.requirements, asked),
  );
