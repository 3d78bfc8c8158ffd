import type { CommandContext } from '@stricli/core';
import type { NamedCluster, NamedKind } from './named-kind.ts';

type CompletionContext = CommandContext & { readonly cluster?: NamedCluster };

/** Makes a flag or an argument complete with the names of objects in the cluster. Nothing is loaded before a shell asks. */
export const completeNames = (...kinds: readonly NamedKind[]) => ({
  async proposeCompletions(this: CompletionContext, partial: string): Promise<readonly string[]> {
    const { proposeNames } = await import('./propose-names.ts');
    return proposeNames(this.cluster ?? {}, kinds, partial);
  },
});
