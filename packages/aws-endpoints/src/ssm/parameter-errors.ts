import { AwsError } from '../codec/aws-error.ts';

export const ssmValidationError = (message: string): AwsError => new AwsError('ValidationException', message);

export const ssmBadToken = (): AwsError => new AwsError('InvalidNextToken', 'The specified token is not valid.');

export const noSuchVersion = (name: string, version: number | string): AwsError =>
  new AwsError(
    'ParameterVersionNotFound',
    `Systems Manager could not find version ${version} of ${name}. Verify the version and try again.`,
  );
