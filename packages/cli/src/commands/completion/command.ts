import { buildChoiceParser, buildCommand } from '@stricli/core';
import { type CompletionShell, completionShells } from './scripts.ts';

export const completionCommand = buildCommand<object, [CompletionShell]>({
  docs: {
    brief: 'Print a script that completes commands, flags and names of objects in bash, zsh or fish',
    fullDescription: [
      'bash: source <(nodewright completion bash)',
      'zsh:  source <(nodewright completion zsh), after compinit',
      'fish: nodewright completion fish | source',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: buildChoiceParser(completionShells), placeholder: 'shell', brief: 'bash, zsh or fish' }],
    },
  },
  loader: async () => (await import('./print-completion.ts')).printCompletion,
});
