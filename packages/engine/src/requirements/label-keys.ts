/** Older spellings of a label key, and what they are read as wherever a requirement is built. */
const currentSpelling: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'topology.ebs.csi.aws.com/zone': 'topology.kubernetes.io/zone',
};

/** The key that a requirement on `key` is kept under: old and vendor spellings become the current one. */
export const normaliseKey = (key: string): string => currentSpelling[key] ?? key;

export const zoneLabel = 'topology.kubernetes.io/zone';
export const instanceTypeLabel = 'node.kubernetes.io/instance-type';
export const hostnameLabel = 'kubernetes.io/hostname';
export const capacityTypeLabel = 'karpenter.sh/capacity-type';
export const nodePoolLabel = 'karpenter.sh/nodepool';
export const registeredLabel = 'karpenter.sh/registered';
export const initializedLabel = 'karpenter.sh/initialized';

/**
 * Labels that every cloud defines on its nodes, so that a pod may ask for them although its
 * NodePool does not mention them. A provider adds its own.
 */
export const coreWellKnownLabels: ReadonlySet<string> = new Set([
  nodePoolLabel,
  zoneLabel,
  'topology.kubernetes.io/region',
  instanceTypeLabel,
  'kubernetes.io/arch',
  'kubernetes.io/os',
  capacityTypeLabel,
  'node.kubernetes.io/windows-build',
]);
