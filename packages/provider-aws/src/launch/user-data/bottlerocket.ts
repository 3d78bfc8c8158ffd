import { formatDuration, parseDuration } from '@nodewright/apis';
import { toTexts } from '../../node-settings/kubelet-settings.ts';
import { type BootstrapSettings, clusterDns, sortEntries } from './bootstrap.ts';
import { mappedFlag } from './kubelet-flags.ts';
import { isTomlTable, mergeTables, parseToml, printToml, type TomlTable } from './toml.ts';

/**
 * Bottlerocket: the user's TOML, under settings that the controller knows better. Everything else stays as it is, whether
 * this version of the controller knows of it or not.
 */
export function bottlerocketUserData(bootstrap: BootstrapSettings): string {
  const own = { settings: { kubernetes: kubernetesSettings(bootstrap), ...ephemeralStorage(bootstrap) } };
  const theirs = bootstrap.custom === undefined ? {} : parseToml(bootstrap.custom);
  return printToml(mergeTables(withoutTaints(theirs, bootstrap), own));
}

function kubernetesSettings(bootstrap: BootstrapSettings): TomlTable {
  const { clusterName, cluster, labels, maxPods, kubelet } = bootstrap;
  const [dns] = clusterDns(bootstrap);
  const graceTimes = mappedFlag(kubelet['evictionSoftGracePeriod'], (text) => formatDuration(parseDuration(text)));
  return {
    'api-server': cluster.endpoint,
    'cluster-certificate': cluster.certificateAuthority,
    'cluster-name': clusterName,
    'max-pods': BigInt(maxPods),
    ...(dns === undefined ? {} : { 'cluster-dns-ip': dns }),
    ...scalar('eviction-max-pod-grace-period', kubelet['evictionMaxPodGracePeriod']),
    ...percentMember('image-gc-high-threshold-percent', kubelet['imageGCHighThresholdPercent']),
    ...percentMember('image-gc-low-threshold-percent', kubelet['imageGCLowThresholdPercent']),
    ...scalar('cpu-cfs-quota-enforced', kubelet['cpuCFSQuota']),
    'node-labels': Object.fromEntries(sortEntries(labels)),
    'node-taints': taintTable(bootstrap),
    ...textTable('system-reserved', toTexts(kubelet['systemReserved'])),
    ...textTable('kube-reserved', toTexts(kubelet['kubeReserved'])),
    ...textTable('eviction-hard', toTexts(kubelet['evictionHard'])),
    ...textTable('eviction-soft', toTexts(kubelet['evictionSoft'])),
    ...textTable('eviction-soft-grace-period', graceTimes),
  };
}

/** `key = ["value:effect", ...]`. */
function taintTable({ taints }: BootstrapSettings): TomlTable {
  const keys = [...new Set(taints.map(({ key }) => key))].toSorted();
  const entriesOf = (key: string): string[] =>
    taints.filter((taint) => taint.key === key).map(({ value = '', effect }) => `${value}:${effect}`);
  return Object.fromEntries(keys.map((key) => [key, entriesOf(key)]));
}

/** Tables that ours replace as a whole are taken out of theirs. */
function withoutTaints(theirs: TomlTable, bootstrap: BootstrapSettings): TomlTable {
  const settings = theirs['settings'];
  if (!isTomlTable(settings) || !isTomlTable(settings['kubernetes'])) return theirs;
  const replaced = Object.entries(kubernetesSettings(bootstrap))
    .filter(([key, value]) => isTomlTable(value) && key !== 'node-labels')
    .map(([key]) => key);
  const kubernetes = Object.fromEntries(
    Object.entries(settings['kubernetes']).filter(([key]) => !replaced.includes(key)),
  );
  return { ...theirs, settings: { ...settings, kubernetes } };
}

const directories = ['/var/lib/containerd', '/var/lib/kubelet', '/var/log/pods'];

function ephemeralStorage({ instanceStorePolicy }: BootstrapSettings): TomlTable {
  if (instanceStorePolicy !== 'RAID0') return {};
  const bind = ['apiclient', 'ephemeral-storage', 'bind', '--dirs', ...directories];
  const command = { commands: [['apiclient', 'ephemeral-storage', 'init'], bind], essential: true, mode: 'always' };
  return { 'bootstrap-commands': { '000-mount-instance-storage': command } };
}

const scalar = (key: string, value: unknown): TomlTable =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value))
    ? { [key]: typeof value === 'number' ? BigInt(value) : value }
    : {};

const percentMember = (key: string, value: unknown): TomlTable =>
  typeof value === 'number' ? { [key]: String(value) } : {};

const textTable = (key: string, values: Readonly<Record<string, string>>): TomlTable =>
  Object.keys(values).length === 0 ? {} : { [key]: Object.fromEntries(sortEntries(values)) };
