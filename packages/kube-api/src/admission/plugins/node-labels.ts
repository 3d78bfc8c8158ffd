import { readOwn } from '@nodewright/apis';

/** The labels of Kubernetes that a kubelet may put on its node. */
const kubeletLabels: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

const kubeletDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const protectedDomain = 'node-restriction.kubernetes.io';

type Labels = Readonly<Record<string, string>>;

/** The labels that a node adds, changes or removes although only others may. */
export function disallowedNodeLabels(after: Labels = {}, before: Labels = {}): readonly string[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter((name) => readOwn(after, name) !== readOwn(before, name) && isProtected(name)).toSorted();
}

function isProtected(name: string): boolean {
  const domain = name.includes('/') ? (name.split('/')[0] ?? '') : '';
  if (isWithinDomain(domain, protectedDomain)) return true;
  const isOfKubernetes = isWithinDomain(domain, 'kubernetes.io') || isWithinDomain(domain, 'k8s.io');
  if (!isOfKubernetes || kubeletLabels.has(name)) return false;
  return !kubeletDomains.some((allowed) => isWithinDomain(domain, allowed));
}

const isWithinDomain = (domain: string, outer: string): boolean => domain === outer || domain.endsWith(`.${outer}`);
