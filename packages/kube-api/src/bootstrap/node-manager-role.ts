import type { ApiObject } from '../storage/api-object.ts';

const nodeManagerName = 'eks:node-manager';
const nodeManagerRoleGroup = 'rbac.authorization.k8s.io';

/** The permissions of EKS for managed node groups. */
export const nodeManagerRole: ApiObject = {
  kind: 'ClusterRole',
  apiVersion: `${nodeManagerRoleGroup}/v1`,
  metadata: { name: nodeManagerName },
  rules: [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'delete'] },
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
  ],
};

export const nodeManagerBinding: ApiObject = {
  kind: 'ClusterRoleBinding',
  apiVersion: `${nodeManagerRoleGroup}/v1`,
  metadata: { name: nodeManagerName },
  roleRef: { apiGroup: nodeManagerRoleGroup, kind: 'ClusterRole', name: nodeManagerName },
  subjects: [{ apiGroup: nodeManagerRoleGroup, kind: 'User', name: nodeManagerName }],
};
