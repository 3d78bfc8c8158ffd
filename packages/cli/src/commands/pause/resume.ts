import { isDeepStrictEqual } from 'node:util';
import { type DisruptionPause, disruptionPauses } from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { ResumeFlags } from './flags.ts';
import { asPausesInstalled, readPauseScope, scopeWords } from './pause-scope.ts';

/** Deletes DisruptionPauses: the named one, those of exactly this scope, or the only one. */
export async function resumeDisruption(this: CliContext, flags: ResumeFlags, name?: string): Promise<void> {
  const ended = await withCluster(flags, async ({ client }) => {
    const all = await asPausesInstalled(async () => (await client.list(disruptionPauses)).items);
    const chosen = choosePauses(all, flags, name);
    for (const pause of chosen) await deletePause(client, pause);
    return chosen;
  });
  const text = ended.map(
    ({ metadata, spec }) => `DisruptionPause ${metadata.name} is deleted: ${scopeWords(spec)} goes on (${spec.reason})`,
  );
  const object = { kind: 'DisruptionPauseList', items: ended };
  writeAnswer(this, flags.output, { object, text: text.join('\n') || 'nothing is paused' });
}

/** One that another client deletes at the same time is gone as well. */
async function deletePause(client: KubernetesClient, { metadata: { name } }: DisruptionPause): Promise<void> {
  try {
    await client.delete(disruptionPauses, { name });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 404) throw failure;
  }
}

/** @throws InputError when it is not clear which ones are meant */
export function choosePauses(
  all: readonly DisruptionPause[],
  flags: ResumeFlags,
  name: string | undefined,
): readonly DisruptionPause[] {
  const known = all.map(({ metadata, spec }) => `${metadata.name} (${scopeWords(spec)})`).join(', ');
  const scope = readPauseScope(flags);
  const ways = [flags.all, name !== undefined, scope !== undefined].filter(Boolean).length;
  if (ways > 1) throw new InputError('give one of them: a name, --all, or --nodepool, --nodegroup and --selector');
  if (flags.all) return all;
  if (name !== undefined) {
    const found = all.filter(({ metadata }) => metadata.name === name);
    if (found.length === 0) throw new InputError(`there is no DisruptionPause "${name}"; there are ${known || 'none'}`);
    return found;
  }
  if (scope !== undefined) {
    const found = all.filter(({ spec }) => isDeepStrictEqual(withoutReasons(spec.scope), scope));
    if (found.length === 0)
      throw new InputError(`no DisruptionPause has exactly this scope; there are ${known || 'none'}`);
    return found;
  }
  if (all.length > 1) throw new InputError(`several pauses hold, name one or say --all: ${known}`);
  return all;
}

const withoutReasons = (scope: DisruptionPause['spec']['scope']): object => {
  const { reasons: _, ...where } = scope ?? {};
  return where;
};
