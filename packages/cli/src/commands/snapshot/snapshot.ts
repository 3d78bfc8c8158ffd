import { readOwn } from '@nodewright/apis';
import { encodeSnapshot, redactSnapshot, type Snapshot, takeSnapshot } from '@nodewright/forecast';
import { seededRandom } from '@nodewright/runtime';
import { withWorld } from '../../reading/read-world.ts';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import type { SnapshotFlags } from './flags.ts';

export async function writeSnapshot(this: CliContext, flags: SnapshotFlags): Promise<void> {
  const taken = await withWorld(flags, snapshotOfWorld);
  const snapshot = flags.redact ? redactSnapshot(taken) : taken;
  const bytes = encodeSnapshot(snapshot);
  const tell = (text: string): void => this.process.stderr.write(`${text}\n`);
  for (const { what, because } of taken.unread) tell(`not read: ${what}: ${because}`);
  if (flags.output === '-') {
    process.stdout.write(bytes);
    return;
  }
  const file = flags.output ?? `snapshot-${snapshot.clusterName}.json.gz`;
  writeAnswerFile('--output', file, bytes);
  this.process.stdout.write(`${file}: ${describeSnapshot(snapshot)}, ${Math.ceil(bytes.length / 1024)} KiB\n`);
}

type SnapshottedWorld = Omit<Parameters<typeof takeSnapshot>[0], 'random'>;

/** @throws InputError where no variable names the cluster */
export async function snapshotOfWorld(world: SnapshottedWorld): Promise<Snapshot> {
  if (world.clusterName === '')
    throw new InputError('which cluster is it? Set CLUSTER_NAME to the name that EKS has for it');
  return takeSnapshot({ ...world, random: seededRandom(1) }, new AbortController().signal);
}

/** `cluster sandbox at 2024-09-03T10:20:00Z, Kubernetes 1.29, 4 nodes, 23 pods`. */
export function describeSnapshot({ clusterName, takenAt, kubernetesVersion, kubernetes }: Snapshot): string {
  const counted = (resource: string): string => `${readOwn(kubernetes, resource)?.length ?? 0} ${resource}`;
  return `cluster ${clusterName} at ${takenAt}, Kubernetes ${kubernetesVersion}, ${counted('nodes')}, ${counted('pods')}`;
}
