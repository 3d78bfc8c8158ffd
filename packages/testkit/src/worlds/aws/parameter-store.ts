import { never } from '../aws-account.ts';
import { aTestAccount } from './test-account.ts';

/** Calls operations of the Parameter Store of an empty account, without the wire. A refusal is its code. */
export function aParameterStore() {
  const { aws } = aTestAccount();
  return async (operation: string, input: object): Promise<unknown> => {
    const answer = await aws.answer(
      { service: 'ssm', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : answer.code;
  };
}
