/** A class of errors: errors of one class have the same consequence, whatever service they come from. */
export type ErrorClass =
  | 'throttled'
  | 'serviceError'
  | 'networkError'
  | 'timeout'
  | 'malformedAnswer'
  | 'unknownOperation'
  | 'notFound'
  | 'alreadyExists'
  | 'unauthorized'
  | 'dryRun'
  | 'quotaExceeded'
  | 'insufficientCapacity'
  | 'invalidParameter'
  | 'dependencyViolation'
  | 'idempotencyMismatch'
  | 'unknownCode';

/** The code of an answer that is none of AWS: a page of a proxy, or of an emulator that lacks the operation. */
export const unreadableCode = 'UnreadableAnswer';

/** The codes of each class. A code that is not here is of the class `unknownCode`. */
export const errorCodes: Readonly<Record<Exclude<ErrorClass, 'unknownCode'>, readonly string[]>> = {
  throttled: [
    'RequestLimitExceeded',
    'Throttling',
    'ThrottlingException',
    'ThrottledException',
    'TooManyRequestsException',
    'RequestThrottled',
    'SlowDown',
    'BandwidthLimitExceeded',
    'ResourceContention',
    'ResourceContentionFault',
    'ScalingActivityInProgress',
    'ScalingActivityInProgressFault',
  ],
  serviceError: [
    'InternalError',
    'InternalFailure',
    'InternalServerError',
    'ServerException',
    'ServiceFailure',
    'ServiceUnavailable',
    'ServiceUnavailableException',
    'Unavailable',
  ],
  networkError: [
    'NetworkingError',
    'ECONNABORTED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  timeout: ['TimeoutError', 'RequestTimeout', 'RequestTimeoutException', 'ETIMEDOUT'],
  malformedAnswer: [unreadableCode],
  unknownOperation: ['InvalidAction', 'NotImplemented', 'UnknownOperationException', 'UnsupportedOperation'],
  notFound: [
    'InvalidCapacityReservationId.NotFound',
    'InvalidInstanceID.NotFound',
    // An id of this form cannot exist.
    'InvalidInstanceID.Malformed',
    'InvalidLaunchTemplateName.NotFoundException',
    'InvalidLaunchTemplateId.NotFound',
    'InvalidAMIID.NotFound',
    'InvalidGroup.NotFound',
    'InvalidPlacementGroup.Unknown',
    'InvalidSubnetID.NotFound',
    'NoSuchEntity',
    'NoSuchEntityException',
    'ParameterNotFound',
    'QueueDoesNotExist',
    'AWS.SimpleQueueService.NonExistentQueue',
    'ResourceNotFoundException',
  ],
  alreadyExists: [
    'EntityAlreadyExists',
    'EntityAlreadyExistsException',
    'InvalidLaunchTemplateName.AlreadyExistsException',
  ],
  unauthorized: [
    'UnauthorizedOperation',
    'AccessDenied',
    'AccessDeniedException',
    'AuthFailure',
    'Blocked',
    'ExpiredToken',
    'ExpiredTokenException',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'OptInRequired',
    'PendingVerification',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
    'CredentialsProviderError',
  ],
  dryRun: ['DryRunOperation'],
  quotaExceeded: [
    'MaxSpotInstanceCountExceeded',
    'VcpuLimitExceeded',
    'MaxFleetCountExceeded',
    'InstanceLimitExceeded',
    'VolumeLimitExceeded',
    'LimitExceeded',
    'LimitExceededException',
    'LimitExceededFault',
    'ResourceLimitExceeded',
    'ResourceLimitExceededException',
    'ServiceQuotaExceededException',
    'TagLimitExceeded',
  ],
  insufficientCapacity: [
    'InsufficientInstanceCapacity',
    'UnfulfillableCapacity',
    'Unsupported',
    'InsufficientFreeAddressesInSubnet',
    'ReservationCapacityExceeded',
    'InvalidPlacementGroup.InUse',
  ],
  invalidParameter: [
    'InvalidParameter',
    'InvalidParameterValue',
    'InvalidParameterCombination',
    'InvalidParameterException',
    'InvalidInput',
    'InvalidInputException',
    'InvalidRequest',
    'InvalidRequestException',
    'InvalidFilter',
    'InvalidTagKey.Malformed',
    'InvalidUserData.Malformed',
    'InvalidUserID.Malformed',
    'InvalidAMIID.Malformed',
    'InvalidAMIName.Malformed',
    'InvalidCapacityReservationId.Malformed',
    'InvalidGroupId.Malformed',
    'InvalidSubnetID.Malformed',
    'InvalidSecurityGroupID.Malformed',
    'MalformedQueryString',
    'MissingParameter',
    'UnknownParameter',
    'ValidationError',
    'ValidationException',
  ],
  dependencyViolation: [
    'DependencyViolation',
    'DeleteConflict',
    'DeleteConflictException',
    'IncorrectInstanceState',
    'IncorrectState',
    'InvalidState',
    'OperationNotPermitted',
    'OperationNotPermittedException',
    'ResourceInUse',
    'ResourceInUseException',
    'ResourceInUseFault',
    'UnmodifiableEntity',
    'UnmodifiableEntityException',
  ],
  idempotencyMismatch: ['IdempotentParameterMismatch'],
};

const classesByCode: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries(errorCodes).flatMap(([name, codes]) => codes.map((code) => [code, name as ErrorClass] as const)),
);

/** The code of an SDK error, or of a socket error. */
export function awsCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export const classifyCode = (code: string): ErrorClass => classesByCode.get(code) ?? 'unknownCode';

/** An HTTP status of 5xx is an error of the service where the code says nothing, and 429 a throttled call. */
export function classifyError(error: unknown): ErrorClass {
  const named = classifyCode(awsCodeOf(error));
  if (named !== 'unknownCode') return named;
  const status = httpStatusOf(error);
  if (status === 429) return 'throttled';
  return status >= 500 ? 'serviceError' : named;
}

export const isAwsNotFound = (error: unknown): boolean => classifyError(error) === 'notFound';

const endpointClasses: ReadonlySet<ErrorClass> = new Set([
  'throttled',
  'serviceError',
  'networkError',
  'timeout',
  'malformedAnswer',
]);

/** The error is about the endpoint and the way to it. It says nothing about what was asked. */
export const isEndpointError = (error: unknown): boolean => endpointClasses.has(classifyError(error));

function httpStatusOf(error: unknown): number {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  return typeof status === 'number' ? status : 0;
}
