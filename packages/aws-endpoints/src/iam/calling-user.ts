import { AwsError } from '../codec/aws-error.ts';
import type { AwsCaller } from '../service.ts';
import type { Iam } from './model.ts';
import { administratorName } from './users.ts';

/** The name of the user who calls, where a request names none. @throws AwsError for a session of a role */
export function nameOfCaller(iam: Iam, { accessKeyId }: AwsCaller): string {
  if (accessKeyId?.startsWith('ASIA') === true)
    throw new AwsError('ValidationError', 'Must specify userName when calling with non-User credentials');
  return (accessKeyId === undefined ? undefined : iam.users.findCaller(accessKeyId)?.user.name) ?? administratorName;
}
