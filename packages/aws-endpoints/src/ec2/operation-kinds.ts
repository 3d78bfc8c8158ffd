import type { OperationSchema, WireStructure } from '../codec/shape.ts';
import { type AwsOperation, defineOperation } from '../service.ts';
import { dryRunWouldSucceed } from './errors.ts';
import type { Ec2 } from './model.ts';

/** How operations of EC2 are defined: a dry run of `read` ends after the call, `write` sees to it by itself. */
export const operationKinds = (ec2: Ec2) => ({
  read: <Input extends { DryRun?: boolean | undefined }, Output extends object>(
    schema: OperationSchema,
    serve: (ec2: Ec2, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => unlessDryRun(input, serve(ec2, input))),
  write: <Input, Output extends object>(
    schema: OperationSchema,
    serve: (ec2: Ec2, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => serve(ec2, input)),
});

/** Refuses the dry run of a call that only reads, after the call could have been answered. */
function unlessDryRun<Output extends WireStructure | object>(
  input: { DryRun?: boolean | undefined },
  output: Output,
): Output {
  if (input.DryRun === true) throw dryRunWouldSucceed();
  return output;
}
