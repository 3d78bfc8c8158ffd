import { isDeepStrictEqual } from 'node:util';
import { type DisruptionPause, disruptionPauses, type Instant } from '@nodewright/apis';
import { isPauseInForce } from '@nodewright/engine';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { ResumeFlags } from './flags.ts';
import { asPausesInstalled, readPauseScope, scopeWords } from './pause-scope.ts';

/** Deletes DisruptionPauses: the named one, those of exactly this scope, or the only one that holds. */
export async function resumeDisruption(this: CliContext, flags: ResumeFlags, name?: string): Promise<void> {
  const { chosen, others, now } = await withCluster(flags, async (cluster) => {
    const all = await asPausesInstalled(async () => (await cluster.client.list(disruptionPauses)).items);
    const ended = choosePauses(all, flags, { name, now: cluster.now });
    for (const pause of ended) await deletePause(cluster.client, pause);
    return { chosen: ended, others: all.filter((pause) => !ended.includes(pause)), now: cluster.now };
  });
  const stillHeld = others.filter((pause) => isPauseInForce(pause, now));
  const text = [
    ...chosen.map((pause) => `DisruptionPause ${pause.metadata.name} is deleted: ${printEffect(pause, now)}`),
    ...stillHeld.map((pause) => `DisruptionPause ${pause.metadata.name} still pauses ${scopeWords(pause.spec)}`),
  ];
  const object = { kind: 'DisruptionPauseList', items: chosen };
  writeAnswer(this, flags.output, { object, text: text.join('\n') || printNothingPaused(others) });
}

const printEffect = (pause: DisruptionPause, now: Instant): string =>
  isPauseInForce(pause, now)
    ? `${scopeWords(pause.spec)} goes on (${pause.spec.reason})`
    : `it had run out at ${pause.spec.until} (${pause.spec.reason})`;

/** Those that are left have run out: they hold nothing, and take no part in a choice. */
const printNothingPaused = (left: readonly DisruptionPause[]): string =>
  ['nothing is paused', ...left.map(({ metadata, spec }) => `${metadata.name} has run out at ${spec.until}`)].join(
    '; ',
  );

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
  { name, now }: { readonly name: string | undefined; readonly now: Instant },
): readonly DisruptionPause[] {
  const known = all.map(printScoped).join(', ');
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
  const holding = all.filter((pause) => isPauseInForce(pause, now));
  if (holding.length > 1)
    throw new InputError(`several pauses hold, name one or say --all: ${holding.map(printScoped).join(', ')}`);
  return holding;
}

const printScoped = ({ metadata, spec }: DisruptionPause): string => `${metadata.name} (${scopeWords(spec)})`;

const withoutReasons = (scope: DisruptionPause['spec']['scope']): object => {
  const { reasons: _, ...where } = scope ?? {};
  return where;
};
