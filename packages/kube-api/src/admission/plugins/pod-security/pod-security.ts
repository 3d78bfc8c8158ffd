import { forbiddenError, invalidError } from '../../../http/status-error.ts';
import type { ApiObject } from '../../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../../attributes.ts';
import {
  badSecurityLabels,
  findViolations,
  securityPolicyOf,
  violationText,
  type SecurityMode,
  type SecurityPolicy,
} from './levels.ts';
import type { SecuredPod } from './secured-pod.ts';

/** Refuses new pods, and new ephemeral containers, that the namespace does not want, and warns of them. */
export function enforcePodSecurity(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, operation, subresource, resource, name } = attributes;
  // What an update may change of a pod beside its ephemeral containers makes nothing less secure.
  if (object === undefined || (operation !== 'CREATE' && subresource !== 'ephemeralcontainers')) return;
  const policy = policyOfNamespace(attributes, view, 'enforce');
  const violations = findViolations(policy.level, object);
  if (violations.length > 0) throw forbiddenError(resource, name, `violates ${violationText(policy, violations)}`);
  warnOfInsecurePod(object, attributes, view);
}

/** Warns of workloads whose pods the namespace does not want. They themselves are accepted. */
export function warnOfPodTemplate(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object } = attributes;
  const template = object && heldTemplate(object);
  if (template !== undefined) warnOfInsecurePod(template, attributes, view);
}

function warnOfInsecurePod(pod: SecuredPod, attributes: AdmissionAttributes, view: AdmissionView): void {
  const policy = policyOfNamespace(attributes, view, 'warn');
  const violations = findViolations(policy.level, pod);
  if (violations.length > 0) attributes.warnings.push(`would violate ${violationText(policy, violations)}`);
}

function policyOfNamespace(
  { namespace }: AdmissionAttributes,
  { store }: AdmissionView,
  mode: SecurityMode,
): SecurityPolicy {
  const found = store.collection('namespaces').get({ namespace: '', name: namespace });
  return securityPolicyOf(found?.metadata.labels, mode);
}

type PodTemplateHolder = ApiObject & {
  readonly template?: SecuredPod;
  readonly spec?: {
    readonly template?: SecuredPod;
    readonly jobTemplate?: { readonly spec?: { readonly template?: SecuredPod } };
  };
};

const heldTemplate = ({ template, spec }: PodTemplateHolder): SecuredPod | undefined =>
  template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;

/** Refuses labels of a namespace that cannot be read, and warns of pods that do not keep a new level. */
export function checkNamespaceSecurity(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, old, name } = attributes;
  if (object === undefined) return;
  const bad = badSecurityLabels(object.metadata.labels);
  if (bad.length > 0) {
    const causes = bad.map(({ key, value, because }) => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: ${because}`,
      field: `metadata.labels[${key}]`,
    }));
    throw invalidError({ group: '', kind: 'Namespace' }, name, causes);
  }
  const policy = securityPolicyOf(object.metadata.labels, 'enforce');
  const before = securityPolicyOf(old?.metadata.labels, 'enforce');
  if (old !== undefined && (policy.level !== before.level || policy.version !== before.version))
    attributes.warnings.push(...warningsOfPods(name, policy, view));
}

function warningsOfPods(namespace: string, policy: SecurityPolicy, { store }: AdmissionView): readonly string[] {
  const pods = store.collection('pods').list(namespace);
  const reasonsOf = (pod: ApiObject): string =>
    findViolations(policy.level, pod)
      .map(({ reason }) => reason)
      .join(', ');
  const byReasons = new Map<string, string[]>();
  for (const pod of pods) {
    const reasons = reasonsOf(pod);
    if (reasons !== '') byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), pod.metadata.name]);
  }
  if (byReasons.size === 0) return [];
  return [
    `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${policy.level}:${policy.version}"`,
    ...[...byReasons].map(([reasons, names]) => `${printPodNames(names.toSorted())}: ${reasons}`),
  ];
}

const printPodNames = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
