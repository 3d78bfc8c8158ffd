import type { InstallValues } from '../values/install-values.ts';
import { type InstallObject, namespacedMetadata } from './install-object.ts';

export const namespaceObject = ({ namespace }: InstallValues): InstallObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace },
});

/** Who the controller is in the cluster. Without a role, EKS Pod Identity binds one to it in AWS. */
export function serviceAccountObject(values: InstallValues): InstallObject {
  const { roleArn } = values;
  const annotations = roleArn === '' ? {} : { annotations: { 'eks.amazonaws.com/role-arn': roleArn } };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...namespacedMetadata(values), ...annotations } };
}
