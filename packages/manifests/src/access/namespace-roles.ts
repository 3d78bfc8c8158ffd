import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { type AccessCall, type AccessVerb, callsOn } from './kubernetes-call.ts';

/** A role in one namespace. */
export type NamespaceRole = {
  readonly name: string;
  readonly namespace: string;
  readonly calls: readonly AccessCall[];
};

/** Every call that the controller makes in single namespaces, by the roles that allow them. */
export function listNamespaceRoles(values: InstallValues, catalogue: SettingCatalogue): readonly NamespaceRole[] {
  const { name, namespace } = values;
  return [
    // The Leases of nodes: a node that renews its own is not taken for gone, whatever EC2 says of its instance.
    {
      name: `${name}-lease`,
      namespace: 'kube-node-lease',
      calls: [callsOn('coordination.k8s.io', 'leases', ['get'])],
    },
    // The address of the cluster's DNS, which new nodes are told.
    { name: `${name}-dns`, namespace: 'kube-system', calls: [callsOnOne('', 'services', 'kube-dns', ['get'])] },
    // Jobs of NodeRolloutPolicies.
    {
      name: `${name}-checks`,
      namespace: 'default',
      calls: [callsOn('batch', 'jobs', ['list', 'create', 'delete'])],
    },
    // The ConfigMap in which a NodeRolloutPolicy publishes what it has proven.
    { name: `${name}-evidence`, namespace, calls: createAndKeep('', 'configmaps', 'rollout-evidence') },
    // Addresses and tokens that NodeRolloutPolicies name.
    {
      name: `${name}-receivers`,
      namespace,
      calls: [callsOnOne('', 'secrets', 'rollout-receivers', ['get'])],
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
    calls: createAndKeep('coordination.k8s.io', 'leases', lease),
  };
}

const callsOnOne = (group: string, resource: string, object: string, verbs: readonly AccessVerb[]): AccessCall => ({
  ...callsOn(group, resource, verbs),
  names: [object],
});

/** Whoever creates an object cannot be held to its name; everything else can. */
export const createAndKeep = (group: string, resource: string, object: string): readonly AccessCall[] => [
  callsOn(group, resource, ['create']),
  callsOnOne(group, resource, object, ['get', 'update']),
];
