import {
  conditionOf,
  nodeRolloutPolicies,
  type NodeRollout,
  nodeRollouts,
  type RolloutLogEntry,
  rolloutRequestAnnotation,
  type RolloutRequestKind,
} from '@nodewright/apis';
import { parseRollback, unexpectedDriftApproval } from '@nodewright/engine';
import { type Clock, type KubernetesClient, realTime } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError, TimedOutError } from '../../terminal/exit-status.ts';
import { withCluster } from '../../reading/open-cluster.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { readRolloutAgain } from './watch.ts';
import { findRollout, listRolloutPolicies, listRollouts } from './find-rollout.ts';
import type { RolloutApprovalFlags, RolloutRequestFlags, RolloutRollbackFlags, RolloutSkipSoakFlags } from './flags.ts';

type NewRequest = { readonly kind: RolloutRequestKind; readonly value: string };

export async function approveWave(this: CliContext, flags: RolloutApprovalFlags, name?: string): Promise<void> {
  if (flags.unexpectedDrift) {
    await approveUnexpectedDrift(this, flags, name);
    return;
  }
  await askOf(this, flags, name, (rollout) => ({
    kind: 'approve',
    value: `${flags.wave ?? waitingWave(rollout)}=${flags.reason}`,
  }));
}

export async function haltRollout(this: CliContext, flags: RolloutRequestFlags, name?: string): Promise<void> {
  await askOf(this, flags, name, () => ({ kind: 'halt', value: flags.reason }));
}

export async function resumeRollout(this: CliContext, flags: RolloutRequestFlags, name?: string): Promise<void> {
  await askOf(this, flags, name, () => ({ kind: 'resume', value: flags.reason }));
}

export async function takeRolloutBack(this: CliContext, flags: RolloutRollbackFlags, name?: string): Promise<void> {
  const value = flags.to === undefined ? flags.reason : `${flags.to}=${flags.reason}`;
  if (flags.to !== undefined && parseRollback(value).release !== flags.to)
    throw new InputError(
      `--to: must be a release such as v20240117 or 1.20.4, or the id of an image, not "${flags.to}"; \`nodewright rollout history\` shows what was proven`,
    );
  await askOf(this, flags, name, () => ({ kind: 'rollback', value }));
}

export async function skipSoak(this: CliContext, flags: RolloutSkipSoakFlags, name?: string): Promise<void> {
  await askOf(this, flags, name, (rollout) => {
    const wave = flags.wave ?? rollout.status?.wave;
    if (wave === undefined) throw new InputError(`--wave: ${rollout.metadata.name} has not begun a wave yet`);
    return { kind: 'skip-soak', value: `${wave}=${flags.reason}` };
  });
}

function waitingWave(rollout: NodeRollout): string {
  const wave = rollout.status?.wave;
  if (wave !== undefined && conditionOf(rollout, 'WaitingForApproval')?.status === 'True') return wave;
  if (rollout.status?.endedAt !== undefined)
    throw new InputError(`${rollout.metadata.name} has ended: it waits for no approval`);
  const waves = (rollout.status?.waves ?? []).map((each) => each.name).join(', ');
  throw new InputError(
    `--wave: ${rollout.metadata.name} does not wait for an approval now; to give one ahead, name the wave: ${waves || 'none yet'}`,
  );
}

/** Writes the request on the rollout, and waits until the controller has answered it. */
async function askOf(
  context: CliContext,
  flags: RolloutRequestFlags,
  name: string | undefined,
  requestFor: (rollout: NodeRollout) => NewRequest,
): Promise<void> {
  if (flags.reason.trim() === '') throw new InputError('--reason: must say why, such as INC-7');
  const { rollout, entry } = await withCluster(flags, async ({ client }) => {
    const found = findRollout(await listRollouts(client), name);
    const request = requestFor(found);
    await annotate(client, found, request);
    return {
      rollout: found,
      entry: await waitForAnswer(client, {
        rollout: found,
        request,
        clock: realTime().clock,
        timeoutMs: flags.timeout,
      }),
    };
  });
  const { metadata } = rollout;
  if (entry === undefined) {
    const wait = `${Math.round(flags.timeout / 1000)} s`;
    throw new TimedOutError(
      `${metadata.name} carries the request, no controller has answered it in ${wait}; \`nodewright rollout status ${metadata.name}\` shows the answer`,
    );
  }
  const object = { kind: 'NodeRolloutRequest', rollout: metadata.name, ...entry };
  writeAnswer(context, flags.output, { object, text: `${metadata.name}: ${entry.answer}` });
  if (entry.refused === true) throw new NotNowError(`the request was refused: ${entry.answer}`);
}

/** Who asks, as far as the shell knows; the audit log of the cluster knows better. */
const fieldManager = (): string => {
  const user = process.env['USER'] ?? process.env['LOGNAME'] ?? '';
  return user === '' ? 'nodewright' : `nodewright-${user}`.slice(0, 128);
};

async function annotate(client: KubernetesClient, { metadata }: NodeRollout, request: NewRequest): Promise<void> {
  const patch = { metadata: { annotations: { [rolloutRequestAnnotation(request.kind)]: request.value } } };
  const options = { fieldManager: fieldManager() };
  await client.patch(nodeRollouts, { name: metadata.name }, { type: 'merge', patch }, options);
}

const answerPollMs = 200;

type AskedRequest = {
  readonly rollout: NodeRollout;
  readonly request: NewRequest;
  /** Counts the wait: the time of the person who waits, and not the cluster's. */
  readonly clock: Clock;
  readonly timeoutMs: number;
};

/** The entry that the controller wrote about the request; undefined when the time runs out. */
export async function waitForAnswer(
  client: KubernetesClient,
  { rollout, request, clock, timeoutMs }: AskedRequest,
): Promise<RolloutLogEntry | undefined> {
  const begun = clock.now();
  const earlier = countAnswers(rollout, request);
  for (;;) {
    const found = await readRolloutAgain(client, rollout, () => undefined);
    if (found !== undefined && countAnswers(found, request) > earlier) return answersTo(found, request).at(-1);
    if (clock.now() - begun >= timeoutMs) return undefined;
    await clock.sleep(answerPollMs);
  }
}

const answersTo = ({ status }: NodeRollout, { kind, value }: NewRequest): readonly RolloutLogEntry[] =>
  (status?.log ?? []).filter((entry) => entry.request === kind && entry.value === value);

const countAnswers = (rollout: NodeRollout, request: NewRequest): number => answersTo(rollout, request).length;

/** Drift that nothing explains is approved on the policy: no rollout belongs to it. */
async function approveUnexpectedDrift(
  context: CliContext,
  flags: RolloutApprovalFlags,
  name: string | undefined,
): Promise<void> {
  const policy = await withCluster(flags, async ({ client }) => {
    const policies = await listRolloutPolicies(client);
    const [first, ...others] = policies.filter(({ metadata }) => name === undefined || metadata.name === name);
    const known = policies.map(({ metadata }) => metadata.name).join(', ') || 'none';
    if (first === undefined && name !== undefined)
      throw new InputError(`there is no NodeRolloutPolicy "${name}"; there are ${known}`);
    if (first === undefined || others.length > 0)
      throw new InputError(`name the NodeRolloutPolicy whose nodes drift; there are ${known}`);
    const patch = { metadata: { annotations: { [rolloutRequestAnnotation('approve')]: unexpectedDriftApproval } } };
    const options = { fieldManager: fieldManager() };
    return client.patch(nodeRolloutPolicies, { name: first.metadata.name }, { type: 'merge', patch }, options);
  });
  const object = {
    kind: 'NodeRolloutRequest',
    policy: policy.metadata.name,
    request: 'approve',
    value: unexpectedDriftApproval,
  };
  writeAnswer(context, flags.output, {
    object,
    text: `${policy.metadata.name}: nodes that drift without a change of spec, image or version may go`,
  });
}
