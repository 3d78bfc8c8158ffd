import { kindJsonSchema, listSchemaKinds, scenarioJsonSchema } from '@nodewright/scenario-files';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';

export function printSchema(this: CliContext, _flags: object, kind: string): void {
  const schema = kind.toLowerCase() === 'scenario' ? scenarioJsonSchema() : kindJsonSchema(kind);
  if (schema === undefined)
    throw new InputError(`there is no schema of "${kind}"; there are scenario, ${listSchemaKinds().join(', ')}`);
  this.process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}
