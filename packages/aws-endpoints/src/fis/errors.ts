import { AwsError } from '../codec/aws-error.ts';

export const fisInvalid = (message: string): AwsError => new AwsError('ValidationException', message);

export const fisBadToken = (token: string): AwsError => fisInvalid(`Invalid nextToken: ${token}`);

export const fisNotFound = (what: string, id: string): AwsError =>
  new AwsError('ResourceNotFoundException', `${what} ${id} not found.`, { status: 404 });
