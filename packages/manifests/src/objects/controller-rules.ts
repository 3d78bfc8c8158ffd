/** One rule of a role. */
export type AccessRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
};

const readVerbs = ['get', 'list', 'watch'];
const keepVerbs = [...readVerbs, 'update', 'patch'];

const ruleFor = (group: string, resources: readonly string[], verbs: readonly string[]): AccessRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** What the controller does with its own kinds. */
const ownKinds: readonly AccessRule[] = [
  ruleFor('karpenter.sh', ['nodepools', 'nodepools/status', 'nodeclaims', 'nodeclaims/status'], keepVerbs),
  ruleFor('karpenter.sh', ['nodeclaims'], ['create', 'delete']),
  ruleFor('karpenter.k8s.aws', ['ec2nodeclasses', 'ec2nodeclasses/status'], keepVerbs),
  ruleFor(
    'nodewright.dev',
    ['nodegroups', 'nodegroups/status', 'noderolloutpolicies', 'noderolloutpolicies/status'],
    keepVerbs,
  ),
  // Rollouts are made and kept up to date; a halt writes a rule, and whoever resumes takes it away.
  ruleFor(
    'nodewright.dev',
    ['noderollouts', 'noderollouts/status'],
    [...readVerbs, 'create', 'update', 'patch', 'delete'],
  ),
  ruleFor('nodewright.dev', ['imagerules'], [...readVerbs, 'create', 'delete']),
  ruleFor('nodewright.dev', ['disruptionpauses'], readVerbs),
  // With the feature gates NodeOverlay and CapacityBuffer.
  ruleFor('karpenter.sh', ['nodeoverlays', 'nodeoverlays/status'], keepVerbs),
  ruleFor('autoscaling.x-k8s.io', ['capacitybuffers', 'capacitybuffers/status'], keepVerbs),
  // A claim is owned by its pool and a node by its claim, and owned objects hold back the deletion of their owners.
  ruleFor('karpenter.sh', ['nodepools/finalizers', 'nodeclaims/finalizers'], ['update']),
];

/** What decisions are made from. */
const observedKinds: readonly AccessRule[] = [
  ruleFor(
    '',
    [
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'podtemplates',
      'replicationcontrollers',
      'services',
    ],
    readVerbs,
  ),
  ruleFor('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], readVerbs),
  // A rollout never drains the nodes of the last ready endpoints of a Service together.
  ruleFor('discovery.k8s.io', ['endpointslices'], readVerbs),
  ruleFor('policy', ['poddisruptionbudgets'], readVerbs),
  ruleFor('storage.k8s.io', ['csinodes', 'storageclasses', 'volumeattachments'], readVerbs),
];

/** Nodes are labelled, tainted and deleted; pods are evicted, and deleted when their node's time is over. */
const changedKinds: readonly AccessRule[] = [
  ruleFor('', ['nodes'], ['update', 'patch', 'delete']),
  ruleFor('', ['nodes/status'], ['patch']),
  ruleFor('', ['pods/eviction'], ['create']),
  ruleFor('', ['pods'], ['delete']),
  ruleFor('', ['events'], ['create', 'patch']),
];

/** What the controller may do in the whole cluster: no secrets, no pods or nodes created, no roles. */
export const controllerRules: readonly AccessRule[] = [...ownKinds, ...observedKinds, ...changedKinds];
