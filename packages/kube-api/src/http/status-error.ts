import { type KubernetesStatus, mostTargetLength } from '@nodewright/runtime';
import { groupResource } from '../resources/served-kind.ts';

type ResourceName = { readonly group: string; readonly plural: string };
type KindName = { readonly group: string; readonly kind: string };
export type StatusCause = { readonly reason?: string; readonly message?: string; readonly field?: string };
type Details = NonNullable<KubernetesStatus['details']>;

/** An error answer. Any code that serves a request may throw it; it becomes the `Status` body. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: Details | undefined;
  readonly continueToken: string | undefined;
  /** What the request is warned of beside its refusal. */
  warnings: readonly string[] = [];

  constructor(
    code: number,
    message: string,
    extra: { readonly reason?: string; readonly details?: Details; readonly continueToken?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.reason = extra.reason;
    this.details = extra.details;
    this.continueToken = extra.continueToken;
  }

  /** The body, with members in the order of a real server. */
  toStatus(): Readonly<Record<string, unknown>> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason !== undefined && { reason: this.reason }),
      ...(this.details !== undefined && { details: this.details }),
      code: this.code,
    };
  }
}

const detailsOf = ({ group, plural }: ResourceName, name: string): Details => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  ...(plural !== '' && { kind: plural }),
});

/** An absent name is printed as an empty one. */
const quoteName = (name: string | undefined): string => JSON.stringify(name ?? '');

export const notFoundError = (resource: ResourceName, name: string): StatusError =>
  new StatusError(404, `${groupResource(resource)} ${quoteName(name)} not found`, {
    reason: 'NotFound',
    details: detailsOf(resource, name),
  });

/** The error for a path that names no resource of a known group. */
export const noSuchResourceError = (): StatusError =>
  new StatusError(404, 'the server could not find the requested resource', { reason: 'NotFound', details: {} });

export const methodNotAllowedError = (): StatusError =>
  new StatusError(405, 'the server does not allow this method on the requested resource', {
    reason: 'MethodNotAllowed',
    details: {},
  });

export const alreadyExistsError = (resource: ResourceName, name: string): StatusError =>
  new StatusError(409, `${groupResource(resource)} ${quoteName(name)} already exists`, {
    reason: 'AlreadyExists',
    details: detailsOf(resource, name),
  });

/** The error for a name that was generated, or could have been. */
export const noUniqueNameError = (resource: ResourceName, name: string): StatusError =>
  new StatusError(
    409,
    `${groupResource(resource)} ${quoteName(name)} already exists, the server was not able to generate a unique name for the object`,
    { reason: 'AlreadyExists', details: { ...detailsOf(resource, name), retryAfterSeconds: 1 } },
  );

export const beingDeletedError = (resource: ResourceName, name: string): StatusError =>
  new StatusError(409, `object is being deleted: ${groupResource(resource)} ${quoteName(name)} already exists`, {
    reason: 'AlreadyExists',
    details: detailsOf(resource, name),
  });

/** `resource` may be a kind: delete preconditions name the kind, updates the plural. */
export const conflictError = (resource: ResourceName, name: string, because: string): StatusError =>
  new StatusError(409, `Operation cannot be fulfilled on ${groupResource(resource)} ${quoteName(name)}: ${because}`, {
    reason: 'Conflict',
    details: detailsOf(resource, name),
  });

export const modifiedConflictError = (resource: ResourceName, name: string): StatusError =>
  conflictError(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const badRequestError = (message: string): StatusError =>
  new StatusError(400, message, { reason: 'BadRequest' });

export const internalError = (message: string): StatusError => new StatusError(500, message);

export const invalidError = ({ group, kind }: KindName, name: string, causes: readonly StatusCause[]): StatusError => {
  const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const listed = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  return new StatusError(422, `${groupResource({ group, plural: kind })} ${quoteName(name)} is invalid: ${listed}`, {
    reason: 'Invalid',
    details: { ...detailsOf({ group, plural: kind }, name), causes },
  });
};

export const forbiddenError = (
  resource: ResourceName,
  name: string,
  because: string,
  causes?: readonly StatusCause[],
): StatusError =>
  new StatusError(
    403,
    `${groupResource(resource)}${name === '' ? '' : ` ${quoteName(name)}`} is forbidden: ${because}`,
    {
      reason: 'Forbidden',
      details: { ...detailsOf(resource, name), ...(causes && { causes }) },
    },
  );

export const unauthorizedError = (): StatusError => new StatusError(401, 'Unauthorized', { reason: 'Unauthorized' });

/** The error for a resource version whose history is gone. */
export const expiredError = (message: string, continueToken?: string): StatusError =>
  new StatusError(410, message, { reason: 'Expired', ...(continueToken !== undefined && { continueToken }) });

export const tooLargeVersionError = (asked: number, current: number): StatusError =>
  new StatusError(504, `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    reason: 'Timeout',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

export const tooLargeBodyError = (limitBytes: number): StatusError =>
  new StatusError(413, `Request entity too large: limit is ${limitBytes}`, { reason: 'RequestEntityTooLarge' });

export const tooManyRequestsError = (): StatusError =>
  new StatusError(429, 'too many requests, please try again later', {
    reason: 'TooManyRequests',
    details: { retryAfterSeconds: 1 },
  });

export const targetLengthError = (): StatusError =>
  new StatusError(414, `the path and the query of a request have at most ${mostTargetLength} characters`, {
    reason: 'RequestURITooLong',
  });

/** The error for a content type that the path never accepts. */
export const unsupportedMediaTypeError = (): StatusError =>
  new StatusError(415, '415: Unsupported Media Type', { reason: 'UnsupportedMediaType', details: {} });

/** The error for a content type that the verb does not accept. It lists the accepted types. */
export const unknownFormatError = (accepted: string): StatusError =>
  new StatusError(415, `the body of the request was in an unknown format - accepted media types include: ${accepted}`, {
    reason: 'UnsupportedMediaType',
  });
