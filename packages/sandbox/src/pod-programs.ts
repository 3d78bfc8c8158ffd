import { type Instant, type Pod, pods } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import {
  attachToContainer,
  containerLog,
  type ContainerLogLine,
  execInContainer,
  shellEndAnnotation,
} from '@nodewright/cluster-sim';
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

/**
 * Connects clients with the programs of containers that the kubelets play.
 * @param shellEnded is called when the shell of a container has ended
 */
export const playedAttach =
  (
    clock: Clock,
    shellEnded: (pod: Pod, container: string, exitCode: number) => void,
  ): NonNullable<PodPrograms['attach']> =>
  (object, { container, tty, read, write, signal }) => {
    const pod = asPod(object);
    return attachToContainer(clock, pod, {
      container,
      tty,
      signal,
      read: async () => {
        const bytes = await read();
        return bytes && Buffer.from(bytes).toString('utf8');
      },
      write: (to, text) => write(to, Buffer.from(text)),
      ended: (exitCode) => shellEnded(pod, container, exitCode),
    });
  };

/** Tells the kubelet of a pod that the shell of a container has ended. A pod that is gone needs no word. */
export async function noteShellEnd(
  client: KubernetesClient,
  { pod, container, exitCode }: { readonly pod: Pod; readonly container: string; readonly exitCode: number },
): Promise<void> {
  const { namespace = '', name, uid } = pod.metadata;
  const annotations = { [shellEndAnnotation(container)]: String(exitCode) };
  const patch = { metadata: { ...(uid !== undefined && { uid }), annotations } };
  await client.patch(pods, { namespace, name }, { type: 'merge', patch }).catch(() => undefined);
}

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
