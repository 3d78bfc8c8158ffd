import { InputError } from '../../terminal/exit-status.ts';
import { openDataDirectory } from '../../world/data-directory.ts';
import { type SandboxHome, temporaryHome } from '../../world/sandbox-home.ts';
import type { SandboxFlags } from './flags.ts';

/** @throws InputError when the flags name a directory that cannot be one */
export function homeOf({ dataDir, fsync }: Pick<SandboxFlags, 'dataDir' | 'fsync'>): SandboxHome {
  if (dataDir !== undefined) return openDataDirectory(dataDir, { fsync: fsync ?? 'interval', warn: writeError });
  if (fsync !== undefined)
    throw new InputError(
      `--fsync ${fsync} needs --data-dir: without one nothing is kept; name a directory, or leave it out`,
    );
  return temporaryHome();
}

/** One line for the person who started the sandbox. */
export const writeError = (message: string): void => void process.stderr.write(`${message}\n`);
