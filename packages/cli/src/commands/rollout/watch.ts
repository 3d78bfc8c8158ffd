import { type NodeRollout, nodeRollouts } from '@nodewright/apis';
import { countWords, stateWords } from '@nodewright/dashboard';
import { printFailedNode } from '@nodewright/engine';
import { type Clock, type KubernetesClient, realTime } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { NotNowError, TimedOutError } from '../../terminal/exit-status.ts';
import { isPassingFailure } from '../../reading/passing-failure.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { findRollout, isUnderWay, listRollouts } from './find-rollout.ts';
import type { RolloutWatchFlags } from './flags.ts';
import { printRollout } from './print-rollout.ts';

/** Tells every change until the rollout has ended or halted. */
export async function watchRollout(this: CliContext, flags: RolloutWatchFlags, name?: string): Promise<void> {
  const tell = (line: string): void => this.process.stderr.write(`${line}\n`);
  const { rollout, isTimedOut } = await withCluster(flags, async ({ client }) =>
    followRollout(client, findRollout(await listRollouts(client), name), {
      clock: realTime().clock,
      timeoutMs: flags.timeout,
      tell,
    }),
  );
  writeAnswer(this, flags.output, { object: { ...rollout, kind: 'NodeRollout' }, text: printRollout(rollout) });
  const { status = {} } = rollout;
  if (isTimedOut) throw new TimedOutError(`--timeout ran out: ${stateWords(status)}`);
  if (status.halted !== undefined) throw new NotNowError(`the rollout is halted: ${status.halted.message}`);
  if (status.state === 'Superseded') throw new NotNowError('another rollout has taken its place');
}

/** `clock` counts the wait: the time of the person who waits, and not the cluster's. */
type RolloutFollowing = { readonly clock: Clock; readonly timeoutMs: number; readonly tell: (line: string) => void };
type FollowedRollout = { readonly rollout: NodeRollout; readonly isTimedOut: boolean };

const rolloutPollMs = 1_000;

/** An API server that does not answer for a while ends nothing. */
export async function followRollout(
  client: KubernetesClient,
  first: NodeRollout,
  { clock, timeoutMs, tell }: RolloutFollowing,
): Promise<FollowedRollout> {
  const begun = clock.now();
  let current: NodeRollout | undefined;
  for (;;) {
    const next = (await readRolloutAgain(client, first, tell)) ?? current ?? first;
    for (const line of rolloutChanges(current, next)) tell(line);
    current = next;
    if (!isUnderWay(next) || next.status?.halted !== undefined) return { rollout: next, isTimedOut: false };
    if (clock.now() - begun >= timeoutMs) return { rollout: next, isTimedOut: true };
    await clock.sleep(rolloutPollMs);
  }
}

/**
 * The rollout as it is now; `undefined` while the API server does not answer.
 * @throws when it was deleted, or may not be read
 */
export async function readRolloutAgain(
  client: KubernetesClient,
  { metadata: { name } }: NodeRollout,
  tell: (line: string) => void,
): Promise<NodeRollout | undefined> {
  try {
    const found = await client.get(nodeRollouts, { name });
    if (found === undefined) throw new Error(`NodeRollout ${name} was deleted meanwhile`);
    return found;
  } catch (failure) {
    if (!isPassingFailure(failure)) throw failure;
    tell(`no answer for now: ${failure.message}`);
    return undefined;
  }
}

/** What is new since `before`, a line each. */
export function rolloutChanges(before: NodeRollout | undefined, { status = {} }: NodeRollout): readonly string[] {
  const summary = (of: NonNullable<NodeRollout['status']>): string => `${stateWords(of).padEnd(28)} ${countWords(of)}`;
  const isNew = before === undefined || summary(before.status ?? {}) !== summary(status);
  const known = new Set((before?.status?.failures ?? []).map(({ node, at }) => `${node} ${at}`));
  const failures = (status.failures ?? []).filter(({ node, at }) => !known.has(`${node} ${at}`));
  const requests = (status.log ?? []).slice(before?.status?.log?.length ?? 0);
  return [
    ...(isNew ? [summary(status)] : []),
    ...failures.map((failure) => `  ${printFailedNode(failure)} failed, ${failure.signal}: ${failure.evidence}`),
    ...requests.map(({ request, by, answer }) => `  ${request} asked by ${by}: ${answer}`),
  ];
}
