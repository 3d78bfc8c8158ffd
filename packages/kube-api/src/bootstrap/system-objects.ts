import { installObject, type ServerWrites } from '../resources/server-writes.ts';
import { componentBindings, componentRoles, namespacedBindings, namespacedRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { nodeManagerBinding, nodeManagerRole } from './node-manager-role.ts';
import { userBindings, userRoles } from './user-roles.ts';
import type { ApiObject } from '../storage/api-object.ts';

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Creates the objects of a new cluster. Existing objects stay as they are. */
export function installSystemObjects(writes: ServerWrites, minor: number): void {
  for (const name of initialNamespaces) installObject(writes, 'namespaces', systemNamespace(name));
  installObject(writes, 'priorityclasses.scheduling.k8s.io', systemPriority('system-cluster-critical', 2_000_000_000));
  installObject(writes, 'priorityclasses.scheduling.k8s.io', systemPriority('system-node-critical', 2_000_001_000));
  installObject(writes, 'services', kubernetesService);
  // These objects take their UIDs from a random source of their own, so that other objects keep theirs.
  const around = { ...writes, uids: writes.uids.fork('node-manager') };
  installObject(around, 'clusterroles.rbac.authorization.k8s.io', nodeManagerRole);
  installObject(around, 'clusterrolebindings.rbac.authorization.k8s.io', nodeManagerBinding);
  installDefaultRoles({ ...writes, uids: writes.uids.fork('default roles') }, minor);
}

function installDefaultRoles(writes: ServerWrites, minor: number): void {
  const controllers = controllerRoles(minor);
  const install = (plural: string, objects: readonly ApiObject[]): void => {
    for (const object of objects) installObject(writes, `${plural}.rbac.authorization.k8s.io`, object);
  };
  install('clusterroles', [...userRoles(minor), ...componentRoles(minor), ...controllers.roles]);
  install('clusterrolebindings', [...userBindings, ...componentBindings, ...controllers.bindings]);
  install('roles', namespacedRoles(minor));
  install('rolebindings', namespacedBindings);
}

const systemNamespace = (name: string): ApiObject => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

const systemPriority = (name: string, value: number): ApiObject => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { name, generation: 1 },
  value,
  description: 'Used for system critical pods that must not be moved from their current node.',
  preemptionPolicy: 'PreemptLowerPriority',
});

const clusterIp = '10.100.0.1';

const kubernetesService: ApiObject = {
  kind: 'Service',
  apiVersion: 'v1',
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 443 }],
    clusterIP: clusterIp,
    clusterIPs: [clusterIp],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  },
  status: { loadBalancer: {} },
};
