import { AwsError } from '../codec/aws-error.ts';

/** IAM's refusals, with its codes and in its manner. */

export const noSuchIamRole = (name: string): AwsError =>
  new AwsError('NoSuchEntity', `The role with name ${name} cannot be found.`, { status: 404 });

export const noSuchIamUser = (name: string): AwsError =>
  new AwsError('NoSuchEntity', `The user with name ${name} cannot be found.`, { status: 404 });

export const userExists = (name: string): AwsError =>
  new AwsError('EntityAlreadyExists', `User with name ${name} already exists.`, { status: 409 });

export const unmodifiableUser = (name: string): AwsError =>
  new AwsError('UnmodifiableEntity', `The user ${name} belongs to the sandbox and stays as it is.`);

export const noSuchManagedPolicy = (arn: string): AwsError =>
  new AwsError('NoSuchEntity', `Policy ${arn} was not found.`, { status: 404 });

export const noSuchIamProfile = (name: string): AwsError =>
  new AwsError('NoSuchEntity', `Instance Profile ${name} cannot be found.`, { status: 404 });

export const profileExists = (name: string): AwsError =>
  new AwsError('EntityAlreadyExists', `Instance Profile ${name} already exists.`, { status: 409 });

export const roleExists = (name: string): AwsError =>
  new AwsError('EntityAlreadyExists', `Role with name ${name} already exists.`, { status: 409 });

export const profileHasRole = (): AwsError =>
  new AwsError('LimitExceeded', 'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1', { status: 409 });

export const deleteConflict = (
  message = 'Cannot delete entity, must remove roles from instance profile first.',
): AwsError => new AwsError('DeleteConflict', message, { status: 409 });

export const notAttached = (arn: string): AwsError =>
  new AwsError('NoSuchEntity', `Policy ${arn} was not found.`, { status: 404 });

export const badMarker = (marker: string): AwsError => new AwsError('ValidationError', `Invalid marker: ${marker}`);
