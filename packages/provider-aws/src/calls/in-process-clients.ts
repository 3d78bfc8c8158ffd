import type { CallGate, Serving } from '@nodewright/runtime';
import type { AwsClients } from './clients.ts';
import { signalOfOptions, ticketOfOptions } from './send-options.ts';

type InProcessCall = { readonly service: string; readonly operation: string; readonly input: object };

type InProcessAnswer = { readonly requestId: string } & (
  | { readonly kind: 'answered'; readonly output: object }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly status: number;
      readonly details: object;
    }
);

/** An AWS account in this process. It answers calls as objects, without a wire between. */
export type InProcessAws = {
  readonly gate: CallGate;
  readonly answer: (
    call: InProcessCall,
    caller: { readonly signal: AbortSignal; readonly serving: Serving },
  ) => Promise<InProcessAnswer>;
};

type Command = { readonly input: object; readonly schema?: readonly unknown[] };

/** Creates clients whose calls an account in this process answers, each when the gate says that it is the call's turn. */
export function createInProcessClients(aws: InProcessAws): AwsClients {
  const client = (service: string): unknown => ({
    send: (command: Command, options: object) => sendDirectly({ service, command, options }, aws),
  });
  return {
    autoScaling: client('autoscaling'),
    ec2: client('ec2'),
    eks: client('eks'),
    iam: client('iam'),
    pricing: client('pricing'),
    serviceQuotas: client('servicequotas'),
    sqs: client('sqs'),
    ssm: client('ssm'),
  } as AwsClients;
}

type Sending = { readonly service: string; readonly command: Command; readonly options: object };

/** Outputs and errors have the members that the SDK's own have. */
async function sendDirectly({ service, command, options }: Sending, { gate, answer }: InProcessAws): Promise<object> {
  const operation = String(command.schema?.[2]);
  const signal = signalOfOptions(options);
  const ticket = ticketOfOptions(options);
  await gate.park(ticket, signal, operation);
  const serving: Serving = { wait: (work) => gate.standAside(ticket, work) };
  const answered = await answer({ service, operation, input: command.input }, { signal, serving });
  if (answered.kind === 'refused') throw serviceException(answered);
  return { ...answered.output, $metadata: { httpStatusCode: 200, requestId: answered.requestId } };
}

function serviceException(refused: Extract<InProcessAnswer, { readonly kind: 'refused' }>): Error {
  const { code, message, status, requestId, details } = refused;
  return Object.assign(new Error(message === '' ? 'UnknownError' : message), {
    ...details,
    name: code,
    $fault: status < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: status, requestId },
  });
}
