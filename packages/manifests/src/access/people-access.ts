import { listKarpenterCrds, ownCrds } from '@nodewright/apis';
import type { InstallValues } from '../values/install-values.ts';
import { controllerLabels, type InstallObject } from '../objects/install-object.ts';
import { callsOn, listAccessRules, type AccessVerb } from './kubernetes-call.ts';

const readVerbs: readonly AccessVerb[] = ['get', 'list', 'watch'];
const writeVerbs: readonly AccessVerb[] = ['create', 'update', 'patch', 'delete'];

/**
 * What people may do who have the cluster's own roles `view` and `admin`: their rights over all kinds are added to these by
 * labels. No binding is made. Requests about a rollout are patches of a NodeRollout, and so need `admin`.
 */
export const listPeopleAccess = (values: InstallValues): readonly InstallObject[] => [
  personRole(values, 'view', readVerbs),
  personRole(values, 'admin', writeVerbs),
];

function personRole(values: InstallValues, role: 'view' | 'admin', verbs: readonly AccessVerb[]): InstallObject {
  const kinds = [...listKarpenterCrds(), ...ownCrds()];
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: `${values.name}-${role}`,
      labels: { ...controllerLabels(values), [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' },
    },
    rules: listAccessRules(kinds.map(({ spec }) => callsOn(spec.group, spec.names.plural, verbs))),
  };
}
