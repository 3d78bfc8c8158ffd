import type { AwsAccount } from '../account.ts';
import { missingSqsParameter } from './errors.ts';
import type { Queues } from './queues.ts';

/** What an operation works on. */
export type SqsModel = {
  readonly queues: Queues;
  readonly account: AwsAccount;
  /** Where the caller reached the sandbox, `http://127.0.0.1:4566`: URLs of queues begin with it. */
  readonly origin: string;
};

export const queueUrl = ({ account, origin }: SqsModel, name: string): string => `${origin}/${account.id}/${name}`;

/** The last step of a queue's URL is its name, whatever host the caller knows the sandbox by. */
export function queueNameOf(url: string | undefined): string {
  if (url === undefined || url === '') throw missingSqsParameter('QueueUrl');
  return url.split('/').at(-1) ?? '';
}
