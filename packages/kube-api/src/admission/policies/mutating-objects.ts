import type { ApiObject } from '../../storage/api-object.ts';
import type { MatchResources, ParamRef, PolicySpec } from './policy-objects.ts';

export type PolicyMutation = {
  readonly patchType: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
};

export type MutatingSpec = Omit<PolicySpec, 'validations'> & {
  readonly mutations?: readonly PolicyMutation[];
  readonly reinvocationPolicy?: string;
};

/** A MutatingAdmissionPolicy. */
export type MutatingPolicy = ApiObject & { readonly spec?: MutatingSpec };

/** A MutatingAdmissionPolicyBinding. */
export type MutatingBinding = ApiObject & {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
  };
};

export const mutatingPolicyCollection = 'mutatingadmissionpolicies.admissionregistration.k8s.io';
export const mutatingBindingCollection = 'mutatingadmissionpolicybindings.admissionregistration.k8s.io';

export const mutationExpression = ({ patchType, applyConfiguration, jsonPatch }: PolicyMutation): string =>
  (patchType === 'JSONPatch' ? jsonPatch?.expression : applyConfiguration?.expression) ?? '';
