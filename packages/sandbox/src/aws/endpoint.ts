import type { Clock, HttpRequest, HttpResponse, Random, RequestHandler, Serving } from '@nodewright/runtime';
import type { CallLog } from './calls.ts';
import { AwsError } from './codec/aws-error.ts';
import { jsonProtocol } from './codec/json-protocol.ts';
import type { Decoded } from './codec/protocol.ts';
import { operationName, type Structure } from './codec/shape.ts';
import type { FaultOf } from './fault.ts';
import type { Faults } from './faults.ts';
import type { Service, ServiceName } from './service.ts';
import { whichService } from './which-service.ts';

type Deps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly service: (name: ServiceName) => Promise<Service>;
};

/** One handler for every service: find the service, decode, serve, record, encode. */
export const awsEndpoint =
  (deps: Deps): RequestHandler =>
  async (request, signal, serving = { wait: (work) => work() }) => {
    const name = whichService(request);
    if (name === undefined) return noSuchService(deps.random.uuid());
    return answerFor(await deps.service(name), { request, signal, serving, deps });
  };

type Turn = {
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
  readonly serving: Serving;
  readonly deps: Deps;
};

async function answerFor(service: Service, { request, signal, serving, deps }: Turn): Promise<HttpResponse> {
  const requestId = deps.random.uuid();
  const { protocol } = service;
  try {
    const asked = protocol.decode(
      request,
      service.operations.map(({ schema }) => schema),
    );
    const delayMs = deps.faults.delayMs(called(service, asked));
    if (delayMs > 0) await serving.wait(() => deps.clock.sleep(delayMs, signal));
    return protocol.encode(asked.operation, serve(service, asked, deps), requestId);
  } catch (error) {
    if (error instanceof AwsError) return protocol.refuse(error, requestId);
    throw error;
  }
}

function serve(service: Service, asked: Decoded, deps: Deps): Structure {
  const call = { time: deps.clock.now(), ...called(service, asked), input: asked.input };
  try {
    const output = outputOf(service, asked, deps.faults);
    deps.calls.record({ ...call, outcome: { kind: 'answered', output } });
    return output;
  } catch (error) {
    if (error instanceof AwsError) {
      deps.calls.record({ ...call, outcome: { kind: 'refused', code: error.code, message: error.message } });
    }
    throw error;
  }
}

function outputOf(service: Service, { operation, input }: Decoded, faults: Faults): Structure {
  if (faults.throttles(called(service, { operation }))) throw throttled(service.name);
  if (faults.denies(called(service, { operation }))) throw denied(service.name, operationName(operation));
  const refusal = faults.refuses(called(service, { operation }));
  if (refusal !== undefined) throw refused(refusal);
  const served = service.operations.find(({ schema }) => schema === operation);
  if (served === undefined) throw new Error(`no operation ${operationName(operation)} in ${service.name}`);
  return served.serve(input);
}

const called = (service: Service, { operation }: Pick<Decoded, 'operation'>) => ({
  service: service.name,
  operation: operationName(operation),
});

const refused = ({ code, message = `${code} (a fault of the sandbox)` }: FaultOf<'refusal'>): AwsError =>
  new AwsError(code, message, { status: statusOf(code) });

const statusOf = (code: string): number =>
  /^(Internal|Service|Unavailable)/.test(code) ? 503 : /Unauthorized|AccessDenied|AuthFailure/.test(code) ? 403 : 400;

/** Each service has its own word for too many calls. */
const throttled = (name: ServiceName): AwsError =>
  name === 'ec2'
    ? new AwsError('RequestLimitExceeded', 'Request limit exceeded.', { status: 503 })
    : name === 'iam' || name === 'sts' || name === 'autoscaling'
      ? new AwsError('Throttling', 'Rate exceeded')
      : new AwsError('ThrottlingException', 'Rate exceeded', { status: name === 'eks' ? 429 : 400 });

/** And for a caller who lacks a permission. */
function denied(name: ServiceName, operation: string): AwsError {
  const message = `The caller is not authorized to perform: ${name}:${operation}`;
  if (name === 'ec2') {
    return new AwsError('UnauthorizedOperation', `You are not authorized to perform this operation. ${message}`, {
      status: 403,
    });
  }
  const isQuery = name === 'iam' || name === 'sts' || name === 'autoscaling';
  return new AwsError(isQuery ? 'AccessDenied' : 'AccessDeniedException', message, {
    status: name === 'ssm' || name === 'pricing' ? 400 : 403,
  });
}

const noSuchService = (requestId: string): HttpResponse =>
  jsonProtocol({ version: '1.1' }).refuse(
    new AwsError(
      'UnknownOperationException',
      'The sandbox serves Auto Scaling, EC2, EKS, IAM, Pricing, SSM and STS only.',
      {
        status: 404,
      },
    ),
    requestId,
  );
