import type { CommandContext } from '@stricli/core';

/** Where a command's words go. stdout carries the answer, stderr everything else. */
export type CliContext = CommandContext;
