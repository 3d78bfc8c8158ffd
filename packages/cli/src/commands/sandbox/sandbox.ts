import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PortTakenError } from '@nodewright/sandbox';
import { ReleaseFeedError } from '@nodewright/aws-endpoints';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { type Exported, exportLines } from '../../world/exports.ts';
import { replaceText } from '../../world/state/replace-file.ts';
import type { RunningSandbox } from '../../world/running-sandbox.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import { startAttached } from './attached.ts';
import { startEmbedded } from './embedded.ts';
import type { SandboxFlags } from './flags.ts';

export async function runSandbox(this: CliContext, flags: SandboxFlags): Promise<void> {
  if (flags.readyFile !== undefined) refuseWithoutFolder(flags.readyFile);
  const stopped = stopSignal();
  const running = await startSandbox(flags);
  try {
    this.process.stdout.write(exportLines(running.exported));
    if (flags.readyFile !== undefined) writeReadyFile(flags.readyFile, running.exported);
    await stopped;
  } finally {
    await running.stop();
  }
}

/** @throws InputError when the flags ask for what cannot be */
export async function startSandbox(flags: SandboxFlags): Promise<RunningSandbox> {
  try {
    return await (flags.kubeconfig === undefined ? startEmbedded(flags) : startAttached(flags, flags.kubeconfig));
  } catch (failure) {
    throw asInputError(failure);
  }
}

/** Before anything runs: afterwards nobody would be told. */
function refuseWithoutFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new InputError(`--ready-file ${file}: there is no folder ${folder}; make it first`);
}

function writeReadyFile(file: string, exported: Exported): void {
  replaceText(file, `${JSON.stringify({ ...exported, pid: process.pid }, null, 2)}\n`);
}

const asInputError = (failure: unknown): unknown =>
  failure instanceof PortTakenError || failure instanceof ReleaseFeedError
    ? new InputError(failure.message, { cause: failure })
    : failure;
