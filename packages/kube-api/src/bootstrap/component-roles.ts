import { nodeRules } from '../auth/node-rules.ts';
import { pathRule, resourceRule, writesEvents } from '../auth/rule-notation.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { defaultBinding, defaultRole } from './role-notation.ts';

const signers =
  'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown';

const approverOf = (name: string, signer: string): ApiObject =>
  defaultRole(`system:certificates.k8s.io:${name}-approver`, [
    resourceRule('approve', 'certificates.k8s.io', 'signers', signer),
  ]);

const laterSchedulerRules = [
  resourceRule('list watch', 'coordination.k8s.io', 'leases', 'kube-scheduler'),
  resourceRule('all', 'coordination.k8s.io', 'leasecandidates'),
  resourceRule('read', 'storage.k8s.io', 'volumeattachments'),
  resourceRule('update', 'core', 'pods/finalizers'),
  resourceRule('create delete', 'resource.k8s.io', 'resourceclaims'),
  resourceRule('read', 'resource.k8s.io', 'resourceclaims/status'),
  resourceRule('patch update', 'resource.k8s.io', 'resourceclaims/binding'),
];

/** The roles of the parts of a cluster. */
export const componentRoles = (minor: number): readonly ApiObject[] => [
  defaultRole('system:auth-delegator', [
    resourceRule('create', 'authentication.k8s.io', 'tokenreviews'),
    resourceRule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
  ]),
  defaultRole('system:certificates.k8s.io:certificatesigningrequests:nodeclient', [
    resourceRule('create', 'certificates.k8s.io', 'certificatesigningrequests/nodeclient'),
  ]),
  defaultRole('system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', [
    resourceRule('create', 'certificates.k8s.io', 'certificatesigningrequests/selfnodeclient'),
  ]),
  ...signers.split(' ').map((signer) => approverOf(signer.slice('kubernetes.io/'.length), signer)),
  defaultRole('system:heapster', [
    resourceRule('read', 'core', 'events namespaces nodes pods'),
    resourceRule('read', 'extensions', 'deployments'),
  ]),
  defaultRole('system:kube-aggregator', [resourceRule('read', 'core', 'endpoints services')]),
  defaultRole('system:kube-controller-manager', [
    writesEvents,
    resourceRule('create', 'coordination.k8s.io', 'leases'),
    resourceRule('get update', 'coordination.k8s.io', 'leases', 'kube-controller-manager'),
    resourceRule('create', 'core', 'secrets serviceaccounts'),
    resourceRule('delete', 'core', 'secrets'),
    resourceRule('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
    resourceRule('update', 'core', 'secrets serviceaccounts'),
    resourceRule('create', 'authentication.k8s.io', 'tokenreviews'),
    resourceRule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    resourceRule('list watch', '*', '*'),
    resourceRule('create', 'core', 'serviceaccounts/token'),
  ]),
  defaultRole('system:kube-dns', [resourceRule('list watch', 'core', 'endpoints services')]),
  defaultRole('system:kube-scheduler', [
    writesEvents,
    resourceRule('create', 'coordination.k8s.io', 'leases'),
    resourceRule('get update', 'coordination.k8s.io', 'leases', 'kube-scheduler'),
    resourceRule('read', 'core', 'nodes'),
    resourceRule('delete get list watch', 'core', 'pods'),
    resourceRule('create', 'core', 'bindings pods/binding'),
    resourceRule('patch update', 'core', 'pods/status'),
    resourceRule('read', 'core', 'replicationcontrollers services'),
    resourceRule('read', 'apps extensions', 'replicasets'),
    resourceRule('read', 'apps', 'statefulsets'),
    resourceRule('read', 'policy', 'poddisruptionbudgets'),
    resourceRule('get list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    resourceRule('create', 'authentication.k8s.io', 'tokenreviews'),
    resourceRule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    resourceRule('read', 'storage.k8s.io', 'csinodes'),
    resourceRule('read', 'core', 'namespaces'),
    resourceRule('read', 'storage.k8s.io', 'csidrivers csistoragecapacities'),
    resourceRule('read', 'resource.k8s.io', 'deviceclasses resourceclaims resourceslices'),
    resourceRule('patch update', 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
    ...(minor >= 36 ? laterSchedulerRules : []),
  ]),
  defaultRole('system:kubelet-api-admin', [
    resourceRule('read', 'core', 'nodes'),
    resourceRule('proxy', 'core', 'nodes'),
    resourceRule('*', 'core', 'nodes/configz nodes/healthz nodes/log nodes/metrics nodes/pods nodes/proxy nodes/stats'),
  ]),
  defaultRole('system:node', nodeRules),
  defaultRole('system:node-bootstrapper', [
    resourceRule('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
  ]),
  defaultRole('system:node-problem-detector', [
    resourceRule('get', 'core', 'nodes'),
    resourceRule('patch', 'core', 'nodes/status'),
    writesEvents,
  ]),
  defaultRole('system:node-proxier', [
    resourceRule('list watch', 'core', 'endpoints services'),
    resourceRule('get list watch', 'core', 'nodes'),
    writesEvents,
    resourceRule('list watch', 'discovery.k8s.io', 'endpointslices'),
    resourceRule('list watch', 'networking.k8s.io', 'servicecidrs'),
  ]),
  defaultRole('system:persistent-volume-provisioner', [
    resourceRule('create delete get list watch', 'core', 'persistentvolumes'),
    resourceRule('get list update watch', 'core', 'persistentvolumeclaims'),
    resourceRule('read', 'storage.k8s.io', 'storageclasses'),
    resourceRule('watch', 'core', 'events'),
    writesEvents,
  ]),
  defaultRole('system:service-account-issuer-discovery', [
    pathRule('/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/'),
  ]),
  defaultRole('system:volume-scheduler', [
    resourceRule('get list patch update watch', 'core', 'persistentvolumes'),
    resourceRule('read', 'storage.k8s.io', 'storageclasses'),
    resourceRule('get list patch update watch', 'core', 'persistentvolumeclaims'),
  ]),
];

export const componentBindings: readonly ApiObject[] = [
  defaultBinding('system:kube-controller-manager', ['User system:kube-controller-manager']),
  defaultBinding('system:kube-dns', ['ServiceAccount kube-dns']),
  defaultBinding('system:kube-scheduler', ['User system:kube-scheduler']),
  // The node authorizer decides about nodes.
  defaultBinding('system:node', []),
  defaultBinding('system:node-proxier', ['User system:kube-proxy']),
  defaultBinding('system:service-account-issuer-discovery', ['Group system:serviceaccounts']),
  defaultBinding('system:volume-scheduler', ['User system:kube-scheduler']),
];

const authenticationReader = 'extension-apiserver-authentication-reader';

const leaderOf = (component: string, minor: number): ApiObject =>
  defaultRole(
    `system::leader-locking-${component}`,
    minor >= 36
      ? [resourceRule('create get list update watch', 'coordination.k8s.io', 'leases leasecandidates')]
      : [resourceRule('watch', 'core', 'configmaps'), resourceRule('get update', 'core', 'configmaps', component)],
    { namespace: 'kube-system' },
  );

const signerRules = [
  resourceRule('read', 'core', 'configmaps'),
  resourceRule('update', 'core', 'configmaps', 'cluster-info'),
  writesEvents,
];

/** Roles in the namespaces of the cluster itself. */
export const namespacedRoles = (minor: number): readonly ApiObject[] => [
  defaultRole(
    authenticationReader,
    [resourceRule('read', 'core', 'configmaps', 'extension-apiserver-authentication')],
    {
      namespace: 'kube-system',
    },
  ),
  defaultRole('system:controller:bootstrap-signer', [resourceRule('read', 'core', 'secrets')], {
    namespace: 'kube-system',
  }),
  defaultRole('system:controller:cloud-provider', [resourceRule('create get list watch', 'core', 'configmaps')], {
    namespace: 'kube-system',
  }),
  defaultRole(
    'system:controller:token-cleaner',
    [resourceRule('delete get list watch', 'core', 'secrets'), writesEvents],
    {
      namespace: 'kube-system',
    },
  ),
  leaderOf('kube-controller-manager', minor),
  leaderOf('kube-scheduler', minor),
  defaultRole('system:controller:bootstrap-signer', signerRules, { namespace: 'kube-public' }),
];

const inSystem = { namespace: 'kube-system' };

export const namespacedBindings: readonly ApiObject[] = [
  defaultBinding(authenticationReader, ['User system:kube-controller-manager', 'User system:kube-scheduler'], {
    ...inSystem,
    name: 'system::extension-apiserver-authentication-reader',
  }),
  ...['kube-controller-manager', 'kube-scheduler'].map((name) =>
    defaultBinding(`system::leader-locking-${name}`, [`User system:${name}`, `ServiceAccount ${name}`], inSystem),
  ),
  ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) =>
    defaultBinding(`system:controller:${name}`, [`ServiceAccount ${name}`], inSystem),
  ),
  defaultBinding('system:controller:bootstrap-signer', ['ServiceAccount bootstrap-signer'], {
    namespace: 'kube-public',
  }),
];
