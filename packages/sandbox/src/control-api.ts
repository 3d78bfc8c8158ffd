import {
  type Clock,
  describeDefect,
  HandlerDefect,
  type HttpRequest,
  type HttpResponse,
  mostBodyBytes,
  mostTargetLength,
  type RequestHandler,
  type ScaledTime,
  StandstillError,
  StorageError,
} from '@nodewright/runtime';
import { fromTimestamp, parseAge, readOwn, toTimestamp } from '@nodewright/apis';
import {
  type Aws,
  type AwsCall,
  parseFault,
  obeyReleaseRequest,
  releaseSelector,
  type RequestContext,
  type ReleaseSelector,
  type ImageRelease,
} from '@nodewright/aws-endpoints';
import { ClockFollowers } from './clock-followers.ts';

export type ControlApiOptions = {
  readonly time: ScaledTime;
  readonly aws: Aws;
  /** The clock of processes outside this one, by which they wait for an answer [`time.clock`]. */
  readonly callersClock?: Clock;
};

/** What an operation answers: a status and a JSON body. */
type ControlAnswer = { readonly status: number; readonly body: unknown };
type ControlOperation = (request: {
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}) => ControlAnswer | Promise<ControlAnswer>;

/** The control API of a running sandbox: its clock and the record of its AWS calls. JSON in and out. */
export function controlApiHandler({ time, aws, callersClock = time.clock }: ControlApiOptions): RequestHandler {
  const followers = new ClockFollowers({ time, callersClock });
  const operations: Readonly<Record<string, ControlOperation>> = {
    'GET /clock': () => okControlAnswer(clockOf(time)),
    'POST /clock': ({ body }) => moveClock({ time, aws }, body),
    'POST /clock/follow': async ({ body, signal }) => {
      const { follower, next } = parseFollowRequest(body);
      await followers.follow(follower, next === undefined ? undefined : fromTimestamp(next), signal);
      return okControlAnswer({ ...clockOf(time), now: new Date(time.clock.now()).toISOString() });
    },
    'GET /calls': ({ query }) => {
      const since = Number(query.get('since') ?? 0);
      return Number.isSafeInteger(since) && since >= 0
        ? okControlAnswer({ kind: 'AwsCallList', items: aws.calls(since).map(callOnTheWire) })
        : refusedControlAnswer(`since must be the number of a call, not "${query.get('since')}"`);
    },
    'GET /releases': ({ query }) => okControlAnswer(releaseList(aws.releases.list(selectedBy(query, aws)))),
    'POST /releases': ({ body }) =>
      okControlAnswer(releaseList(aws.storage.commit(() => obeyReleaseRequest(body, releaseContext(aws, time))))),
    'GET /faults': () => faultsOf(aws),
    'POST /faults': ({ body }) => {
      aws.storage.commit(() => aws.faults.add(parseFault(body)));
      return faultsOf(aws);
    },
    'DELETE /faults': ({ query }) => clearFaultsById(aws, query.get('id')),
  };
  return async (request, signal) => writeControlAnswer(await answerControlRequest(operations, request, signal));
}

async function answerControlRequest(
  operations: Readonly<Record<string, ControlOperation>>,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<ControlAnswer> {
  if (request.body.byteLength > mostBodyBytes)
    return { status: 413, body: { error: `a request has at most ${mostBodyBytes} bytes` } };
  if (request.path.length > mostTargetLength)
    return {
      status: 414,
      body: { error: `the path and the query of a request have at most ${mostTargetLength} characters` },
    };
  const [pathname = '', ...query] = request.path.split('?');
  const operation = readOwn(operations, `${request.method} ${pathname}`);
  if (operation === undefined) {
    return {
      status: 404,
      body: { error: `there is no ${request.method} ${pathname}; there is ${Object.keys(operations).join(', ')}` },
    };
  }
  try {
    return await operation({
      query: new URLSearchParams(query.join('?')),
      body: parseControlBody(request.body),
      signal,
    });
  } catch (failure) {
    if (isDefect(failure)) throw new HandlerDefect(failure, defectAnswer);
    const { message } = failure as Error;
    if (failure instanceof StorageError) return { status: 503, body: { error: message } };
    return failure instanceof StandstillError
      ? { status: 500, body: { error: message } }
      : refusedControlAnswer(message);
  }
}

/** Refusals of input are errors of no special kind; these are mistakes in the code. */
const isDefect = (failure: unknown): boolean =>
  failure instanceof TypeError || failure instanceof ReferenceError || failure instanceof RangeError;

const defectAnswer = (id: string): HttpResponse =>
  writeControlAnswer({ status: 500, body: { error: describeDefect(id) } });

type FollowRequest = { readonly follower: string; readonly next?: string };

function parseFollowRequest(body: unknown): FollowRequest {
  const { follower, next } = body as Record<string, unknown>;
  if (typeof follower !== 'string' || !/^[\w.-]{1,64}$/.test(follower))
    throw new Error(
      `follower must be a name of up to 64 letters, digits, "_", "." and "-", not ${JSON.stringify(follower)}`,
    );
  if (next === undefined) return { follower };
  if (typeof next !== 'string' || Number.isNaN(Date.parse(next)))
    throw new Error(`next must be a time such as 2024-01-28T16:00:00.000Z, not ${JSON.stringify(next)}`);
  return { follower, next };
}

function parseControlBody(bytes: Uint8Array): object {
  const text = Buffer.from(bytes).toString('utf8');
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw new Error('the body must be a JSON object');
  return body;
}

const releaseContext = (aws: Aws, time: ScaledTime): RequestContext => ({
  store: aws.releases,
  minor: aws.eks.controlPlane.version,
  now: time.clock.now(),
});

const releaseList = (items: readonly ImageRelease[]) => ({ kind: 'ReleaseList', items });

/** The query names fields of releases; `kubernetesVersion=current` means that of the control plane. */
function selectedBy(query: URLSearchParams, { eks }: Aws): ReleaseSelector {
  const { kubernetesVersion, ...others } = Object.fromEntries(query);
  const minor = kubernetesVersion === 'current' ? eks.controlPlane.version : kubernetesVersion;
  return releaseSelector({ ...others, kubernetesVersion: minor });
}

/** Time stands still while nothing can be kept: what happens would be forgotten by a restart. */
async function moveClock({ time, aws }: ControlApiOptions, body: unknown): Promise<ControlAnswer> {
  refuseUnkept(aws);
  const { advance, paused, speed } = body as { advance?: string; paused?: boolean; speed?: number };
  if (speed !== undefined && !(speed > 0))
    return refusedControlAnswer(`speed must be a number above 0, not ${JSON.stringify(speed)}`);
  const ms = advance === undefined ? undefined : parseAge(advance);
  if (speed !== undefined) time.setSpeed(speed);
  if (paused === true) time.pause();
  if (paused === false) time.resume();
  if (ms !== undefined) await time.advance(ms);
  refuseUnkept(aws);
  return okControlAnswer(clockOf(time));
}

/** @throws StorageError while nothing can be kept */
function refuseUnkept({ storage }: Aws): void {
  const problem = storage.problem();
  if (problem !== undefined) throw new StorageError(problem);
}

const faultsOf = ({ faults }: Aws): ControlAnswer => okControlAnswer({ kind: 'FaultList', items: faults.list() });

function clearFaultsById(aws: Aws, id: string | null): ControlAnswer {
  const known = aws.faults.list().map((fault) => fault.id);
  if (id !== null && !known.includes(id))
    return refusedControlAnswer(`there is no fault "${id}"; in force: ${known.join(', ') || 'none'}`);
  aws.storage.commit(() => aws.faults.clear(id ?? undefined));
  return faultsOf(aws);
}

const callOnTheWire = ({ time, ...call }: AwsCall) => ({ ...call, time: toTimestamp(time) });

function clockOf(time: ScaledTime) {
  const { now, speed, paused } = time.status();
  return { kind: 'Clock', now: toTimestamp(now), speed, paused };
}

const okControlAnswer = (body: unknown): ControlAnswer => ({ status: 200, body });
const refusedControlAnswer = (error: string): ControlAnswer => ({ status: 400, body: { error } });

const writeControlAnswer = ({ status, body }: ControlAnswer): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(body)}\n`),
});
