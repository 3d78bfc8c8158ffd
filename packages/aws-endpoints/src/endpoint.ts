import {
  type Clock,
  describeDefect,
  HandlerDefect,
  type HttpRequest,
  type HttpResponse,
  mostBodyBytes,
  mostTargetLength,
  type Random,
  type RequestHandler,
  type Serving,
} from '@nodewright/runtime';
import { AwsError } from './codec/aws-error.ts';
import { serveCall, type ServingDeps } from './serve-call.ts';
import type { AwsCaller, AwsService, ServiceName } from './service.ts';
import type { FurtherPlace } from './further-places.ts';
import { readSignature } from './signature/read-signature.ts';
import { refuseUnservedService } from './unserved-service.ts';
import { whichService } from './which-service.ts';

export type EndpointDeps = ServingDeps & {
  /** The clock of callers outside this process. Long polls end by it. */
  readonly callersClock: Clock;
  readonly random: Random;
  readonly service: (name: ServiceName) => Promise<AwsService>;
  /** Finds the other region or account that a request is for. @throws AwsError where there is none */
  readonly findPlace?: (name: ServiceName, request: HttpRequest) => FurtherPlace | undefined;
  /** Returns why a request is refused before it is decoded. Without this function no request is refused early. */
  readonly refuse?: (name: ServiceName, request: HttpRequest) => AwsError | undefined;
};

/** Returns the handler of all services: it finds the service, decodes the call, serves it, records it and encodes the answer. */
export const awsEndpoint =
  (deps: EndpointDeps): RequestHandler =>
  async (request, signal, serving) => {
    const name = whichService(request);
    if (name === undefined) return refuseUnservedService(request, deps.random.uuid());
    const service = await deps.service(name);
    return answerServiceCall(service, { request, signal, ...chooseCaller(deps, serving), deps });
  };

/** A caller that brings no `serving` is outside this process, and so is its clock. */
const chooseCaller = (deps: EndpointDeps, serving: Serving | undefined) =>
  serving === undefined ? { serving: atOnce, callersClock: deps.callersClock } : { serving, callersClock: deps.clock };

const atOnce: Serving = { wait: (work) => work() };

type EndpointCall = {
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
  readonly serving: Serving;
  readonly callersClock: Clock;
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
    const { signal, serving, callersClock } = call;
    const terms = {
      signal,
      serving,
      clock: callersClock,
      origin: requestOrigin(request),
      ...(deps.refuse && readSigner(request)),
    };
    const place = deps.findPlace?.(service.name, request);
    const output = await (place === undefined
      ? serveCall(service, decoded, { deps, terms })
      : serveCall(await place.service(service.name), decoded, { deps: rightsIn(place, deps), terms }));
    return protocol.encode(decoded.operation, output, requestId);
  } catch (error) {
    if (error instanceof AwsError) return protocol.refuse(error, requestId);
    throw new HandlerDefect(error, (id) => protocol.refuse(internalFailure(id), id));
  }
}

function rightsIn({ authorize }: FurtherPlace, { authorize: _ofCluster, ...deps }: EndpointDeps): ServingDeps {
  return { ...deps, ...(authorize && { authorize }) };
}

const internalFailure = (id: string): AwsError => new AwsError('InternalFailure', describeDefect(id), { status: 500 });

const requestOrigin = ({ headers }: HttpRequest): string => `http://${headers['host'] ?? 'sandbox.invalid'}`;

function readSigner(request: HttpRequest): Pick<AwsCaller, 'accessKeyId'> {
  const read = readSignature(request);
  return read.kind === 'present' ? { accessKeyId: read.signature.accessKeyId } : {};
}

const isOversized = ({ body, path }: HttpRequest): boolean =>
  body.byteLength > mostBodyBytes || path.length > mostTargetLength;

const tooLargeRequest = (): AwsError =>
  new AwsError(
    'RequestEntityTooLarge',
    `A request has at most ${mostBodyBytes} bytes and a path of ${mostTargetLength} characters.`,
    { status: 413 },
  );
