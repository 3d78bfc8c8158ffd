import type { KubernetesObject } from '@nodewright/apis';
import { diffManifests } from '@nodewright/forecast';
import { withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { readManifests } from '../simulate/manifest-source.ts';
import { offlineWorld } from '../simulate/offline-world.ts';
import type { DiffFlags } from './flags.ts';
import { printDiff } from './print-diff.ts';

export async function runDiff(this: CliContext, flags: DiffFlags): Promise<void> {
  const manifests = await readChanges(this, flags.file);
  const diff = await withWorld(flags, (world) => diffManifests(manifests, world, new AbortController().signal));
  writeAnswer(this, flags.output, { object: { kind: 'ManifestDiff', ...diff }, text: printDiff(diff) });
  const impossible = diff.objects.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
  if (impossible.length > 0) throw new NotNowError(`nothing could be launched for ${impossible.join(', ')}`);
}

/**
 * The manifests with the defaults of an API server. Unknown fields are told on stderr.
 * @throws InputError for manifests that an API server would refuse, all at once
 */
export async function readChanges(
  context: CliContext,
  files: readonly string[] | undefined,
): Promise<readonly KubernetesObject[]> {
  if (files === undefined) throw new InputError('no change is given: name manifests with -f FILE');
  const written = readManifests(files);
  const world = await offlineWorld(['us-east-1a']);
  const { complaints, remarks } = await world.check(written);
  if (complaints.length > 0) throw new InputError(complaints.join('\n'));
  for (const remark of remarks) context.process.stderr.write(`${remark}\n`);
  return world.fillDefaults(written.map(({ object }) => object));
}
