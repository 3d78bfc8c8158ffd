import { formatDuration, parseDuration, type Taint } from '@nodewright/apis';
import { toTexts } from '../../node-settings/kubelet-settings.ts';
import { type BootstrapSettings, sortEntries } from './bootstrap.ts';

/** Arguments of a kubelet that is configured by flags: AL2 and Windows. What is not set has no flag. */
export function writeKubeletFlags({ labels, taints, maxPods, kubelet }: BootstrapSettings): string {
  const graceTimes = mappedFlag(kubelet['evictionSoftGracePeriod'], (text) => formatDuration(parseDuration(text)));
  return [
    nodeLabelsFlag(labels),
    quotedFlag('register-with-taints', taints.map(printTaint)),
    `--max-pods=${maxPods}`,
    plainFlag('pods-per-core', kubelet['podsPerCore'] === 0 ? undefined : kubelet['podsPerCore']),
    quotedFlag('system-reserved', joinedFlag(toTexts(kubelet['systemReserved']), '=')),
    quotedFlag('kube-reserved', joinedFlag(toTexts(kubelet['kubeReserved']), '=')),
    quotedFlag('eviction-hard', joinedFlag(toTexts(kubelet['evictionHard']), '<')),
    quotedFlag('eviction-soft', joinedFlag(toTexts(kubelet['evictionSoft']), '<')),
    quotedFlag('eviction-soft-grace-period', joinedFlag(graceTimes, '=')),
    plainFlag('eviction-max-pod-grace-period', kubelet['evictionMaxPodGracePeriod']),
    plainFlag('image-gc-high-threshold', kubelet['imageGCHighThresholdPercent']),
    plainFlag('image-gc-low-threshold', kubelet['imageGCLowThresholdPercent']),
    plainFlag('cpu-cfs-quota', kubelet['cpuCFSQuota']),
  ]
    .filter((flag) => flag !== undefined)
    .join(' ');
}

export const nodeLabelsFlag = (labels: BootstrapSettings['labels']): string | undefined =>
  quotedFlag('node-labels', joinedFlag(labels, '='));

/** `key=value:effect`, or `key:effect` when the value is empty. */
const printTaint = ({ key, value = '', effect }: Taint): string =>
  value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;

const joinedFlag = (map: Readonly<Record<string, string>>, sign: '=' | '<'): string[] =>
  sortEntries(map).map(([key, value]) => `${key}${sign}${value}`);

const quotedFlag = (flag: string, items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : `--${flag}="${items.join(',')}"`;

const plainFlag = (flag: string, value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? `--${flag}=${value}` : undefined;

export const mappedFlag = (value: unknown, change: (text: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(toTexts(value)).map(([key, text]) => [key, change(text)]));
