import { buildCommand } from '@stricli/core';
import { parsePlainText } from '../../terminal/parsers.ts';

export const schemaCommand = buildCommand<object, [string]>({
  docs: {
    brief: 'Print the JSON schema of scenario files, or of a kind that crds prints, for editors',
    fullDescription:
      'KIND is scenario, or a kind of `nodewright crds` in any case, such as nodepool. Editors take it with a line at the top of a file: # yaml-language-server: $schema=FILE.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parsePlainText, placeholder: 'kind', brief: 'scenario, nodepool, ec2nodeclass, ...' }],
    },
  },
  loader: async () => (await import('./print-schema.ts')).printSchema,
});
