import { AwsError } from '../codec/aws-error.ts';

export const experimentRefused = (message: string): AwsError => new AwsError('ValidationException', message);

export const experimentBadToken = (token: string): AwsError => experimentRefused(`Invalid nextToken: ${token}`);

export const experimentNotFound = (what: string, id: string): AwsError =>
  new AwsError('ResourceNotFoundException', `${what} ${id} not found.`, { status: 404 });
