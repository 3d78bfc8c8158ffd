/** What an AWS error code means to us, whatever service it comes from. */
export type ErrorMeaning =
  | 'insufficientCapacity'
  | 'notFound'
  | 'alreadyExists'
  | 'throttled'
  | 'serverFault'
  | 'unauthorized'
  | 'idempotencyMismatch'
  | 'other';

const codes: Readonly<Record<Exclude<ErrorMeaning, 'other'>, readonly string[]>> = {
  insufficientCapacity: [
    'InsufficientInstanceCapacity',
    'MaxSpotInstanceCountExceeded',
    'VcpuLimitExceeded',
    'UnfulfillableCapacity',
    'Unsupported',
    'InsufficientFreeAddressesInSubnet',
    'MaxFleetCountExceeded',
    'ReservationCapacityExceeded',
    'InvalidPlacementGroup.InUse',
  ],
  notFound: [
    'InvalidCapacityReservationId.NotFound',
    'InvalidInstanceID.NotFound',
    'InvalidLaunchTemplateName.NotFoundException',
    'InvalidLaunchTemplateId.NotFound',
    'InvalidAMIID.NotFound',
    'InvalidGroup.NotFound',
    'InvalidPlacementGroup.Unknown',
    'InvalidSubnetID.NotFound',
    'NoSuchEntity',
    'NoSuchEntityException',
    'ParameterNotFound',
    'ResourceNotFoundException',
  ],
  alreadyExists: [
    'EntityAlreadyExists',
    'EntityAlreadyExistsException',
    'InvalidLaunchTemplateName.AlreadyExistsException',
  ],
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
  serverFault: [
    'InternalError',
    'InternalFailure',
    'InternalServerError',
    'ServerException',
    'ServiceUnavailable',
    'ServiceUnavailableException',
    'Unavailable',
    'TimeoutError',
    'NetworkingError',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  unauthorized: [
    'UnauthorizedOperation',
    'AccessDenied',
    'AccessDeniedException',
    'AuthFailure',
    'ExpiredToken',
    'ExpiredTokenException',
    'InvalidClientTokenId',
    'UnrecognizedClientException',
    'CredentialsProviderError',
  ],
  idempotencyMismatch: ['IdempotentParameterMismatch'],
};

const meanings: ReadonlyMap<string, ErrorMeaning> = new Map(
  Object.entries(codes).flatMap(([meaning, names]) => names.map((name) => [name, meaning as ErrorMeaning] as const)),
);

/** The code of an SDK error, or of a socket error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function meaningOfCode(code: string): ErrorMeaning {
  return meanings.get(code) ?? 'other';
}

/** An HTTP status of 5xx counts as a fault of the server, whatever its code. */
export function meaningOf(error: unknown): ErrorMeaning {
  const known = meaningOfCode(codeOf(error));
  return known === 'other' && statusOf(error) >= 500 ? 'serverFault' : known;
}

export const isNotFound = (error: unknown): boolean => meaningOf(error) === 'notFound';

function statusOf(error: unknown): number {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  return typeof status === 'number' ? status : 0;
}
