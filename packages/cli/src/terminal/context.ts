import type { CommandContext, StricliProcess } from '@stricli/core';

/** Where a command's words go. stdout carries the answer, stderr everything else. */
export type CliContext = CommandContext & { readonly process: Pick<StricliProcess, 'exitCode'> };
