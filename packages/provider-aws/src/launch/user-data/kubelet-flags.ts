import { formatDuration, parseDuration, type Taint } from '@nodewright/apis';
import { texts } from '../../node-settings/kubelet-settings.ts';
import { type Bootstrap, sortedEntries } from './bootstrap.ts';

/** Arguments of a kubelet that is configured by flags: AL2 and Windows. What is not set has no flag. */
export function kubeletFlags({ labels, taints, maxPods, kubelet }: Bootstrap): string {
  const graceTimes = mapped(kubelet['evictionSoftGracePeriod'], (text) => formatDuration(parseDuration(text)));
  return [
    nodeLabelsFlag(labels),
    quoted('register-with-taints', taints.map(printTaint)),
    `--max-pods=${maxPods}`,
    plain('pods-per-core', kubelet['podsPerCore'] === 0 ? undefined : kubelet['podsPerCore']),
    quoted('system-reserved', joined(texts(kubelet['systemReserved']), '=')),
    quoted('kube-reserved', joined(texts(kubelet['kubeReserved']), '=')),
    quoted('eviction-hard', joined(texts(kubelet['evictionHard']), '<')),
    quoted('eviction-soft', joined(texts(kubelet['evictionSoft']), '<')),
    quoted('eviction-soft-grace-period', joined(graceTimes, '=')),
    plain('eviction-max-pod-grace-period', kubelet['evictionMaxPodGracePeriod']),
    plain('image-gc-high-threshold', kubelet['imageGCHighThresholdPercent']),
    plain('image-gc-low-threshold', kubelet['imageGCLowThresholdPercent']),
    plain('cpu-cfs-quota', kubelet['cpuCFSQuota']),
  ]
    .filter((flag) => flag !== undefined)
    .join(' ');
}

export const nodeLabelsFlag = (labels: Bootstrap['labels']): string | undefined =>
  quoted('node-labels', joined(labels, '='));

/** `key=value:effect`, or `key:effect` when the value is empty. */
const printTaint = ({ key, value = '', effect }: Taint): string =>
  value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;

const joined = (map: Readonly<Record<string, string>>, sign: '=' | '<'): string[] =>
  sortedEntries(map).map(([key, value]) => `${key}${sign}${value}`);

const quoted = (flag: string, items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : `--${flag}="${items.join(',')}"`;

const plain = (flag: string, value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? `--${flag}=${value}` : undefined;

export const mapped = (value: unknown, change: (text: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts(value)).map(([key, text]) => [key, change(text)]));
