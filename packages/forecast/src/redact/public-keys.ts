import {
  awsAnnotations,
  awsLabels,
  finalizers,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  nodewrightAnnotations,
} from '@nodewright/apis';

/** Keys of labels, annotations, taints and tags that Kubernetes, EKS, Karpenter or Nodewright define, beside those of `apis`. */
const furtherKeys = `
alpha.eksctl.io/cluster-name alpha.kubernetes.io/provided-node-ip app.kubernetes.io/component app.kubernetes.io/instance
app.kubernetes.io/managed-by app.kubernetes.io/name app.kubernetes.io/part-of app.kubernetes.io/version
apps.kubernetes.io/pod-index aws:autoscaling:groupName aws:ec2:fleet-id aws:ec2launchtemplate:id
aws:ec2launchtemplate:version batch.kubernetes.io/controller-uid batch.kubernetes.io/cronjob-scheduled-timestamp
batch.kubernetes.io/job-completion-index batch.kubernetes.io/job-name batch.kubernetes.io/job-tracking
beta.kubernetes.io/arch beta.kubernetes.io/instance-type beta.kubernetes.io/os cluster-autoscaler.kubernetes.io/safe-to-evict
controller-revision-hash controller.kubernetes.io/hash controller.kubernetes.io/pod-deletion-cost
deployment.kubernetes.io/desired-replicas deployment.kubernetes.io/max-replicas deployment.kubernetes.io/revision
deprecated.daemonset.template.generation eks.amazonaws.com/capacityType eks.amazonaws.com/component
eks.amazonaws.com/compute-type eks.amazonaws.com/nodegroup eks.amazonaws.com/nodegroup-image
eks.amazonaws.com/sourceLaunchTemplateId eks.amazonaws.com/sourceLaunchTemplateVersion eks:cluster-name
eks:eks-cluster-name eks:nodegroup-name endpointslice.kubernetes.io/managed-by endpoints.kubernetes.io/managed-by
endpointslice.kubernetes.io/skip-mirror failure-domain.beta.kubernetes.io/region failure-domain.beta.kubernetes.io/zone
job-name controller-uid k8s-app k8s.amazonaws.com/eniConfig karpenter.sh/discovery karpenter.sh/disrupted
karpenter.sh/managed-by karpenter.sh/nodeclaim karpenter.sh/unregistered kubectl.kubernetes.io/restartedAt
kubernetes.io/cluster-service kubernetes.io/config.mirror kubernetes.io/config.source kubernetes.io/description
kubernetes.io/metadata.name kubernetes.io/name kubernetes.io/pvc-protection kubernetes.io/pv-protection
kubernetes.io/role/elb kubernetes.io/role/internal-elb kubernetes.io/service-name node.alpha.kubernetes.io/ttl
node.cloudprovider.kubernetes.io/uninitialized node.kubernetes.io/disk-pressure node.kubernetes.io/memory-pressure
node.kubernetes.io/network-unavailable node.kubernetes.io/not-ready node.kubernetes.io/out-of-service
node.kubernetes.io/pid-pressure node.kubernetes.io/unreachable node.kubernetes.io/unschedulable
nodewright.dev/checked-rollout nodewright.dev/disruption-command nodewright.dev/futile-launches
nodewright.dev/join-failures nodewright.dev/launch-attempt nodewright.dev/launch-not-before nodewright.dev/launched-for
nodewright.dev/nodegroup nodewright.dev/replacement-failures nodewright.dev/replacement-for nodewright.dev/rewritten
nodewright.dev/rollout
nodewright.dev/scale-down-disabled nvidia.com/gpu pod-template-generation pod-template-hash
pv.kubernetes.io/bind-completed pv.kubernetes.io/bound-by-controller pv.kubernetes.io/provisioned-by
sandbox.nodewright.dev/cpu-use sandbox.nodewright.dev/memory-use sandbox.nodewright.dev/renews-every-seconds
scheduler.alpha.kubernetes.io/critical-pod service.kubernetes.io/headless statefulset.kubernetes.io/pod-name
storageclass.beta.kubernetes.io/is-default-class storageclass.kubernetes.io/is-default-class
topology.ebs.csi.aws.com/zone topology.k8s.aws/network-node-layer-1 topology.k8s.aws/network-node-layer-2
topology.k8s.aws/network-node-layer-3 volume.beta.kubernetes.io/storage-class
volume.beta.kubernetes.io/storage-provisioner volume.kubernetes.io/selected-node
volume.kubernetes.io/storage-provisioner volumes.kubernetes.io/controller-managed-attach-detach
vpc.amazonaws.com/efa vpc.amazonaws.com/pod-eni
`;

const keysOfApis = [
  awsAnnotations,
  awsLabels,
  finalizers,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  nodewrightAnnotations,
].flatMap((keys) => Object.values<string>(keys));

/** Keys that are the same in every cluster. */
export const publicKeys: ReadonlySet<string> = new Set([...keysOfApis, ...furtherKeys.trim().split(/\s+/)]);

const { hostname: _hostname, ...kubernetesFacts } = kubernetesLabels;
const {
  ec2NodeClass: _nodeClass,
  capacityReservationId: _reservation,
  placementGroupId: _placement,
  ...awsFacts
} = awsLabels;

/** Keys whose values come from Kubernetes and EC2, never from people. */
export const keysOfPublicValues: ReadonlySet<string> = new Set([
  ...Object.values(kubernetesFacts),
  ...Object.values(awsFacts),
  karpenterLabels.capacityType,
  karpenterLabels.initialized,
  karpenterLabels.registered,
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.ebs.csi.aws.com/zone',
]);

/** Keys that are public while people write their values, and that no controller reads. */
export const keysOfFreeText: ReadonlySet<string> = new Set([
  'app.kubernetes.io/component',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/name',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/version',
  'kubernetes.io/description',
]);
