import { type AccessCall, type AccessVerb, callsOn } from './kubernetes-call.ts';

const observingVerbs: readonly AccessVerb[] = ['list', 'watch'];

/** What the controller does with kinds that only tell it something. */
const observedResources: Readonly<Record<string, readonly string[]>> = {
  '': [
    'namespaces',
    'persistentvolumeclaims',
    'persistentvolumes',
    // Templates of CapacityBuffers; Services and ReplicationControllers tell which pods are spread by default.
    'podtemplates',
    'replicationcontrollers',
    'services',
  ],
  apps: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'autoscaling.x-k8s.io': ['capacitybuffers'],
  // A rollout never drains the nodes of the last ready endpoints of a Service together.
  'discovery.k8s.io': ['endpointslices'],
  'karpenter.sh': ['nodeoverlays'],
  'nodewright.dev': ['disruptionpauses'],
  policy: ['poddisruptionbudgets'],
  'storage.k8s.io': ['csinodes', 'storageclasses', 'volumeattachments'],
};

/** What the controller does with its own kinds. */
const ownKinds: readonly AccessCall[] = [
  callsOn('karpenter.sh', 'nodepools', [...observingVerbs, 'patch']),
  callsOn('karpenter.sh', 'nodepools/status', ['patch']),
  callsOn('karpenter.sh', 'nodeclaims', [...observingVerbs, 'get', 'create', 'patch', 'delete']),
  callsOn('karpenter.sh', 'nodeclaims/status', ['patch']),
  callsOn('karpenter.k8s.aws', 'ec2nodeclasses', [...observingVerbs, 'patch']),
  callsOn('karpenter.k8s.aws', 'ec2nodeclasses/status', ['patch']),
  callsOn('nodewright.dev', 'nodegroups', [...observingVerbs, 'patch']),
  callsOn('nodewright.dev', 'nodegroups/status', ['patch']),
  callsOn('nodewright.dev', 'noderollouts', [...observingVerbs, 'get', 'create', 'patch', 'delete']),
  callsOn('nodewright.dev', 'noderollouts/status', ['patch']),
  callsOn('nodewright.dev', 'noderolloutpolicies', [...observingVerbs, 'get']),
  callsOn('nodewright.dev', 'noderolloutpolicies/status', ['patch']),
  // A halt writes a rule, and whoever resumes takes it away.
  callsOn('nodewright.dev', 'imagerules', [...observingVerbs, 'get', 'create', 'delete']),
  // With the feature gates NodeOverlay and CapacityBuffer.
  callsOn('karpenter.sh', 'nodeoverlays/status', ['patch']),
  callsOn('autoscaling.x-k8s.io', 'capacitybuffers/status', ['patch']),
];

/**
 * A claim is owned by its pool and a node by its claim, and owned objects hold back the deletion of their owners. The
 * admission plugin OwnerReferencesPermissionEnforcement asks for these rights; the controller makes no such call.
 */
const heldBackOwners: readonly AccessCall[] = [
  callsOn('karpenter.sh', 'nodepools/finalizers', ['update'], 'admission'),
  callsOn('karpenter.sh', 'nodeclaims/finalizers', ['update'], 'admission'),
];

/** Nodes are labelled, tainted and deleted; pods are evicted, and deleted when their node's time is over. */
const nodesAndPods: readonly AccessCall[] = [
  callsOn('', 'nodes', [...observingVerbs, 'get', 'patch', 'delete']),
  callsOn('', 'pods', [...observingVerbs, 'delete']),
  callsOn('', 'pods/eviction', ['create']),
  callsOn('', 'events', ['create', 'patch']),
];

/** Every call that the controller makes in the whole cluster: no secrets, no pods or nodes created, no roles. */
export const clusterCalls: readonly AccessCall[] = [
  ...ownKinds,
  ...heldBackOwners,
  ...Object.entries(observedResources).flatMap(([group, resources]) =>
    resources.map((resource) => callsOn(group, resource, observingVerbs)),
  ),
  ...nodesAndPods,
];
