import {
  type Clock,
  describeDefect,
  documentResponse,
  HandlerDefect,
  type HttpRequest,
  type HttpResponse,
  mostBodyBytes,
  mostTargetLength,
  type Random,
  type RequestHandler,
  type Serving,
} from '@nodewright/runtime';
import type { AwsCall, CallLog } from './calls.ts';
import { AwsError } from './codec/aws-error.ts';
import { jsonProtocol } from './codec/json-protocol.ts';
import { perKey } from './codec/lazily.ts';
import { structureCopier } from './codec/output-copy.ts';
import type { Decoded, Protocol } from './codec/protocol.ts';
import { type OperationSchema, operationName, outputShape, type WireStructure } from './codec/shape.ts';
import type { FaultOf } from './fault.ts';
import type { Faults } from './faults.ts';
import type { Storage } from '@nodewright/runtime';
import { StorageError } from '@nodewright/runtime';
import { isQuestion } from './calls.ts';
import type { AwsOperation, AwsService, ServiceName } from './service.ts';
import { storageRefusal } from './storage-refusal.ts';
import { whichService } from './which-service.ts';

type EndpointDeps = {
  readonly clock: Clock;
  /** The time in which callers outside this process wait. */
  readonly patience: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly storage: Storage;
  readonly service: (name: ServiceName) => Promise<AwsService>;
  /** Why a request is not served, before it is read; nothing is refused without it. */
  readonly refuse?: (name: ServiceName, request: HttpRequest) => AwsError | undefined;
};

/** One handler for every service: find the service, decode, serve, record, encode. */
export const awsEndpoint =
  (deps: EndpointDeps): RequestHandler =>
  async (request, signal, serving) => {
    const name = whichService(request);
    if (name === undefined) return noSuchService(deps.random.uuid());
    const service = await deps.service(name);
    return serving === undefined
      ? answerServiceCall(service, {
          request,
          signal,
          serving: atOnce,
          patience: deps.patience,
          encode: encodeBytes,
          deps,
        })
      : answerServiceCall(service, { request, signal, serving, patience: deps.clock, encode: encodeContent, deps });
  };

const atOnce: Serving = { wait: (work) => work() };

type Encode = (
  protocol: Protocol,
  operation: OperationSchema,
  answer: { readonly output: WireStructure; readonly requestId: string },
) => HttpResponse;

const encodeBytes: Encode = (protocol, operation, { output, requestId }) =>
  protocol.encode(operation, output, requestId);

const copierOfOutput = perKey((operation: OperationSchema) => structureCopier(outputShape(operation)));

/** For a caller in this process, which takes the content itself: the bytes are written when somebody asks for them. */
const encodeContent: Encode = (protocol, operation, { output, requestId }) => {
  const document = copierOfOutput(operation)(output);
  const { status, headers } = protocol.head(operation, requestId);
  const write = (): Uint8Array => protocol.encode(operation, document, requestId).body as Uint8Array;
  return documentResponse(status, headers, { document, write });
};

type EndpointCall = {
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
  readonly serving: Serving;
  readonly patience: Clock;
  readonly encode: Encode;
  readonly deps: EndpointDeps;
};

async function answerServiceCall(service: AwsService, turn: EndpointCall): Promise<HttpResponse> {
  const { request, deps } = turn;
  const requestId = deps.random.uuid();
  const protocol = service.protocolFor?.(request) ?? service.protocol;
  try {
    if (isOversized(request)) throw tooLargeRequest();
    const unproven = deps.refuse?.(service.name, request);
    if (unproven !== undefined) throw unproven;
    const asked = protocol.decode(
      request,
      service.operations.map(({ schema }) => schema),
    );
    const refusal = await whenReady(service, asked, turn);
    refuseUnkept(service, asked, deps.storage);
    const output = kept({ ...describeCall(service, asked), input: asked.input }, deps, () => {
      if (refusal !== undefined) throw refusal;
      return findOperation(service, asked).serve(asked.input, { origin: requestOrigin(request) });
    });
    return turn.encode(protocol, asked.operation, { output, requestId });
  } catch (error) {
    const refusal = error instanceof StorageError ? storageRefusal(service.name, error.problem) : error;
    if (refusal instanceof AwsError) return protocol.refuse(refusal, requestId);
    throw new HandlerDefect(error, (id) => protocol.refuse(internalFailure(id), id));
  }
}

const internalFailure = (id: string): AwsError => new AwsError('InternalFailure', describeDefect(id), { status: 500 });

/**
 * While nothing can be kept, questions are answered, as long as what they show is kept.
 * @throws StorageError otherwise
 */
function refuseUnkept(service: AwsService, asked: Decoded, storage: Storage): void {
  const problem = storage.problem();
  if (problem === undefined) return;
  if (!problem.isReadable || !isQuestion(describeCall(service, asked).operation)) throw new StorageError(problem);
}

/** What a fault refuses the call with; else `undefined`, once an answer may be given. */
async function whenReady(service: AwsService, asked: Decoded, turn: EndpointCall): Promise<AwsError | undefined> {
  const { serving, signal, patience, deps } = turn;
  const delayMs = deps.faults.delayMs(describeCall(service, asked));
  if (delayMs > 0) await serving.wait(() => deps.clock.sleep(delayMs, signal));
  const refusal = refusalOf(service, asked, deps.faults);
  const waiting = refusal ?? findOperation(service, asked).ready?.(asked.input, { clock: patience, signal });
  if (waiting instanceof Promise) await serving.wait(() => waiting);
  return refusal;
}

type Unanswered = Omit<AwsCall, 'number' | 'time' | 'outcome'>;

/** What the call does and its record are kept together. */
function kept(call: Unanswered, deps: EndpointDeps, serve: () => WireStructure): WireStructure {
  return deps.storage.commit(() => recordCall(call, deps, serve));
}

function recordCall(call: Unanswered, deps: EndpointDeps, serve: () => WireStructure): WireStructure {
  const at = { ...call, time: deps.clock.now() };
  try {
    const output = serve();
    deps.calls.record({ ...at, outcome: { kind: 'answered', output } });
    return output;
  } catch (error) {
    if (error instanceof AwsError) {
      deps.calls.record({ ...at, outcome: { kind: 'refused', code: error.code, message: error.message } });
    }
    throw error;
  }
}

function refusalOf(service: AwsService, asked: Decoded, faults: Faults): AwsError | undefined {
  const call = describeCall(service, asked);
  if (faults.throttles(call)) return throttled(service.name);
  if (faults.denies(call)) return denied(service.name, call.operation);
  const refusal = faults.refuses(call);
  return refusal && errorOfRefusalFault(refusal);
}

function findOperation(service: AwsService, { operation }: Decoded): AwsOperation {
  const found = service.operations.find(({ schema }) => schema === operation);
  if (found === undefined) throw new Error(`no operation ${operationName(operation)} in ${service.name}`);
  return found;
}

const requestOrigin = ({ headers }: HttpRequest): string => `http://${headers['host'] ?? 'sandbox.invalid'}`;

const describeCall = (service: AwsService, { operation }: Pick<Decoded, 'operation'>) => ({
  service: service.name,
  operation: operationName(operation),
});

const errorOfRefusalFault = ({ code, message = `${code} (a fault of the sandbox)` }: FaultOf<'refusal'>): AwsError =>
  new AwsError(code, message, { status: statusOfCode(code) });

const statusOfCode = (code: string): number =>
  /^(Internal|Service|Unavailable)/.test(code) ? 503 : /Unauthorized|AccessDenied|AuthFailure/.test(code) ? 403 : 400;

/** Each service has its own word for too many calls. */
const throttled = (name: ServiceName): AwsError =>
  name === 'ec2'
    ? new AwsError('RequestLimitExceeded', 'Request limit exceeded.', { status: 503 })
    : name === 'sqs'
      ? new AwsError('RequestThrottled', 'Rate exceeded', { status: 403 })
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

const isOversized = ({ body, path }: HttpRequest): boolean =>
  body.byteLength > mostBodyBytes || path.length > mostTargetLength;

const tooLargeRequest = (): AwsError =>
  new AwsError(
    'RequestEntityTooLarge',
    `A request has at most ${mostBodyBytes} bytes and a path of ${mostTargetLength} characters.`,
    { status: 413 },
  );

const noSuchService = (requestId: string): HttpResponse =>
  jsonProtocol({ version: '1.1' }).refuse(
    new AwsError(
      'UnknownOperationException',
      'The sandbox serves Auto Scaling, EC2, EKS, EventBridge, IAM, Pricing, Service Quotas, SQS, SSM and STS only.',
      {
        status: 404,
      },
    ),
    requestId,
  );
