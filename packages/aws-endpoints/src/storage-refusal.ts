import type { StorageProblem } from '@nodewright/runtime';
import { AwsError } from './codec/aws-error.ts';
import type { ServiceName } from './service.ts';

/** What each service says when it cannot do its work now; clients try again later. */
const codes: Partial<Record<ServiceName, string>> = {
  ec2: 'ServiceUnavailable',
  eks: 'ServiceUnavailableException',
  events: 'InternalException',
  iam: 'ServiceFailure',
  pricing: 'InternalErrorException',
  servicequotas: 'ServiceException',
  ssm: 'InternalServerError',
};

export const storageRefusal = (service: ServiceName, { message }: StorageProblem): AwsError =>
  new AwsError(codes[service] ?? 'ServiceUnavailable', message, { status: 503 });
