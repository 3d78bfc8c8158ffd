import type { Instant, Pod } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { containerLog, type ContainerLogLine, execInContainer } from '@nodewright/cluster-sim';
import type { ApiObject, PodLogOptions, PodLogs, PodPrograms } from '@nodewright/kube-api';

const asPod = (object: ApiObject): Pod => object as unknown as Pod;

/** Runs commands in the containers that the kubelets play. */
export const playedExec =
  (clock: Clock): NonNullable<PodPrograms['exec']> =>
  (pod, { container, command, tty, read, write, signal }) =>
    execInContainer(clock, asPod(pod), {
      container,
      command,
      tty,
      signal,
      read: async () => {
        const bytes = await read();
        return bytes && Buffer.from(bytes).toString('utf8');
      },
      write: (to, text) => write(to, Buffer.from(text)),
    });

/** What the commands of containers write, at the times at which they write it. */
export const playedLogs =
  (clock: Clock): PodLogs =>
  (pod, options) => {
    const { container, previous, signal } = options;
    const linesOf = (follow: boolean): AsyncIterable<ContainerLogLine> | undefined =>
      containerLog(clock, asPod(pod), { container, previous, follow, signal });
    return linesOf(false) && writtenLines(clock.now(), linesOf, options);
  };

/** The lines since a time, or the last ones; of a log that is followed, those to come as well. */
async function* writtenLines(
  begunAt: Instant,
  linesOf: (follow: boolean) => AsyncIterable<ContainerLogLine> | undefined,
  { since, tailLines = Number.POSITIVE_INFINITY, timestamps, follow }: PodLogOptions,
): AsyncGenerator<Uint8Array> {
  const tell = ({ at, text }: ContainerLogLine): Uint8Array =>
    Buffer.from(timestamps ? `${new Date(at).toISOString()} ${text}\n` : `${text}\n`);
  let kept: ContainerLogLine[] = [];
  for await (const line of linesOf(false) ?? []) {
    if (line.at > begunAt) break;
    if (since === undefined || line.at >= since) kept.push(line);
    if (kept.length > 2 * tailLines) kept = kept.slice(-tailLines || kept.length);
  }
  yield* kept.slice(Math.max(0, kept.length - tailLines)).map(tell);
  if (!follow) return;
  for await (const line of linesOf(true) ?? []) if (line.at > begunAt) yield tell(line);
}
