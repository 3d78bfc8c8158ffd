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
  /** Starts the process. */
  readonly spawn: () => ChildProcess;
};

const holdName = 'the controller that is started';

/** A controller that is started, killed and stopped as a process of its own. */
export class StartedController implements ScenarioController {
  readonly #options: StartedControllerOptions;
  #child: ChildProcess | undefined;
  #isOver = false;

  constructor(options: StartedControllerOptions) {
    this.#options = options;
  }

  /** Time stands still until the controller is connected. @throws InputError when its process ends before */
  async start(): Promise<void> {
    if (this.#isOver) return;
    const { time, connected, spawn: spawnProcess } = this.#options;
    time.hold(holdName, time.clock.now());
    try {
      const there = connected.next();
      const child = spawnProcess();
      this.#child = child;
      await Promise.race([there, endOfProcess(child)]);
    } finally {
      time.hold(holdName, undefined);
    }
  }

  kill(downMs: number): void {
    const { clock } = this.#options.time;
    if (this.#child === undefined) return;
    endGroup(this.#child, 'SIGKILL');
    this.#child = undefined;
    clock.at(instant(clock.now() + downMs), () => void this.start());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    endGroup(child, 'SIGKILL');
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

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
