import { readOwn } from '@nodewright/apis';
import type { Command, CommandContext } from '@stricli/core';
import { commandExamples } from './command-examples.ts';

/** A command of any context. */
export type AnyCommand = Command<CommandContext>;

/** The examples of a command, by the words that lead to it. */
export const listExamples = (path: readonly string[]): readonly string[] =>
  readOwn(commandExamples, path.join(' ')) ?? [];

/** A command whose help ends with its examples. */
export function appendExamples<Context extends CommandContext>(
  command: Command<Context>,
  path: readonly string[],
): Command<Context> {
  const lines = listExamples(path).map((example) => `  ${example}\n`);
  return {
    ...command,
    formatHelp: (args) => {
      const title = args.ansiColor ? '\u001B[1mEXAMPLES\u001B[22m' : 'EXAMPLES';
      return `${command.formatHelp(args)}\n${title}\n${lines.join('')}`;
    },
  };
}
