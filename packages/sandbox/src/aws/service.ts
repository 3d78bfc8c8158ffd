import type { Structure, OperationSchema } from './codec/shape.ts';
import type { Protocol } from './codec/protocol.ts';

/** The services one endpoint answers for, by the name in a signature's credential scope. */
export type ServiceName = 'autoscaling' | 'ec2' | 'eks' | 'iam' | 'pricing' | 'servicequotas' | 'ssm' | 'sts';

/** One operation of a service: its shapes on the wire, and what the sandbox does for it. */
export type Operation = {
  readonly schema: OperationSchema;
  /** Synchronous: a call is served whole before the next one. @throws AwsError */
  readonly serve: (input: Structure) => Structure;
};

export type Service = {
  readonly name: ServiceName;
  readonly protocol: Protocol;
  readonly operations: readonly Operation[];
};

/** Ties a schema to a function of the SDK's own types. */
export const operation = <Input, Output extends object>(
  schema: OperationSchema,
  serve: (input: Input) => Output,
): Operation => ({ schema, serve: (input) => serve(input as Input) as Structure });
