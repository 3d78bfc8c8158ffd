import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import type { AccessRule } from './controller-rules.ts';

/** A role in one namespace. */
export type NamespaceRole = {
  readonly name: string;
  readonly namespace: string;
  readonly rules: readonly AccessRule[];
};

/** What the controller may do in single namespaces. */
export function listNamespaceRoles(values: InstallValues, catalogue: SettingCatalogue): readonly NamespaceRole[] {
  const { name, namespace } = values;
  return [
    // The Leases of nodes: a node that renews its own is not taken for gone, whatever EC2 says of its instance.
    {
      name: `${name}-lease`,
      namespace: 'kube-node-lease',
      rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get'] }],
    },
    // The address of the cluster's DNS, which new nodes are told.
    {
      name: `${name}-dns`,
      namespace: 'kube-system',
      rules: [{ apiGroups: [''], resources: ['services'], resourceNames: ['kube-dns'], verbs: ['get'] }],
    },
    // Jobs of NodeRolloutPolicies.
    {
      name: `${name}-checks`,
      namespace: 'default',
      rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['list', 'create', 'delete'] }],
    },
    // The ConfigMap in which a NodeRolloutPolicy publishes what it has proven.
    { name: `${name}-evidence`, namespace, rules: createAndKeep('', 'configmaps', 'rollout-evidence') },
    // Addresses and tokens that NodeRolloutPolicies name.
    {
      name: `${name}-receivers`,
      namespace,
      rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['rollout-receivers'], verbs: ['get'] }],
    },
    leaderRole(values, catalogue),
  ];
}

/** The Lease by which the replicas agree who leads. */
function leaderRole({ name, namespace, settings }: InstallValues, { defaultOf }: SettingCatalogue): NamespaceRole {
  const lease = settings.get('leaderElectionName') ?? defaultOf('leaderElectionName');
  return {
    name,
    namespace: settings.get('leaderElectionNamespace') || namespace,
    rules: createAndKeep('coordination.k8s.io', 'leases', lease),
  };
}

/** Whoever creates an object cannot be held to its name; everything else can. */
const createAndKeep = (group: string, resource: string, object: string): readonly AccessRule[] => [
  { apiGroups: [group], resources: [resource], verbs: ['create'] },
  { apiGroups: [group], resources: [resource], resourceNames: [object], verbs: ['get', 'update'] },
];
