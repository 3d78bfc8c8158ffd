import { isQuantity, readOwn } from '@nodewright/apis';
import type { KubeletMembers } from '../node-settings/resolved-kubelet.ts';

type FieldCheck = (path: string, value: unknown) => readonly string[];

const reservable = ['cpu', 'memory', 'ephemeral-storage', 'pid'];
const signals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
];

/** What is wrong with `spec.kubelet`, each with its field, its value and what would be right. */
export function kubeletProblems(kubelet: KubeletMembers | undefined = {}): readonly string[] {
  const set = Object.entries(kubelet).filter(([, value]) => value !== null && value !== undefined);
  return [
    ...set.flatMap(([name, value]) => readOwn(fieldChecks, name)?.(`spec.kubelet.${name}`, value) ?? []),
    ...unmatched(kubelet),
    ...reversed(kubelet),
  ];
}

const wanted = (path: string, value: unknown, right: string): readonly string[] => [
  `${path} is ${JSON.stringify(value)}, wanted ${right}`,
];

const expecting =
  (holds: (value: unknown) => boolean, right: string): FieldCheck =>
  (path, value) =>
    holds(value) ? [] : wanted(path, value, right);

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isTextMember = (value: unknown): value is string => typeof value === 'string';
const isAmount = (value: unknown): boolean => isTextMember(value) && isQuantity(value) && !value.startsWith('-');
const isThreshold = (value: unknown): boolean =>
  isAmount(value) || (isTextMember(value) && /^\d+(\.\d+)?%$/.test(value) && Number.parseFloat(value) <= 100);
const isGoDuration = (value: unknown): boolean =>
  isTextMember(value) && /^(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/.test(value);

const checkCount = expecting(isCount, 'a whole number of at least 0');
const percentage = expecting((value) => isCount(value) && Number(value) <= 100, 'a whole number from 0 to 100');
// Text may be an expression.
const checkReserved = expecting(
  (value) => isTextMember(value) && !value.startsWith('-'),
  'a quantity of at least 0, as text',
);
const checkThreshold = expecting(isThreshold, 'a quantity of at least 0 or a percentage up to 100%');
const checkDuration = expecting(isGoDuration, 'a duration such as 1m30s');

const checkMap =
  (keys: readonly string[], check: FieldCheck): FieldCheck =>
  (path, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wanted(path, value, 'an object');
    return Object.entries(value).flatMap(([key, each]) =>
      keys.includes(key)
        ? check(`${path}[${key}]`, each)
        : [`${path}[${key}] is not known; known are ${keys.join(', ')}`],
    );
  };

const fieldChecks: Readonly<Record<string, FieldCheck>> = {
  maxPods: (path, value) => (isTextMember(value) ? [] : checkCount(path, value)),
  podsPerCore: checkCount,
  evictionMaxPodGracePeriod: checkCount,
  imageGCHighThresholdPercent: percentage,
  imageGCLowThresholdPercent: percentage,
  cpuCFSQuota: expecting((value) => typeof value === 'boolean', 'true or false'),
  clusterDNS: expecting((value) => Array.isArray(value) && value.every(isTextMember), 'a list of addresses'),
  kubeReserved: checkMap(reservable, checkReserved),
  systemReserved: checkMap(reservable, checkReserved),
  evictionHard: checkMap(signals, checkThreshold),
  evictionSoft: checkMap(signals, checkThreshold),
  evictionSoftGracePeriod: checkMap(signals, checkDuration),
  evictionMinimumReclaim: checkMap(signals, checkThreshold),
  registerWithTaints: (path) => [`${path} is set by the controller; use spec.template.spec.taints of the NodePool`],
};

/** Each soft threshold needs its grace period, and the other way round. */
function unmatched({ evictionSoft, evictionSoftGracePeriod }: KubeletMembers): readonly string[] {
  const [soft, grace] = [evictionSoft ?? {}, evictionSoftGracePeriod ?? {}].map((map) => Object.keys(map).toSorted());
  if (soft?.join() === grace?.join()) return [];
  return [
    `spec.kubelet.evictionSoft has ${soft?.join(', ') || 'nothing'}, evictionSoftGracePeriod has ${grace?.join(', ') || 'nothing'}; both need the same signals`,
  ];
}

function reversed({
  imageGCHighThresholdPercent: high,
  imageGCLowThresholdPercent: low,
}: KubeletMembers): readonly string[] {
  if (typeof high !== 'number' || typeof low !== 'number' || high > low) return [];
  return [
    `spec.kubelet.imageGCHighThresholdPercent is ${high}, wanted more than imageGCLowThresholdPercent, which is ${low}`,
  ];
}
