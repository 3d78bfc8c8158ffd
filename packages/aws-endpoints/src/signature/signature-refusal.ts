import { instant, minutes, toTimestamp } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import type { ServiceName } from '../service.ts';
import type { SignatureProblem } from './verify-signature.ts';

type SignatureProblemKind = SignatureProblem['kind'];
type SignatureRefusal = readonly [code: string, status: number];

/** The words of the form protocols: Auto Scaling, IAM, STS, and SQS, which kept them in JSON. */
const ofForms: Readonly<Record<SignatureProblemKind, SignatureRefusal>> = {
  absent: ['MissingAuthenticationToken', 403],
  incomplete: ['IncompleteSignature', 400],
  unknownKey: ['InvalidClientTokenId', 403],
  mismatch: ['SignatureDoesNotMatch', 403],
  expiredToken: ['ExpiredToken', 403],
  expired: ['SignatureDoesNotMatch', 403],
  notYetCurrent: ['SignatureDoesNotMatch', 403],
};

/** EC2 does not tell a wrong key from a wrong secret. */
const ofEc2: Readonly<Record<SignatureProblemKind, SignatureRefusal>> = {
  ...ofForms,
  unknownKey: ['AuthFailure', 401],
  mismatch: ['AuthFailure', 401],
  expiredToken: ['RequestExpired', 400],
  expired: ['RequestExpired', 400],
  notYetCurrent: ['RequestExpired', 400],
};

const inJson = (status: number): Readonly<Record<SignatureProblemKind, SignatureRefusal>> => ({
  absent: ['MissingAuthenticationTokenException', status],
  incomplete: ['IncompleteSignatureException', status],
  unknownKey: ['UnrecognizedClientException', status],
  mismatch: ['InvalidSignatureException', status],
  expiredToken: ['ExpiredTokenException', status],
  expired: ['InvalidSignatureException', status],
  notYetCurrent: ['InvalidSignatureException', status],
});

/** What each service answers to a request whose signature is not valid, in its own codes and states. */
const refusalsByService: Readonly<Record<ServiceName, Readonly<Record<SignatureProblemKind, SignatureRefusal>>>> = {
  autoscaling: ofForms,
  ec2: ofEc2,
  eks: inJson(403),
  'eks-auth': inJson(403),
  events: inJson(400),
  fis: inJson(403),
  iam: ofForms,
  pricing: inJson(400),
  servicequotas: inJson(400),
  sqs: ofForms,
  ssm: inJson(400),
  sts: ofForms,
};

export function refuseSignature(service: ServiceName, problem: SignatureProblem): AwsError {
  const [code, status] = refusalsByService[service][problem.kind];
  return new AwsError(code, code === 'AuthFailure' ? ofAuthFailure : explainProblem(problem), { status });
}

/** The error for a signature that names a region that there is not. */
export function refuseRegion(service: ServiceName, region: string): AwsError {
  const [code, status] = refusalsByService[service].mismatch;
  return new AwsError(code, `Credential should be scoped to a valid region, not '${region}'.`, { status });
}

const ofAuthFailure = 'AWS was not able to validate the provided access credentials';

function explainProblem(problem: SignatureProblem): string {
  switch (problem.kind) {
    case 'absent':
      return 'Request is missing Authentication Token';
    case 'incomplete':
      return 'The request signature is incomplete: Signature Version 4 needs Credential, SignedHeaders with host, Signature and X-Amz-Date.';
    case 'unknownKey':
      return 'The security token included in the request is invalid.';
    case 'expiredToken':
      return 'The security token included in the request is expired';
    case 'mismatch':
      return 'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
    case 'expired':
      return explainTime(problem, { comparison: 'expired: %s is now earlier than', sign: -1 });
    case 'notYetCurrent':
      return explainTime(problem, { comparison: 'not yet current: %s is still later than', sign: 1 });
  }
}

type TimeProblem = Extract<SignatureProblem, { readonly signedAt: string }>;
type ClockWording = { readonly comparison: string; readonly sign: 1 | -1 };

function explainTime({ signedAt, now, toleratedMs }: TimeProblem, { comparison, sign }: ClockWording): string {
  const limit = compactTime(now + sign * toleratedMs);
  const span = `${sign < 0 ? '-' : '+'} ${toleratedMs / minutes(1)} min.`;
  return `Signature ${comparison.replace('%s', signedAt)} ${limit} (${compactTime(now)} ${span})`;
}

/** `20240128T160000Z`. */
const compactTime = (ms: number): string => toTimestamp(instant(ms)).replaceAll(/[-:]/g, '');
