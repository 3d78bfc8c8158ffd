import type { LabelSelector } from '@nodewright/apis';
import type { ApiObject } from '../../storage/api-object.ts';
import type { MatchCriteria } from '../matching/match.ts';
import type { NamedExpression } from '../matching/expressions.ts';
import type { AdmissionRule } from '../matching/rules.ts';

export type MatchResources = {
  readonly resourceRules?: readonly AdmissionRule[];
  readonly excludeResourceRules?: readonly AdmissionRule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
};

export type PolicyValidation = {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
};

export type PolicySpec = {
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
  readonly validations?: readonly PolicyValidation[];
  readonly failurePolicy?: string;
};

/** A ValidatingAdmissionPolicy. */
export type AdmissionPolicy = ApiObject & { readonly spec?: PolicySpec };

export type ParamRef = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
};

/** A ValidatingAdmissionPolicyBinding. */
export type PolicyBinding = ApiObject & {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
};

const registration = 'admissionregistration.k8s.io';

export const policyCollection = `validatingadmissionpolicies.${registration}`;
export const bindingCollection = `validatingadmissionpolicybindings.${registration}`;

/** A binding without rules leaves them to its policy. */
export const criteriaOf = (
  { resourceRules, excludeResourceRules = [], matchPolicy, namespaceSelector, objectSelector }: MatchResources = {},
  everything: readonly AdmissionRule[] = [],
): MatchCriteria => ({
  rules: resourceRules === undefined || resourceRules.length === 0 ? everything : resourceRules,
  excluded: excludeResourceRules,
  ...(matchPolicy !== undefined && { matchPolicy }),
  ...(namespaceSelector && { namespaceSelector }),
  ...(objectSelector && { objectSelector }),
});
