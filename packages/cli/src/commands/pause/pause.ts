import { createInterface } from 'node:readline/promises';
import { type DisruptionPause, disruptionPauses, type Instant, isAge, parseAge } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { PauseFlags } from './flags.ts';
import { asPausesInstalled, checkPausedNames, readPauseScope, scopeWords } from './pause-scope.ts';

/** Stores a DisruptionPause. */
export async function pauseDisruption(this: CliContext, flags: PauseFlags): Promise<void> {
  if (flags.reason.trim() === '') throw new InputError('--reason: must say why, such as INC-7');
  const scope = readPauseScope(flags, flags.only);
  const lengthMs = flags.for ?? (await askForLength());
  const pause = await withCluster(flags, async ({ client, now }) => {
    await checkPausedNames(client, flags);
    return asPausesInstalled(() => createPause(client, { flags, scope, lengthMs, now }));
  });
  const { metadata, spec } = pause;
  const end = spec.until === undefined ? 'until it is resumed' : `until ${spec.until}`;
  const text = `DisruptionPause ${metadata.name}: ${scopeWords(spec)} pauses ${end}; \`nodewright resume ${metadata.name}\` ends it`;
  writeAnswer(this, flags.output, { object: { ...pause, kind: 'DisruptionPause' }, text });
}

/** @throws InputError without a terminal to ask on */
async function askForLength(): Promise<number | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new InputError('--for: say how long, such as 2h; there is no terminal to ask on');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await terminal.question('How long (30m, 2h, 3d; empty: until it is resumed)? ')).trim();
    if (answer === '') return undefined;
    if (isAge(answer)) return parseAge(answer);
    throw new InputError(`must be an age such as 30m, 2h or 3d, not "${answer}"`);
  } finally {
    terminal.close();
  }
}

type NewPause = {
  readonly flags: PauseFlags;
  readonly scope: ReturnType<typeof readPauseScope>;
  readonly lengthMs: number | undefined;
  readonly now: Instant;
};

/** Named after the second in which it begins; the next free name where several begin in it. */
async function createPause(
  client: KubernetesClient,
  { flags, scope, lengthMs, now }: NewPause,
): Promise<DisruptionPause> {
  const base = `pause-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;
  const taken = new Set((await client.list(disruptionPauses)).items.map(({ metadata }) => metadata.name));
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return client.create(disruptionPauses, {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'DisruptionPause',
    metadata: { name },
    spec: {
      ...(scope === undefined ? {} : { scope }),
      reason: flags.reason,
      ...(lengthMs === undefined ? {} : { until: new Date(now + lengthMs).toISOString().replace(/\.\d+Z$/, 'Z') }),
      inFlight: flags.inFlight,
    },
  });
}
