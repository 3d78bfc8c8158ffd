import type { Aws } from '@nodewright/aws-endpoints';
import { never } from '../aws-account.ts';

/** Calls operations of EC2 without the wire. A refusal is its code, and its code with the message for `refusalOf`. */
export function ec2Caller(aws: Pick<Aws, 'answer'>) {
  const answer = (operation: string, input: object) =>
    aws.answer({ service: 'ec2', operation, input }, { signal: never, serving: { wait: (work) => work() } });
  return {
    call: async (operation: string, input: object = {}): Promise<unknown> => {
      const given = await answer(operation, input);
      return given.kind === 'answered' ? given.output : given.code;
    },
    refusalOf: async (operation: string, input: object = {}): Promise<string> => {
      const given = await answer(operation, input);
      return given.kind === 'answered' ? 'it was answered' : `${given.code}: ${given.message}`;
    },
  };
}
