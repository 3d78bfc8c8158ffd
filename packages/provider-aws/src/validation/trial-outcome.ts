import { classifyError, awsCodeOf, isEndpointError } from '../calls/error-codes.ts';

export type TrialOperation = 'CreateLaunchTemplate' | 'CreateFleet' | 'RunInstances';

export type TrialOutcome =
  | { readonly kind: 'permitted' }
  /** EC2 does not answer, or does not know the caller: nothing is known. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unauthorized'; readonly operation: TrialOperation; readonly message: string }
  | { readonly kind: 'profileUnknown'; readonly message: string }
  | { readonly kind: 'userDataTooLong'; readonly message: string };

/**
 * What EC2 thinks of a call that is to change nothing.
 * @throws what is no answer of AWS
 */
export async function trialOutcomeOf(operation: TrialOperation, ask: () => Promise<unknown>): Promise<TrialOutcome> {
  try {
    await ask();
    return { kind: 'permitted' };
  } catch (error) {
    return meaningOfRefusal(operation, error);
  }
}

function meaningOfRefusal(operation: TrialOperation, error: unknown): TrialOutcome {
  if (isEndpointError(error)) return { kind: 'unknown' };
  if (!(error instanceof Error) || !('$metadata' in error)) throw error;
  const { message } = error;
  switch (awsCodeOf(error)) {
    case 'UnauthorizedOperation':
    case 'AccessDenied':
    case 'AccessDeniedException':
      return { kind: 'unauthorized', operation, message };
    case 'InvalidParameterValue':
      // RunInstances and templates have different codes for user data that is too long.
      if (/user data is limited/i.test(message)) return { kind: 'userDataTooLong', message };
      return /iam ?instance ?profile/i.test(message) ? { kind: 'profileUnknown', message } : { kind: 'permitted' };
    case 'InvalidUserData.Malformed':
      return /limit/i.test(message) ? { kind: 'userDataTooLong', message } : { kind: 'permitted' };
    default:
      // Expired or unknown credentials say nothing about the class. `DryRunOperation` says yes; anything else is about
      // the type or image that was tried, and a launch tries others.
      return { kind: classifyError(error) === 'unauthorized' ? 'unknown' : 'permitted' };
  }
}
