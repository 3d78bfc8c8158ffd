import type { NamedCluster } from '../../reading/named-kind.ts';
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
  const inCluster = { ...context, cluster: readNamedCluster(words) };
  const proposals = await proposeCompletions(application, words.length === 0 ? [''] : words, inCluster);
  return preferArguments(proposals, words.at(-1) ?? '')
    .map(({ completion, brief }) => `${completion}\t${brief}\n`)
    .join('');
}

/** Flags are proposed to a word that begins as one, and where there is nothing else to propose. */
function preferArguments<Proposal extends { readonly completion: string }>(
  proposals: readonly Proposal[],
  word: string,
): readonly Proposal[] {
  const others = word.startsWith('-') ? [] : proposals.filter(({ completion }) => !completion.startsWith('-'));
  return others.length > 0 ? others : proposals;
}

/** The cluster that words before the one under way name: `--context prod` or `--context=prod`. */
function readNamedCluster(words: readonly string[]): NamedCluster {
  const before = words.slice(0, -1).flatMap((word) => (word.startsWith('--') ? word.split('=', 2) : [word]));
  const valueOf = (flag: string): string | undefined => {
    const at = before.indexOf(flag);
    return at === -1 ? undefined : before[at + 1];
  };
  const [kubeconfig, context] = [valueOf('--kubeconfig'), valueOf('--context')];
  return { ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) };
}
