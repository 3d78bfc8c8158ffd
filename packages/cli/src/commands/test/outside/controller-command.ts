import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { instant, ValueError } from '@nodewright/apis';
import type { ScaledTime } from '@nodewright/runtime';
import type { ScenarioController } from '@nodewright/scenario-files';
import { InputError } from '../../../terminal/exit-status.ts';
import type { Exported } from '../../../world/exports.ts';
import type { ConnectedController } from './connected-controller.ts';

export type StartedControllerOptions = {
  readonly time: ScaledTime;
  readonly connected: ConnectedController;
  /** Whether the controller follows the clock of the cluster, which then stands still until it is connected. */
  readonly followsClock: boolean;
  /** Starts the process. */
  readonly spawn: () => ChildProcess;
};

const holdName = 'the controller that is started';

/** A controller that is started, killed and stopped as a process of its own. */
export class StartedController implements ScenarioController {
  readonly #options: StartedControllerOptions;
  #child: ChildProcess | undefined;
  #forget: () => void = () => undefined;
  #isOver = false;

  constructor(options: StartedControllerOptions) {
    this.#options = options;
  }

  /** Resolves when the controller is connected. @throws InputError when its process ends before */
  async start(): Promise<void> {
    if (this.#isOver) return;
    const { time, connected, followsClock, spawn: spawnProcess } = this.#options;
    if (followsClock) time.hold(holdName, time.clock.now());
    try {
      const there = connected.next();
      const child = spawnProcess();
      this.#child = child;
      this.#forget = endWithThisProcess(() => endGroup(child));
      await Promise.race([there, endOfProcess(child)]);
    } finally {
      time.hold(holdName, undefined);
    }
  }

  kill(downMs: number): void {
    const { clock } = this.#options.time;
    if (this.#child === undefined) return;
    this.#forget();
    endGroup(this.#child);
    this.#child = undefined;
    clock.at(instant(clock.now() + downMs), () => this.#startAgain());
  }

  #startAgain(): void {
    this.start().catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#forget();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    endGroup(child);
    await ended;
  }
}

/** A controller that a person starts and ends. */
export const personsController = (connected: ConnectedController): ScenarioController => ({
  start: () => connected.next(),
  kill: () => {
    throw new ValueError('controller', 'a process of this command, which could kill it; give --controller COMMAND');
  },
  stop: () => Promise.resolve(),
});

/** A command of the shell, in a process group of its own: what it starts ends with it. */
export const spawnCommand = (command: string, exported: Exported): ChildProcess =>
  spawn(command, {
    shell: true,
    detached: true,
    env: { ...process.env, ...exported },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The controller of this package, on the clock of the cluster. */
export const spawnOwnController = (exported: Exported): ChildProcess =>
  spawn(
    process.execPath,
    [process.argv[1] ?? '', 'controller', '--clock', exported['NODEWRIGHT_SANDBOX'] ?? '', '--log-level', 'error'],
    { detached: true, env: { ...process.env, ...exported }, stdio: ['ignore', 'ignore', 'inherit'] },
  );

async function endOfProcess(child: ChildProcess): Promise<never> {
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new InputError(`the controller ended with ${signal ?? `status ${status}`} before it watched NodeClaims`);
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does something when this process ends, or is told to. @returns what takes that back */
function endWithThisProcess(end: () => void): () => void {
  const forget = (): void => {
    process.off('exit', end);
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
  function onSignal(signal: NodeJS.Signals): void {
    forget();
    end();
    process.kill(process.pid, signal);
  }
  process.on('exit', end);
  for (const signal of endingSignals) process.on(signal, onSignal);
  return forget;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
