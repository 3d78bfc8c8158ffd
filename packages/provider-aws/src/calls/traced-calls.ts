import { readOwn, writeOwn } from '@nodewright/apis';
import type { Tracer } from '@nodewright/runtime';

type CallArguments = { readonly request?: { readonly headers?: Record<string, string> } };
type CallAnswer = { readonly output?: { readonly $metadata?: CallMetadata } };
type CallMetadata = { readonly httpStatusCode?: number; readonly requestId?: string };
type CallContext = { readonly clientName?: string; readonly commandName?: string };
type NextHandler = (args: CallArguments) => Promise<CallAnswer>;

/** A middleware of the SDK. */
export type TracedMiddleware = (next: NextHandler, context: CallContext) => NextHandler;

/** Each call is a request of the turn that makes it, under the name of its operation. */
export const traceCalls =
  (tracer: Tracer): TracedMiddleware =>
  (next, { clientName = '', commandName = '' }) =>
  (args) => {
    const service = clientName.replace(/Client$/, '');
    const operation = commandName.replace(/Command$/, '');
    const fields = { 'rpc.system': 'aws-api', 'rpc.service': service, 'rpc.method': operation };
    return tracer.runRequest({ name: `${service} ${operation}`, fields }, async (note) => {
      const answer = await next(args);
      const { httpStatusCode, requestId } = answer.output?.$metadata ?? {};
      note({ 'http.response.status_code': httpStatusCode, 'aws.request_id': requestId });
      return answer;
    });
  };

/** Each call says in its user agent, which CloudTrail keeps, for which turn it is made. */
export const nameTurnOfCalls =
  (tracer: Tracer): TracedMiddleware =>
  (next) =>
  (args) => {
    const turn = tracer.currentTurn();
    const headers = args.request?.headers;
    if (turn !== undefined && headers !== undefined) {
      for (const name of ['user-agent', 'x-amz-user-agent']) {
        const agent = readOwn(headers, name);
        if (agent !== undefined) writeOwn(headers, name, `${agent} md/reconcile#${turn}`);
      }
    }
    return next(args);
  };
