import { type Clock, type Serving, type Storage, StorageError } from '@nodewright/runtime';
import type { AuthorizeCall } from './authorization/authorize-call.ts';
import { type AwsCall, type CallLog, isQuestion } from './calls.ts';
import { AwsError } from './codec/aws-error.ts';
import type { Decoded } from './codec/protocol.ts';
import { operationName, type OperationSchema, type WireStructure } from './codec/shape.ts';
import { createAccessDeniedError, createThrottlingError } from './common-errors.ts';
import type { FaultOf } from './faults/fault.ts';
import type { Faults } from './faults/faults.ts';
import { findExceededLimit } from './limits/input-limits.ts';
import type { Throttle } from './limits/throttle.ts';
import type { AwsCaller, AwsOperation, AwsService, ServiceName } from './service.ts';
import { storageRefusal } from './storage-refusal.ts';

/** What serving a call needs of the account. */
export type ServingDeps = {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly throttle: Throttle;
  readonly calls: CallLog;
  readonly storage: Storage;
  /** Is told of every answer. Tests hold answers to the models of AWS [not told]. */
  readonly onAnswer?: AnswerListener | undefined;
  /** Returns why the caller may not make a call. Without this function the caller may do everything. */
  readonly authorize?: AuthorizeCall;
};

/** Is told of an answer to an operation of a service. */
export type AnswerListener = (service: ServiceName, operation: OperationSchema, output: WireStructure) => void;

/** How the caller waits, and how long. */
export type CallerTerms = AwsCaller & {
  readonly signal: AbortSignal;
  readonly serving: Serving;
  /** The clock by which the caller waits for an answer. Long polls end by it. */
  readonly clock: Clock;
};

/**
 * Serves one decoded call: faults, limits, rights and storage are looked at, and the call is recorded. It is the same for calls
 * over the wire and for calls as objects.
 * @throws AwsError
 */
export async function serveCall(
  service: AwsService,
  decoded: Decoded,
  { deps, terms }: { readonly deps: ServingDeps; readonly terms: CallerTerms },
): Promise<WireStructure> {
  const refusal = await waitUntilReady(service, decoded, { deps, terms });
  return commitCall({ ...describeCall(service, decoded), input: decoded.input }, { service, deps }, () => {
    if (refusal !== undefined) throw refusal;
    requireValidInput(service, decoded);
    const denial = deps.authorize?.(service, decoded, terms);
    if (denial !== undefined) throw denial;
    const output = findOperation(service, decoded).serve(decoded.input, terms);
    deps.onAnswer?.(service.name, decoded.operation, output);
    return output;
  });
}

/** Refuses an input that does not keep its model, the limits of its operation, or a rule of the service. @throws AwsError */
function requireValidInput({ limits, constraints, rules }: AwsService, { operation, input }: Decoded): void {
  const name = operationName(operation);
  const exceeded = limits && findExceededLimit(limits, name, input);
  if (limits !== undefined && exceeded !== undefined) throw limits.refuse(exceeded);
  const violations = constraints?.listViolations(operation, input) ?? [];
  if (constraints !== undefined && violations.length > 0) throw constraints.refuse(violations, input);
  for (const check of rules?.get(name) ?? []) check(input);
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
  { deps, terms }: { readonly deps: ServingDeps; readonly terms: CallerTerms },
): Promise<AwsError | undefined> {
  const { serving, signal, clock } = terms;
  const delayMs = deps.faults.delayMs(describeCall(service, decoded));
  if (delayMs > 0) await serving.wait(() => deps.clock.sleep(delayMs, signal));
  const refusal = chooseFaultError(service, decoded, deps);
  const waiting = refusal ?? findOperation(service, decoded).ready?.(decoded.input, { clock, signal });
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
  { service, deps }: { readonly service: AwsService; readonly deps: ServingDeps },
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

function recordCall(call: UnansweredCall, deps: ServingDeps, serve: () => WireStructure): WireStructure {
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
  { faults, throttle }: Pick<ServingDeps, 'faults' | 'throttle'>,
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
