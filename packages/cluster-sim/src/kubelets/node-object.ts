import type { Condition, Node, NodeAddress, Taint } from '@nodewright/apis';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { ebsZoneLabel } from '../volumes/drivers.ts';
import { nodeResources } from './capacity.ts';
import type { Bootstrap } from './user-data/bootstrap.ts';

export type ReportedNodeCondition = Condition & { readonly lastHeartbeatTime?: string };

const joiningTaint: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * The Node as its kubelet registers it, not ready yet.
 * @param at when it does, RFC 3339
 */
export function nodeOfMachine(machine: BootedMachine, bootstrap: Bootstrap, at: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: machine.privateDnsName,
      labels: { ...bootstrap.labels, ...labelsOfMachine(machine) },
      annotations: {
        'alpha.kubernetes.io/provided-node-ip': machine.privateIp,
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { providerID: machine.providerId, taints: [...bootstrap.taints, joiningTaint] },
    status: nodeStatus(machine, bootstrap, nodeConditions('notReady', at)),
  };
}

/** What the kubelet of a machine tells of its node. */
export function nodeStatus(
  machine: BootedMachine,
  bootstrap: Bootstrap,
  conditions: readonly ReportedNodeCondition[],
): NonNullable<Node['status']> {
  return {
    ...nodeResources(machine, bootstrap),
    conditions,
    addresses: addressesOf(machine),
    nodeInfo: nodeInfoOf(machine),
    ...machine.reports,
  };
}

export type NodeReadiness = 'notReady' | 'ready';

const healthy = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

export function nodeConditions(readiness: NodeReadiness, at: string): readonly ReportedNodeCondition[] {
  const times = { lastHeartbeatTime: at, lastTransitionTime: at };
  const pressures = healthy.map(
    ([type, reason, message]) => ({ type, status: 'False', reason, message, ...times }) as const,
  );
  return [...pressures, { type: 'Ready', ...readyCondition[readiness], ...times }];
}

const readyCondition = {
  ready: { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  notReady: {
    status: 'False',
    reason: 'KubeletNotReady',
    message:
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  },
} as const;

function labelsOfMachine({
  shape,
  zone,
  zoneId,
  region,
  privateDnsName,
  release,
}: BootedMachine): Readonly<Record<string, string>> {
  const os = release?.family.startsWith('Windows') === true ? 'windows' : 'linux';
  return {
    'beta.kubernetes.io/arch': shape.arch,
    'beta.kubernetes.io/instance-type': shape.instanceType,
    'beta.kubernetes.io/os': os,
    'failure-domain.beta.kubernetes.io/region': region,
    'failure-domain.beta.kubernetes.io/zone': zone,
    'kubernetes.io/arch': shape.arch,
    'kubernetes.io/hostname': privateDnsName,
    'kubernetes.io/os': os,
    'node.kubernetes.io/instance-type': shape.instanceType,
    ...(os === 'windows' && { 'node.kubernetes.io/windows-build': release?.kernelVersion ?? '' }),
    ...(os === 'linux' && { [ebsZoneLabel]: zone }),
    'topology.k8s.aws/zone-id': zoneId,
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': zone,
  };
}

const addressesOf = ({ privateIp, privateDnsName }: BootedMachine): readonly NodeAddress[] => [
  { type: 'InternalIP', address: privateIp },
  { type: 'InternalDNS', address: privateDnsName },
  { type: 'Hostname', address: privateDnsName },
];

function nodeInfoOf({ instanceId, release, shape }: BootedMachine): Readonly<Record<string, string>> {
  // The machine's own identifiers: any stable digits of the right shape.
  const digits = instanceId.replace(/^i-/, '').padStart(32, 'ec2');
  return {
    architecture: shape.arch,
    bootID: uuidOf(digits),
    containerRuntimeVersion: release?.containerRuntimeVersion ?? 'containerd://1.7.11',
    kernelVersion: release?.kernelVersion ?? 'unknown',
    kubeProxyVersion: kubeProxyVersionOf(release?.kubeletVersion ?? 'unknown'),
    kubeletVersion: release?.kubeletVersion ?? 'unknown',
    machineID: digits,
    operatingSystem: release?.family.startsWith('Windows') === true ? 'windows' : 'linux',
    osImage: release?.osImage ?? 'unknown',
    systemUUID: uuidOf(digits),
  };
}

/** Kubelets since 1.33 no longer guess which kube-proxy runs beside them. */
const kubeProxyVersionOf = (kubeletVersion: string): string =>
  Number(/^v1\.(\d+)/.exec(kubeletVersion)?.[1] ?? 0) >= 33 ? '' : kubeletVersion;

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
