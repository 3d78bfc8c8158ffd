import { AwsError } from './codec/aws-error.ts';

/** The code and the HTTP status of an error that every operation of a service can answer with. */
type CommonError = { readonly code: string; readonly status: number };

/** The errors that a service answers with before it looks at the input of a call. */
export type CommonErrors = {
  readonly throttling: CommonError & { readonly message?: string };
  /** The message of `preface` comes before the name of the permission that the caller lacks. */
  readonly accessDenied: CommonError & { readonly preface?: string };
};

type ServiceErrors = { readonly name: string; readonly commonErrors: CommonErrors };

/** Builds the error with which the service refuses a call above its rate limit. */
export function createThrottlingError({ commonErrors }: ServiceErrors): AwsError {
  const { code, status, message = 'Rate exceeded' } = commonErrors.throttling;
  return new AwsError(code, message, { status });
}

/** Builds the error with which the service refuses a caller who lacks the permission for an operation. */
export function createAccessDeniedError({ name, commonErrors }: ServiceErrors, operation: string): AwsError {
  const { code, status, preface = '' } = commonErrors.accessDenied;
  const message = `${preface}The caller is not authorized to perform: ${name}:${operation}`;
  return new AwsError(code, message, { status });
}

/** What a policy refuses, and to whom. */
type RefusedAccess = {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  /** Whether a statement of the policy denies it. */
  readonly isExplicit: boolean;
};

/** Builds the error with which the service refuses what no policy of the caller allows, or what one denies. */
export function createPolicyRefusal(
  { commonErrors }: ServiceErrors,
  { principal, action, resource, isExplicit }: RefusedAccess,
): AwsError {
  const { code, status, preface = '' } = commonErrors.accessDenied;
  const on = resource === '*' ? '' : ` on resource: ${resource}`;
  const because = isExplicit
    ? 'with an explicit deny in an identity-based policy'
    : `because no identity-based policy allows the ${action} action`;
  return new AwsError(code, `${preface}User: ${principal} is not authorized to perform: ${action}${on} ${because}`, {
    status,
  });
}
