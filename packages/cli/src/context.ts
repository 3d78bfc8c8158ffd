import type { CommandContext } from '@stricli/core';

/** What a command may touch of the process it runs in. */
export type Context = CommandContext & {
  readonly process: NodeJS.Process;
};
