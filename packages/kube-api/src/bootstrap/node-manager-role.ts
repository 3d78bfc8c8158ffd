import type { ApiObject } from '../storage/api-object.ts';

const name = 'eks:node-manager';
const group = 'rbac.authorization.k8s.io';

/** What EKS may do in the cluster to look after managed node groups, and that it is EKS. */
export const nodeManagerRole: ApiObject = {
  kind: 'ClusterRole',
  apiVersion: `${group}/v1`,
  metadata: { name },
  rules: [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'delete'] },
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
  ],
};

export const nodeManagerBinding: ApiObject = {
  kind: 'ClusterRoleBinding',
  apiVersion: `${group}/v1`,
  metadata: { name },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name },
  subjects: [{ apiGroup: group, kind: 'User', name }],
};
