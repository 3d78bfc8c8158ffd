/** Keys of a request by their names in small letters, each with its values. A key that is not there is absent. */
export type ConditionContext = ReadonlyMap<string, readonly string[]>;

/** What IAM is asked: whether the caller may do the action on the resource. */
export type AccessDemand = {
  /** `ec2:CreateFleet`. */
  readonly action: string;
  /** An ARN, or `*` for actions that have no resource. */
  readonly resource: string;
  readonly context: ConditionContext;
};

/** One operator with one key. The condition holds when the values of the request meet it. */
export type PolicyCondition = {
  /** `StringEquals`, without its prefix and suffix. */
  readonly operator: string;
  readonly quantifier: 'ForAllValues' | 'ForAnyValue' | 'none';
  readonly ifExists: boolean;
  /** As the policy writes it. */
  readonly key: string;
  readonly values: readonly string[];
};

/** Patterns, and whether the statement is about what they match or about everything else. */
export type PolicyElement = { readonly patterns: readonly string[]; readonly isNegated: boolean };

export type IamPolicyStatement = {
  readonly sid: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: PolicyElement;
  readonly resources: PolicyElement;
  readonly conditions: readonly PolicyCondition[];
};

/** An identity-based policy. */
export type IamPolicy = { readonly statements: readonly IamPolicyStatement[] };
