import { type Container, fromTimestamp, type Instant, instant, type Pod } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { type ContainerLogLine, linesOfProgram } from './container-log.ts';
import { runInContainer } from './run-in-container.ts';
import { isShell, playedCommand, waitsForInput } from './played-command.ts';
import { InteractiveShell, runCommand } from './shell/run.ts';
import type { RunningProgram } from './shell/steps.ts';
import type { OutputStream } from './shell/syntax.ts';
import { surroundingsOf } from './surroundings.ts';
import { onTerminal, Terminal } from './terminal.ts';

export type ContainerExec = {
  readonly container: string;
  readonly command: readonly string[];
  readonly tty: boolean;
  /** The next piece of input; `undefined` at its end. */
  readonly read: () => Promise<string | undefined>;
  readonly write: (to: OutputStream, text: string) => void;
  readonly signal: AbortSignal;
};

export type ContainerLogOptions = {
  readonly container: string;
  /** The run before the last restart. */
  readonly previous: boolean;
  readonly follow: boolean;
  /** Aborts when the last reader is gone, or when the container has ended. */
  readonly signal: AbortSignal;
};

const containerOf = ({ spec }: Pod, name: string): Container | undefined =>
  [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].find(
    (container) => container.name === name,
  );

/** Runs a command in a container of a pod. Returns its exit code. */
export async function execInContainer(clock: Clock, pod: Pod, exec: ContainerExec): Promise<number> {
  const container = containerOf(pod, exec.container);
  if (container === undefined) return 1;
  const around = surroundingsOf(pod, container, () => clock.now());
  if (exec.tty && isShell(exec.command)) return runTerminal(clock, new InteractiveShell(around), exec);
  const write = exec.tty ? (to: OutputStream, text: string) => exec.write(to, onTerminal(text)) : exec.write;
  return runInContainer(runCommand(around, exec.command), { ...exec, write, clock });
}

export type AttachedContainer = Omit<ContainerExec, 'command'> & {
  /** Called with the exit code when the shell of the container has ended. */
  readonly ended: (exitCode: number) => void;
};

/**
 * Connects a client with the program of a container: a shell reads what it is sent, others only write. What was written
 * since the start of the container comes first. Returns the exit code of a shell, else 0.
 */
export async function attachToContainer(clock: Clock, pod: Pod, attached: AttachedContainer): Promise<number> {
  const container = containerOf(pod, attached.container);
  if (container === undefined) return 1;
  if (!waitsForInput(container)) return copyLog(clock, pod, attached);
  const command = playedCommand(container);
  const exitCode = await execInContainer(clock, pod, { ...attached, command });
  if (!attached.signal.aborted) attached.ended(exitCode);
  return exitCode;
}

async function copyLog(clock: Clock, pod: Pod, { container, tty, write, signal }: AttachedContainer): Promise<number> {
  const log = containerLog(clock, pod, { container, previous: false, follow: true, signal });
  for await (const { text } of log ?? []) write('stdout', tty ? onTerminal(`${text}\n`) : `${text}\n`);
  return 0;
}

async function runTerminal(clock: Clock, shell: InteractiveShell, exec: ContainerExec): Promise<number> {
  const terminal = new Terminal();
  const write = (to: OutputStream, text: string): void => exec.write(to, onTerminal(text));
  const prompt = (): void => write('stdout', `${shell.folder} # `);
  let code = 0;
  prompt();
  for (let keys = await exec.read(); keys !== undefined && !exec.signal.aborted; keys = await exec.read()) {
    const { echo, lines, isAtEnd } = terminal.type(keys);
    exec.write('stdout', echo);
    for (const line of lines) {
      if (line.trim() !== '') {
        code = await runInContainer(shell.run(line), { ...exec, clock, write, read: async () => undefined });
      }
      if (shell.isOver) return code;
      prompt();
    }
    if (isAtEnd) break;
  }
  return code;
}

/**
 * What a container has written, and with `follow` what it writes from now on. A container whose command is known to write
 * something has written it at its time. `undefined` when there was no such run.
 */
export function containerLog(
  clock: Clock,
  pod: Pod,
  options: ContainerLogOptions,
): AsyncIterable<ContainerLogLine> | undefined {
  const container = containerOf(pod, options.container);
  const run = runOf(pod, options);
  if (container === undefined || run === undefined) return undefined;
  return readLines(clock, linesOf(pod, container, run), { ...options, ...run });
}

type ContainerRun = { readonly startedAt: Instant; readonly endedAt?: Instant };

function runOf({ status }: Pod, { container, previous }: ContainerLogOptions): ContainerRun | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  const statuses = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  const found = statuses.find(({ name }) => name === container);
  const state = previous || found?.state?.waiting !== undefined ? found?.lastState : found?.state;
  const startedAt = state?.running?.startedAt ?? state?.terminated?.startedAt;
  if (startedAt === undefined) return undefined;
  const endedAt = state?.terminated?.finishedAt;
  return {
    startedAt: fromTimestamp(startedAt),
    ...(endedAt !== undefined && { endedAt: fromTimestamp(endedAt) }),
  };
}

function linesOf(pod: Pod, container: Container, { startedAt }: ContainerRun): ReturnType<typeof linesOfProgram> {
  const command = playedCommand(container);
  const silent = function* (): RunningProgram {
    yield { kind: 'sleep', ms: Number.POSITIVE_INFINITY };
    return 0;
  };
  return linesOfProgram((now) => {
    if (command.length === 0) return silent();
    return runCommand(surroundingsOf(pod, container, now), command);
  }, startedAt);
}

async function* readLines(
  clock: Clock,
  lines: ReturnType<typeof linesOfProgram>,
  { follow, signal, endedAt }: ContainerLogOptions & ContainerRun,
): AsyncGenerator<ContainerLogLine> {
  const until = endedAt ?? instant(Number.MAX_SAFE_INTEGER);
  let next = lines.next();
  while (next.done !== true) {
    const { at } = next.value;
    if (at > until || (at > clock.now() && !follow)) return;
    if (at > clock.now()) await clock.sleep(at - clock.now(), signal).catch(() => undefined);
    if (signal.aborted) return;
    yield next.value;
    next = lines.next();
  }
  if (!follow || endedAt !== undefined) return;
  if (next.value.goesOn) return aborted(signal);
  const left = next.value.endedAt - clock.now();
  if (left > 0) await clock.sleep(left, signal).catch(() => undefined);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
