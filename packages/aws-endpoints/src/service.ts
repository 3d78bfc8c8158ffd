import type { Clock, HttpRequest } from '@nodewright/runtime';
import type { AwsError } from './codec/aws-error.ts';
import type { CommonErrors } from './common-errors.ts';
import type { ListViolations, Violation } from './limits/constraint-checks.ts';
import type { ServiceLimits } from './limits/input-limits.ts';
import type { WireStructure, OperationSchema } from './codec/shape.ts';
import type { Protocol } from './codec/protocol.ts';

/** The services one endpoint answers for, by the name in a signature's credential scope. */
export type ServiceName =
  | 'autoscaling'
  | 'ec2'
  | 'eks'
  | 'eks-auth'
  | 'events'
  | 'fis'
  | 'iam'
  | 'pricing'
  | 'servicequotas'
  | 'sqs'
  | 'ssm'
  | 'sts';

/** Who calls, as far as an answer depends on it. */
export type AwsCaller = {
  /** Where the caller reached the sandbox, `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** With which key the request is signed; absent for callers of this process. */
  readonly accessKeyId?: string;
};

/** One operation of a service: its shapes on the wire, and what the sandbox does for it. */
export type AwsOperation = {
  readonly schema: OperationSchema;
  /** Synchronous: a call is served whole before the next one. @throws AwsError */
  readonly serve: (input: WireStructure, caller: AwsCaller) => WireStructure;
  /** What the answer waits for, in the caller's own time; it waits for nothing without. Rejects when the caller has gone. */
  readonly ready?: (
    input: WireStructure,
    waiting: { readonly clock: Clock; readonly signal: AbortSignal },
  ) => Promise<void> | undefined;
};

/** What the model of a service says of its inputs, and the error for an input that does not keep it. */
export type ServiceConstraints = {
  readonly listViolations: ListViolations;
  readonly refuse: (violations: readonly Violation[], input: WireStructure) => AwsError;
};

/** The checks of each operation by its name. A check throws an `AwsError`. */
export type InputRules = ReadonlyMap<string, readonly ((input: WireStructure) => void)[]>;

export type AwsService = {
  readonly name: ServiceName;
  readonly protocol: Protocol;
  /** Of a service that speaks more than one. */
  readonly protocolFor?: (request: HttpRequest) => Protocol;
  readonly commonErrors: CommonErrors;
  /** Returns the code that SDK clients show for a code of the protocol [the same]. */
  readonly sdkCode?: (code: string) => string;
  readonly limits?: ServiceLimits;
  readonly constraints?: ServiceConstraints;
  /** What the service checks of a request beyond its model, whatever the account has. */
  readonly rules?: InputRules;
  readonly operations: readonly AwsOperation[];
};

/** Ties a schema to a function of the SDK's own types. */
export const defineOperation = <Input, Output extends object>(
  schema: OperationSchema,
  serve: (input: Input, caller: AwsCaller) => Output,
): AwsOperation => ({ schema, serve: (input, caller) => serve(input as Input, caller) as WireStructure });
