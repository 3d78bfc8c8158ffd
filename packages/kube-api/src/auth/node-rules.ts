import type { PolicyRule } from './rbac.ts';
import { resourceRule, writesEvents } from './rule-notation.ts';

/** What a node may do beside what depends on the pods that it runs. No binding grants this: the node authorizer does. */
export const nodeRules: readonly PolicyRule[] = [
  resourceRule('create', 'authentication.k8s.io', 'tokenreviews'),
  resourceRule('create', 'authorization.k8s.io', 'localsubjectaccessreviews subjectaccessreviews'),
  resourceRule('read', 'core', 'services'),
  resourceRule('create get list watch', 'core', 'nodes'),
  resourceRule('patch update', 'core', 'nodes/status'),
  resourceRule('patch update', 'core', 'nodes'),
  writesEvents,
  resourceRule('read', 'core', 'pods'),
  resourceRule('create delete', 'core', 'pods'),
  resourceRule('patch update', 'core', 'pods/status'),
  resourceRule('create', 'core', 'pods/eviction'),
  resourceRule('get list watch', 'core', 'configmaps secrets'),
  resourceRule('get', 'core', 'persistentvolumeclaims persistentvolumes'),
  resourceRule('get', 'core', 'endpoints'),
  resourceRule('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
  resourceRule('create delete get patch update', 'coordination.k8s.io', 'leases'),
  resourceRule('get', 'storage.k8s.io', 'volumeattachments'),
  resourceRule('create', 'core', 'serviceaccounts/token'),
  resourceRule('get patch update', 'core', 'persistentvolumeclaims/status'),
  resourceRule('read', 'storage.k8s.io', 'csidrivers'),
  resourceRule('create delete get patch update', 'storage.k8s.io', 'csinodes'),
  resourceRule('read', 'node.k8s.io', 'runtimeclasses'),
  resourceRule('get', 'resource.k8s.io', 'resourceclaims'),
  resourceRule('deletecollection', 'resource.k8s.io', 'resourceslices'),
  resourceRule('get', 'core', 'serviceaccounts'),
];
