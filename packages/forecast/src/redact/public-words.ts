import { karpenterCustomResources, nodewrightCustomResources } from '@nodewright/apis';
import { driftReasons } from '@nodewright/engine';
import { resourceNameOf, snapshotKinds } from '../snapshot/kinds.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { publicKeys } from './public-keys.ts';
import { wordsOfText } from './split-text.ts';

/** What Kubernetes, EKS and the controllers call things, beside the words of their keys and kinds. */
const commonWords = `
true false default kube system public node lease aws eks proxy coredns dns ebs efs csi vpc cni pod identity agent
kubernetes cluster critical scheduler daemon nodewright karpenter owned shared internal external ec2 compute amazonaws com
cn gov ip arn iam sts sns role policy instance profile fleet launch template spot on demand reserved none latest
amd64 arm64 x86 64 linux windows fargate hybrid auto standard nvidia neuron Amazon Linux Bottlerocket OS al2 al2023 ubuntu
cpu memory pods storage ephemeral hugepages nvidia gpu available nodefs inodesFree imagefs pid gp2 gp3 io1 io2 ext4 xfs
dev xvda xvdb fsType encrypted iops throughput images of for types unread EC2NodeClass NodePool NodeClaim
name namespace metadata ca crt token root config https http tcp udp TCP UDP SCTP IPv4 IPv6 zone region
In NotIn Exists DoesNotExist Gt Lt Gte Lte Equal True False Unknown Running Pending Succeeded Failed
Ready Initialized PodScheduled ContainersReady PodReadyToStartContainers DisruptionTarget MemoryPressure DiskPressure
PIDPressure NetworkUnavailable Available Progressing ReplicaFailure Complete SuccessCriteriaMet Suspended FailureTarget
DisruptionAllowed InternalIP ExternalIP Hostname InternalDNS ExternalDNS ClusterIP NodePort LoadBalancer ExternalName
RollingUpdate OnDelete Recreate RuntimeDefault Unconfined Localhost Directory DirectoryOrCreate File FileOrCreate Socket
Launched Registered Drained VolumesDetached InstanceTerminating ConsistentStateFound Consolidatable Drifted Disrupted
NodeClassReady ValidationSucceeded NodeRegistrationHealthy AMIsReady SubnetsReady SecurityGroupsReady
InstanceProfileReady CapacityReservationsReady PlacementGroupReady Underutilized Empty Deployment ReplicaSet StatefulSet DaemonSet Job
CronJob Pod Node Service ConfigMap Secret Endpoints replicas apps batch policy v1 Snapshot
`;

/** Words that are the same in every cluster, and those of AWS that the snapshot has: types, zones and releases. */
export function publicWordsOf({ aws }: Snapshot): ReadonlySet<string> {
  const released = aws.images.filter(({ alias }) => alias !== undefined);
  const texts = [
    commonWords,
    ...driftReasons,
    ...[...publicKeys].filter((key) => !key.startsWith('sandbox.')),
    ...snapshotKinds.flatMap((type) => [type.kind, type.plural, resourceNameOf(type)]),
    ...enumTextsOf([karpenterCustomResources, nodewrightCustomResources]),
    aws.region,
    ...aws.subnets.flatMap(({ zone, zoneId }) => [zone, zoneId]),
    ...aws.types.flatMap(({ name, offerings }) => [name, ...offerings.map(({ zone }) => zone)]),
    ...released.flatMap(({ alias = '', images }) => [
      alias,
      ...images.flatMap(({ name, version = '' }) => [name, version]),
    ]),
  ];
  return new Set(texts.flatMap(wordsOfText));
}

/** Every value that a schema lists. */
function enumTextsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([field, value]) =>
    field === 'enum' && Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : enumTextsOf(value),
  );
}
