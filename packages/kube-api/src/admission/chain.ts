import { rbacGroup } from '../auth/rbac.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type {
  AdmissionAttributes,
  AdmissionView,
  MutatingPlugin,
  ValidatingPlugin,
  WriteAttributes,
} from './attributes.ts';
import { tolerateShortOutages } from './plugins/default-tolerations.ts';
import { checkClaimLimits, checkPodLimits } from './plugins/limits/check-limits.ts';
import { fillContainerLimits } from './plugins/limits/fill-limits.ts';
import { requireActiveNamespace } from './plugins/namespace-lifecycle.ts';
import { restrictNode } from './plugins/node-restriction.ts';
import { checkNamespaceSecurity, enforcePodSecurity, warnOfPodTemplate } from './plugins/pod-security/pod-security.ts';
import { addPodCredentials } from './plugins/add-pod-credentials.ts';
import { computePriority, refuseSecondDefaultPriority } from './plugins/priority.ts';
import { refuseBindingEscalation, refuseRoleEscalation } from './plugins/rbac-escalation.ts';
import { applyRuntimeClass, refuseOwnOverhead } from './plugins/runtime-class.ts';
import { mountServiceAccount } from './plugins/service-account.ts';
import {
  protectStorage,
  requireGrowableClaim,
  setDefaultIngressClass,
  setDefaultStorageClass,
} from './plugins/storage.ts';
import { taintNewNode } from './plugins/taint-new-node.ts';
import { checkPolicies } from './policies/check-policies.ts';
import { mutateByPolicies, type PolicyTurns } from './policies/mutate-by-policies.ts';
import { mutatingPolicyCollection } from './policies/mutating-objects.ts';
import { mutatingPolicyCauses, policyCauses, refuseBadRegistration } from './policies/policy-causes.ts';
import { policyCollection } from './policies/policy-objects.ts';
import { checkQuota } from './quota/check-quota.ts';
import { askMutatingWebhooks, mutateByWebhooks, validateByWebhooks, WebhookTurns } from './webhooks/run-webhooks.ts';

/** The plugins of one resource, in the order of Kubernetes. */
type ResourcePlugins = {
  /** Run before validation. */
  readonly change?: readonly MutatingPlugin[];
  /** Run after `change` and before validation. */
  readonly authorize?: readonly ValidatingPlugin[];
  /** Run after validation. */
  readonly check?: readonly ValidatingPlugin[];
};

const ofRoles: ResourcePlugins = { authorize: [refuseRoleEscalation] };
const ofBindings: ResourcePlugins = { authorize: [refuseBindingEscalation] };

/** Kinds that make pods of a template. */
const templateCollections = [
  'podtemplates',
  'replicationcontrollers',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
];

const pluginsByResource: ReadonlyMap<string, ResourcePlugins> = new Map<string, ResourcePlugins>([
  [
    'pods',
    {
      change: [
        fillContainerLimits,
        mountServiceAccount,
        computePriority,
        tolerateShortOutages,
        applyRuntimeClass,
        addPodCredentials,
      ],
      check: [refuseOwnOverhead, checkPodLimits, enforcePodSecurity],
    },
  ],
  ['pods/ephemeralcontainers', { check: [enforcePodSecurity] }],
  ['namespaces', { check: [checkNamespaceSecurity] }],
  ...templateCollections.map((collection): [string, ResourcePlugins] => [collection, { check: [warnOfPodTemplate] }]),
  ['nodes', { change: [taintNewNode] }],
  ['priorityclasses.scheduling.k8s.io', { check: [refuseSecondDefaultPriority] }],
  ['persistentvolumes', { change: [protectStorage('kubernetes.io/pv-protection')] }],
  [
    'persistentvolumeclaims',
    {
      change: [setDefaultStorageClass, protectStorage('kubernetes.io/pvc-protection')],
      check: [checkClaimLimits, requireGrowableClaim],
    },
  ],
  [policyCollection, { check: [refuseBadRegistration(policyCauses)] }],
  [mutatingPolicyCollection, { check: [refuseBadRegistration(mutatingPolicyCauses)] }],
  ['ingresses.networking.k8s.io', { change: [setDefaultIngressClass] }],
  [`roles.${rbacGroup}`, ofRoles],
  [`clusterroles.${rbacGroup}`, ofRoles],
  [`rolebindings.${rbacGroup}`, ofBindings],
  [`clusterrolebindings.${rbacGroup}`, ofBindings],
]);

const pluginsOf = ({ resource, subresource }: AdmissionAttributes): ResourcePlugins | undefined =>
  pluginsByResource.get(subresource === '' ? resource.collection : `${resource.collection}/${subresource}`);

/**
 * Runs the admission chain of a write in the order of Kubernetes.
 * @param finish completes and validates the object, between the plugins that change it and those that only refuse it
 * @returns the object to store
 * @throws StatusError when a plugin refuses the write
 */
export function admitWrite(
  attributes: WriteAttributes,
  view: AdmissionView,
  finish: (object: ApiObject) => ApiObject,
): ApiObject {
  requireActiveNamespace(attributes, view);
  restrictNode(attributes, view);
  const { change = [], authorize = [], check = [] } = pluginsOf(attributes) ?? {};
  const changed = changeObject(attributes, view, change);
  for (const plugin of authorize) plugin({ ...attributes, object: changed }, view);
  const object = finish(changed);
  const final = { ...attributes, object };
  for (const plugin of check) plugin(final, view);
  checkPolicies(final, view);
  validateByWebhooks(final, view);
  checkQuota(final, view);
  return object;
}

/** The plugins see an object again that policies or webhooks have changed, and so do those of them that ask for it. */
function changeObject(attributes: WriteAttributes, view: AdmissionView, plugins: readonly MutatingPlugin[]): ApiObject {
  const turns = new WebhookTurns();
  const policyTurns: PolicyTurns = new Map();
  const runPass = (before: ApiObject, pass: number): ApiObject => {
    const own = plugins.reduce((object, plugin) => plugin({ ...attributes, object }, view), before);
    const mutated = mutateByPolicies({ ...attributes, object: own }, view, policyTurns);
    const after = mutateByWebhooks({ ...attributes, object: mutated }, view, turns, pass);
    return after === own || pass > 0 ? after : runPass(after, pass + 1);
  };
  return runPass(attributes.object, 0);
}

/**
 * Runs the admission chain of a deletion.
 * @throws StatusError when a plugin refuses it
 */
export function admitRemoval(attributes: AdmissionAttributes, view: AdmissionView): void {
  requireActiveNamespace(attributes, view);
  restrictNode(attributes, view);
  askWebhooks(attributes, view);
}

/**
 * Runs the admission chain of a document that is written to a subresource.
 * @throws StatusError when a plugin refuses it
 */
export function admitConnection(attributes: WriteAttributes, view: AdmissionView): void {
  restrictNode(attributes, view);
  askWebhooks(attributes, view);
}

/** Asks webhooks of both kinds and policies about a write without an object to change. */
function askWebhooks(attributes: AdmissionAttributes, view: AdmissionView): void {
  askMutatingWebhooks(attributes, view);
  checkPolicies(attributes, view);
  validateByWebhooks(attributes, view);
}
