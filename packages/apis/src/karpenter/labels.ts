import type { Taint } from '../kubernetes/core.ts';

/** Labels that Kubernetes itself defines on nodes. */
export const kubernetesLabels = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  /** `use1-az1`: the same place in every account. */
  zoneId: 'topology.k8s.aws/zone-id',
  instanceType: 'node.kubernetes.io/instance-type',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  hostname: 'kubernetes.io/hostname',
  windowsBuild: 'node.kubernetes.io/windows-build',
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
} as const;

/** Labels in `karpenter.sh`, on claims and nodes. */
export const karpenterLabels = {
  nodePool: 'karpenter.sh/nodepool',
  /** `spot`, `on-demand` or `reserved`. */
  capacityType: 'karpenter.sh/capacity-type',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
} as const;

/** Labels in `karpenter.k8s.aws`, on claims and nodes: what an instance type is. */
export const awsLabels = {
  ec2NodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  instanceCategory: 'karpenter.k8s.aws/instance-category',
  instanceGeneration: 'karpenter.k8s.aws/instance-generation',
  instanceFamily: 'karpenter.k8s.aws/instance-family',
  instanceSize: 'karpenter.k8s.aws/instance-size',
  instanceCapabilityFlex: 'karpenter.k8s.aws/instance-capability-flex',
  instanceCpu: 'karpenter.k8s.aws/instance-cpu',
  instanceCpuManufacturer: 'karpenter.k8s.aws/instance-cpu-manufacturer',
  instanceCpuSustainedClockSpeedMhz: 'karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz',
  instanceMemory: 'karpenter.k8s.aws/instance-memory',
  instanceEbsBandwidth: 'karpenter.k8s.aws/instance-ebs-bandwidth',
  instanceNetworkBandwidth: 'karpenter.k8s.aws/instance-network-bandwidth',
  instanceLocalNvme: 'karpenter.k8s.aws/instance-local-nvme',
  instanceGpuName: 'karpenter.k8s.aws/instance-gpu-name',
  instanceGpuManufacturer: 'karpenter.k8s.aws/instance-gpu-manufacturer',
  instanceGpuCount: 'karpenter.k8s.aws/instance-gpu-count',
  instanceGpuMemory: 'karpenter.k8s.aws/instance-gpu-memory',
  instanceAcceleratorName: 'karpenter.k8s.aws/instance-accelerator-name',
  instanceAcceleratorManufacturer: 'karpenter.k8s.aws/instance-accelerator-manufacturer',
  instanceAcceleratorCount: 'karpenter.k8s.aws/instance-accelerator-count',
  instanceHypervisor: 'karpenter.k8s.aws/instance-hypervisor',
  instanceEncryptionInTransitSupported: 'karpenter.k8s.aws/instance-encryption-in-transit-supported',
  instanceTenancy: 'karpenter.k8s.aws/instance-tenancy',
  nitroSandbox: 'karpenter.k8s.aws/nitro-sandbox',
  capacityReservationId: 'karpenter.k8s.aws/capacity-reservation-id',
  capacityReservationType: 'karpenter.k8s.aws/capacity-reservation-type',
  capacityReservationInterruptible: 'karpenter.k8s.aws/capacity-reservation-interruptible',
  placementGroupId: 'karpenter.k8s.aws/placement-group-id',
  placementGroupPartition: 'karpenter.k8s.aws/placement-group-partition',
} as const;

/** Annotations in `karpenter.sh`, and those left behind by conversion. */
export const karpenterAnnotations = {
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** RFC 3339 instant after which draining is forced, on a claim. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  capacityBufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  capacityBufferName: 'karpenter.sh/capacity-buffer-name',
  capacityBufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  storedVersionMigrated: 'karpenter.sh/stored-version-migrated',
  provider: 'compatibility.karpenter.sh/provider',
  v1beta1Kubelet: 'compatibility.karpenter.sh/v1beta1-kubelet-conversion',
  v1beta1NodeClassReference: 'compatibility.karpenter.sh/v1beta1-nodeclass-reference',
} as const;

/** Annotations in `karpenter.k8s.aws`, and those left behind by conversion. */
export const awsAnnotations = {
  ec2NodeClassHash: 'karpenter.k8s.aws/ec2nodeclass-hash',
  ec2NodeClassHashVersion: 'karpenter.k8s.aws/ec2nodeclass-hash-version',
  instanceProfileName: 'karpenter.k8s.aws/instance-profile-name',
  tagged: 'karpenter.k8s.aws/tagged',
  clusterNameTagged: 'compatibility.karpenter.k8s.aws/cluster-name-tagged',
  v1AliasVersion: 'compatibility.karpenter.k8s.aws/v1-alias-version',
  v1beta1Ubuntu: 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu',
} as const;

/** Annotations that are Nodewright's own. */
export const nodewrightAnnotations = {
  /** Until when the images in `status.amis` are the answer; RFC 3339. */
  decisionValidUntil: 'nodewright.dev/decision-valid-until',
  /** The same as `amiSelectorTerms[].minimumAgeDuration`, for people who keep Karpenter's own CRDs. */
  minimumAgeDuration: 'nodewright.dev/minimum-age-duration',
  /** On a NodeGroup: a request for an update. A value that was there before is no new request. */
  upgradeRequest: 'nodewright.dev/upgrade-request',
  /** When each image was first named by a moving parameter: a JSON object, image id to RFC 3339. On EC2NodeClasses. */
  imagesFirstSeen: 'nodewright.dev/images-first-seen',
  /** Releases that the aliases have found: `al2@v20240117 for 1.29`, by commas. On EC2NodeClasses. */
  releasesSeen: 'nodewright.dev/releases-seen',
  /** What the cloud said it is out of, and when that is tried again. On EC2NodeClasses. */
  outOfCapacity: 'nodewright.dev/out-of-capacity',
  /** On objects of v1beta1: fields of v1 that v1beta1 does not have. On NodePools, NodeClaims and EC2NodeClasses. */
  v1Fields: 'nodewright.dev/v1-fields',
  /** On objects of v1: what they said in v1beta1 and v1 does not have. */
  v1beta1Fields: 'nodewright.dev/v1beta1-fields',
} as const;

export const finalizers = {
  /** On claims and nodes. */
  termination: 'karpenter.sh/termination',
  /** On EC2NodeClasses. */
  ec2NodeClass: 'karpenter.k8s.aws/termination',
  /** On NodeGroups while an Auto Scaling group is updated: nothing is left half-way when one is deleted. */
  nodeGroupUpdate: 'nodewright.dev/update',
} as const;

/** What a kubelet must start with; taken off at registration. */
export const unregisteredTaint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const satisfies Taint;

/** Put on a node that is about to go. */
export const disruptedTaint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' } as const satisfies Taint;

/**
 * Taints that go away by themselves while a node starts. Identity is key and effect; the value is not
 * compared.
 */
export const knownEphemeralTaints: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
  unregisteredTaint,
];

/** Taints whose key begins so are ephemeral too, whatever their effect. */
export const readinessTaintPrefix = 'readiness.k8s.io/';

/** EC2 tags on everything that is launched, besides `spec.tags`. */
export const awsTags = {
  name: 'Name',
  clusterName: 'eks:eks-cluster-name',
  nodePool: karpenterLabels.nodePool,
  nodeClaim: 'karpenter.sh/nodeclaim',
  ec2NodeClass: awsLabels.ec2NodeClass,
  /** `kubernetes.io/cluster/<name>` with the value `owned`. */
  cluster: (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`,
} as const;

/** Labels that a claim may leave undefined and that still can be satisfied. */
export const wellKnownLabels: ReadonlySet<string> = new Set([
  karpenterLabels.nodePool,
  karpenterLabels.capacityType,
  kubernetesLabels.zone,
  kubernetesLabels.region,
  kubernetesLabels.zoneId,
  kubernetesLabels.instanceType,
  kubernetesLabels.arch,
  kubernetesLabels.os,
  kubernetesLabels.windowsBuild,
  ...Object.values(awsLabels).filter((label) => label !== awsLabels.ec2NodeClass),
]);

/** Old label keys to the ones they mean. */
export const normalizedLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', kubernetesLabels.zone],
  ['failure-domain.beta.kubernetes.io/region', kubernetesLabels.region],
  ['beta.kubernetes.io/arch', kubernetesLabels.arch],
  ['beta.kubernetes.io/os', kubernetesLabels.os],
  ['beta.kubernetes.io/instance-type', kubernetesLabels.instanceType],
  ['topology.ebs.csi.aws.com/zone', kubernetesLabels.zone],
]);

/**
 * Whether the label is restricted: keys in `karpenter.sh`, its subdomains and the provider's
 * domain, and the host name, unless well known.
 */
export function isRestrictedLabel(key: string): boolean {
  if (wellKnownLabels.has(key)) return false;
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  return (
    key === kubernetesLabels.hostname || isInDomain(domain, 'karpenter.sh') || isInDomain(domain, 'karpenter.k8s.aws')
  );
}

const isInDomain = (domain: string, of: string): boolean => domain === of || domain.endsWith(`.${of}`);
