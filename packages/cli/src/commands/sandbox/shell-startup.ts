import { join } from 'node:path';
import type { Exported } from '../../world/exports.ts';

/** How a shell begins: files to write into its folder, arguments, and variables. */
type ShellStartup = {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly environment: Exported;
};

/** The person's own startup file comes first; then the prompt and the completions. Other shells get the variables alone. */
export function shellStartup(name: string, exported: Exported, folder: string): ShellStartup {
  const prompt = `(${exported['CLUSTER_NAME'] ?? 'sandbox'}) `;
  if (name === 'bash') {
    return {
      files: { bashrc: bashStartup(prompt) },
      args: ['--rcfile', join(folder, 'bashrc')],
      environment: exported,
    };
  }
  if (name === 'zsh')
    return { files: { '.zshrc': zshStartup(prompt) }, args: [], environment: { ...exported, ZDOTDIR: folder } };
  return { files: {}, args: [], environment: { ...exported, PS1: `${prompt}$ ` } };
}

const bashStartup = (prompt: string): string => `[ -f ~/.bashrc ] && . ~/.bashrc
PS1="${prompt}$PS1"
command -v kubectl >/dev/null && . <(kubectl completion bash)
command -v aws_completer >/dev/null && complete -C aws_completer aws
`;

const zshStartup = (prompt: string): string => `ZDOTDIR=$HOME
[ -f ~/.zshrc ] && . ~/.zshrc
PROMPT="${prompt}$PROMPT"
autoload -Uz compinit bashcompinit && compinit && bashcompinit
command -v kubectl >/dev/null && . <(kubectl completion zsh)
command -v aws_completer >/dev/null && complete -C aws_completer aws
`;
