import { buildCommand, buildRouteMap } from '@stricli/core';
import { type OutputFormat, outputAliases, outputFlag } from '../../terminal/output.ts';
import { callsCommand, clockCommand, faultCommand } from './control/control-commands.ts';
import { releaseCommand } from './control/release-command.ts';
import { parsePlainText } from '../../terminal/parsers.ts';
import type { SandboxFlags } from './flags.ts';
import { startFlags } from './start-flags.ts';

const startSandboxCommand = buildCommand<SandboxFlags>({
  docs: {
    brief: 'Start an embedded EKS with the operator inside; kubectl and aws work on it',
    fullDescription:
      'Prints `export NAME=value` lines for a shell, KUBECONFIG last, when the Kubernetes API and every AWS service answer. Runs until SIGINT or SIGTERM. ' +
      'The AWS endpoints serve requests that are signed with the exported keys; the control API needs the token in the file that NODEWRIGHT_SANDBOX_TOKEN_FILE names, which the nodewright commands find by themselves. Both refuse web pages.',
  },
  parameters: {
    flags: startFlags,
  },
  loader: async () => (await import('./sandbox.ts')).runSandbox,
});

const shellCommand = buildCommand<SandboxFlags>({
  docs: {
    brief: 'Start a sandbox and a shell in it, with everything exported; the sandbox ends with the shell',
    fullDescription:
      'Takes the flags of `nodewright sandbox start`. The shell is $SHELL, with the name of the cluster in its prompt, completion for kubectl and aws, and this nodewright in its PATH. Its exit status is that of the command.',
  },
  parameters: { flags: startFlags },
  loader: async () => (await import('./shell.ts')).runShell,
});

const scenarioList = buildCommand<{ readonly output?: OutputFormat }>({
  docs: { brief: 'List the situations a sandbox can start from' },
  parameters: { flags: { output: outputFlag }, aliases: outputAliases },
  loader: async () => (await import('./scenarios.ts')).listScenarios,
});

const repair = buildCommand<{ readonly write: boolean; readonly output?: OutputFormat }, [directory: string]>({
  docs: {
    brief: 'Show which records of a data directory are damaged; with --write, drop them',
    fullDescription:
      'For a directory that a start refuses because state.jsonl is damaged. Without --write nothing is changed, and damage is exit status 3. With it, a copy of the file stays beside it.',
  },
  parameters: {
    flags: {
      write: { kind: 'boolean', default: false, withNegated: false, brief: 'Write the file without these records' },
      output: outputFlag,
    },
    aliases: outputAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parsePlainText, placeholder: 'DIR', brief: 'What --data-dir named' }],
    },
  },
  loader: async () => (await import('./repair.ts')).repairSandbox,
});

/** The longest flag of `start` fits. */
const flagColumn = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`.padEnd(28);

export const sandboxCommand = buildRouteMap({
  routes: {
    start: startSandboxCommand,
    shell: shellCommand,
    scenarios: scenarioList,
    clock: clockCommand,
    calls: callsCommand,
    fault: faultCommand,
    release: releaseCommand,
    repair,
  },
  defaultCommand: 'start',
  docs: {
    brief: 'An embedded EKS in this process: Kubernetes API server, AWS endpoints, kubelets',
    fullDescription: [
      'An embedded EKS in this process: Kubernetes API server, AWS endpoints, kubelets.',
      '`nodewright sandbox` is `nodewright sandbox start`, with these options:',
      ...Object.entries(startFlags).map(([name, { brief }]) => `  ${flagColumn(name)}${brief}`),
    ].join('\n'),
  },
});
