import type { ResourceList } from '@nodewright/apis';
import { podQosClass } from '../../builtin/qos.ts';
import { asJson } from '../../resources/rules.ts';
import type { ApiObject } from '../../storage/api-object.ts';

type ScopeRequirement = {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
};

/** A ResourceQuota as admission reads it. */
export type ResourceQuota = ApiObject & {
  readonly spec?: {
    readonly hard?: ResourceList;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
  };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
};

/** Whether a quota counts an object of a collection. A quota with scopes counts pods, and claims by their attributes class. */
export function isInScope({ spec }: ResourceQuota, collection: string, object: ApiObject): boolean {
  const requirements = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
  if (requirements.length === 0) return true;
  if (collection === 'pods') return requirements.every((requirement) => matchesPod(requirement, object));
  if (collection !== 'persistentvolumeclaims') return false;
  return requirements.every((requirement) => matchesClaim(requirement, object));
}

type ScopedPodSpec = {
  readonly activeDeadlineSeconds?: number;
  readonly priorityClassName?: string;
  readonly affinity?: object;
};

function matchesPod(requirement: ScopeRequirement, pod: ApiObject): boolean {
  const spec = (pod['spec'] ?? {}) as ScopedPodSpec;
  switch (requirement.scopeName) {
    case 'Terminating':
      return spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return spec.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return podQosClass(asJson(pod)) === 'BestEffort';
    case 'NotBestEffort':
      return podQosClass(asJson(pod)) !== 'BestEffort';
    case 'PriorityClass':
      return matchesText(requirement, spec.priorityClassName ?? '');
    case 'CrossNamespacePodAffinity':
      return /"namespaces":\["|"namespaceSelector":/.test(JSON.stringify(spec.affinity ?? {}));
    default:
      return false;
  }
}

function matchesClaim(requirement: ScopeRequirement, claim: ApiObject): boolean {
  if (requirement.scopeName !== 'VolumeAttributesClass') return false;
  const { volumeAttributesClassName = '' } = (claim['spec'] ?? {}) as { readonly volumeAttributesClassName?: string };
  return matchesText(requirement, volumeAttributesClassName);
}

function matchesText({ operator, values = [] }: ScopeRequirement, text: string): boolean {
  switch (operator) {
    case 'In':
      return values.includes(text);
    case 'NotIn':
      return !values.includes(text);
    case 'Exists':
      return text !== '';
    default:
      return text === '';
  }
}
