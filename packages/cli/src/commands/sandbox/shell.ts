import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { startSandbox } from './sandbox.ts';
import { shellStartup } from './shell-startup.ts';
import type { SandboxFlags } from './flags.ts';

/** Starts a sandbox, runs the person's shell in it, and ends with it. */
export async function runShell(this: CliContext, flags: SandboxFlags): Promise<void> {
  const shell = process.env['SHELL'] ?? '/bin/sh';
  const running = await startSandbox(flags);
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-shell-'));
  try {
    symlinkSync(resolve(process.argv[1] ?? ''), join(folder, 'nodewright'));
    const { files, args, environment } = shellStartup(basename(shell), running.exported, folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const path = [folder, process.env['PATH']].join(delimiter);
    this.process.exitCode = await runToEnd(shell, args, { ...process.env, ...environment, PATH: path });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await running.stop();
  }
}

/** Ctrl-C is for what runs in the shell. */
async function runToEnd(shell: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise((settle, fail) => {
      const child = spawn(shell, args, { stdio: 'inherit', env });
      child.on('error', (failure) =>
        fail(new InputError(`the shell ${shell} cannot be started: ${failure.message}; set SHELL`)),
      );
      child.on('exit', (code) => settle(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
