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
  type Storage,
  StorageError,
} from '@nodewright/runtime';
import { type AwsCall, type CallLog, isQuestion } from './calls.ts';
import { AwsError } from './codec/aws-error.ts';
import { jsonProtocol } from './codec/json-protocol.ts';
import { perKey } from './codec/lazily.ts';
import { structureCopier } from './codec/output-copy.ts';
import type { Decoded, Protocol } from './codec/protocol.ts';
import { type OperationSchema, operationName, outputShape, type WireStructure } from './codec/shape.ts';
import { createAccessDeniedError, createThrottlingError } from './common-errors.ts';
import type { FaultOf } from './faults/fault.ts';
import type { Faults } from './faults/faults.ts';
import { findExceededLimit } from './limits/input-limits.ts';
import type { AwsOperation, AwsService, ServiceName } from './service.ts';
import { storageRefusal } from './storage-refusal.ts';
import type { Throttle } from './limits/throttle.ts';
import { whichService } from './which-service.ts';

type EndpointDeps = {
  readonly clock: Clock;
  /** The clock of callers outside this process. Long polls end by it. */
  readonly callersClock: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly throttle: Throttle;
  readonly calls: CallLog;
  readonly storage: Storage;
  readonly service: (name: ServiceName) => Promise<AwsService>;
  /** Returns why a request is refused before it is decoded. Without this function no request is refused early. */
  readonly refuse?: (name: ServiceName, request: HttpRequest) => AwsError | undefined;
};

/** Returns the handler of all services: it finds the service, decodes the call, serves it, records it and encodes the answer. */
export const awsEndpoint =
  (deps: EndpointDeps): RequestHandler =>
  async (request, signal, serving) => {
    const name = whichService(request);
    if (name === undefined) return noSuchService(deps.random.uuid());
    const service = await deps.service(name);
    return answerServiceCall(service, { request, signal, ...chooseCaller(deps, serving), deps });
  };

const chooseCaller = (deps: EndpointDeps, serving: Serving | undefined) =>
  serving === undefined
    ? { serving: atOnce, callersClock: deps.callersClock, encode: encodeBytes }
    : { serving, callersClock: deps.clock, encode: encodeContent };

const atOnce: Serving = { wait: (work) => work() };

type Encode = (
  protocol: Protocol,
  operation: OperationSchema,
  answer: { readonly output: WireStructure; readonly requestId: string },
) => HttpResponse;

const encodeBytes: Encode = (protocol, operation, { output, requestId }) =>
  protocol.encode(operation, output, requestId);

const copierOfOutput = perKey((operation: OperationSchema) => structureCopier(outputShape(operation)));

/** Encodes for a caller in this process, which takes the content itself. The bytes are written when they are read. */
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
  readonly callersClock: Clock;
  readonly encode: Encode;
  readonly deps: EndpointDeps;
};

async function answerServiceCall(service: AwsService, call: EndpointCall): Promise<HttpResponse> {
  const { request, deps } = call;
  const requestId = deps.random.uuid();
  const protocol = service.protocolFor?.(request) ?? service.protocol;
  try {
    if (isOversized(request)) throw tooLargeRequest();
    const signatureError = deps.refuse?.(service.name, request);
    if (signatureError !== undefined) throw signatureError;
    const decoded = protocol.decode(
      request,
      service.operations.map(({ schema }) => schema),
    );
    const refusal = await waitUntilReady(service, decoded, call);
    const output = commitCall({ ...describeCall(service, decoded), input: decoded.input }, { service, deps }, () => {
      if (refusal !== undefined) throw refusal;
      requireLimits(service, decoded);
      return findOperation(service, decoded).serve(decoded.input, { origin: requestOrigin(request) });
    });
    return call.encode(protocol, decoded.operation, { output, requestId });
  } catch (error) {
    if (error instanceof AwsError) return protocol.refuse(error, requestId);
    throw new HandlerDefect(error, (id) => protocol.refuse(internalFailure(id), id));
  }
}

const internalFailure = (id: string): AwsError => new AwsError('InternalFailure', describeDefect(id), { status: 500 });

/** Refuses an input that does not keep the limits of its operation. @throws AwsError */
function requireLimits(service: AwsService, decoded: Decoded): void {
  const { limits } = service;
  const exceeded = limits && findExceededLimit(limits, operationName(decoded.operation), decoded.input);
  if (limits !== undefined && exceeded !== undefined) throw limits.refuse(exceeded);
}

/**
 * Refuses calls that the storage cannot keep. Calls that only read are answered while the storage is readable.
 * @throws StorageError
 */
function requireStorage(operation: string, storage: Storage): void {
  const problem = storage.problem();
  if (problem === undefined) return;
  if (!problem.isReadable || !isQuestion(operation)) throw new StorageError(problem);
}

/** Waits until the call may be answered. Returns the error that a fault asks for, if any. */
async function waitUntilReady(
  service: AwsService,
  decoded: Decoded,
  call: EndpointCall,
): Promise<AwsError | undefined> {
  const { serving, signal, callersClock, deps } = call;
  const delayMs = deps.faults.delayMs(describeCall(service, decoded));
  if (delayMs > 0) await serving.wait(() => deps.clock.sleep(delayMs, signal));
  const refusal = chooseFaultError(service, decoded, deps);
  const waiting = refusal ?? findOperation(service, decoded).ready?.(decoded.input, { clock: callersClock, signal });
  if (waiting instanceof Promise) await serving.wait(() => waiting);
  return refusal;
}

type UnansweredCall = Omit<AwsCall, 'number' | 'time' | 'outcome'>;

/**
 * Serves the call. The storage keeps what the call changes and the record of the call in one commit. When it cannot, the
 * call is recorded as refused.
 * @throws AwsError
 */
function commitCall(
  call: UnansweredCall,
  { service, deps }: Pick<EndpointCall, 'deps'> & { readonly service: AwsService },
  serve: () => WireStructure,
): WireStructure {
  const { last } = deps.calls;
  try {
    requireStorage(call.operation, deps.storage);
    return deps.storage.commit(() => recordCall(call, deps, serve));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    deps.calls.takeBack(last);
    return recordCall(call, deps, () => {
      throw storageRefusal(service.name, error.problem);
    });
  }
}

function recordCall(call: UnansweredCall, deps: EndpointDeps, serve: () => WireStructure): WireStructure {
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

function chooseFaultError(
  service: AwsService,
  decoded: Decoded,
  { faults, throttle }: Pick<EndpointDeps, 'faults' | 'throttle'>,
): AwsError | undefined {
  const call = describeCall(service, decoded);
  if (faults.throttles(call) || !throttle.admits({ ...call, input: decoded.input }))
    return createThrottlingError(service);
  if (faults.denies(call)) return createAccessDeniedError(service, call.operation);
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

/** The HTTP status of an error code, by the first pattern that the code matches. */
const statusByCode: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/^(Internal|Service|Unavailable)/, 503],
  [/Unauthorized|AccessDenied|AuthFailure/, 403],
];

const statusOfCode = (code: string): number => statusByCode.find(([pattern]) => pattern.test(code))?.[1] ?? 400;

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
      { status: 404 },
    ),
    requestId,
  );
