import { type Application, type CommandContext, proposeCompletions } from '@stricli/core';

/**
 * What may follow the words of a command line, the last of which is under way: one proposal a line, with what it is for
 * after a tab. Nothing for words that no command takes.
 */
export async function printProposals<Context extends CommandContext>(
  application: Application<Context>,
  words: readonly string[],
  context: Context,
): Promise<string> {
  const proposals = await proposeCompletions(application, words.length === 0 ? [''] : words, context);
  return proposals.map(({ completion, brief }) => `${completion}\t${brief}\n`).join('');
}
