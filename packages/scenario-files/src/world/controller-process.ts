import { days, hours, instant } from '@nodewright/apis';
import { createDirectClient, type DirectLink } from '@nodewright/kube-api';
import { defaultOperatorSettings, type Operator, type OperatorSettings, startOperator } from '@nodewright/operator';
import { createAwsCloud, createInProcessClients, newsOfOneLife, receiveOnNews } from '@nodewright/provider-aws';
import {
  type CallGate,
  type Clock,
  createLogger,
  createMetrics,
  endOnAbort,
  type Random,
  silentLogger,
} from '@nodewright/runtime';
import type { Sandbox } from '@nodewright/sandbox';
import { setMaxListeners } from 'node:events';
import type { ScenarioController } from './world-host.ts';

/** The first word of the controller's user agent. */
export const controllerUserAgent = 'karpenter';

export type ControllerProcessOptions = {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly region: string;
  readonly clusterName: string;
  readonly settings: Partial<OperatorSettings>;
  readonly log?: (line: string) => void;
};

/** The controller of a scenario: it works until it is killed, and comes back. */
export class ControllerProcess implements ScenarioController {
  readonly #options: ControllerProcessOptions;
  readonly #endings: Promise<void>[] = [];
  #lives = 0;
  #life: ControllerLife | undefined;
  #isOver = false;

  constructor(options: ControllerProcessOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    if (this.#isOver || this.#life !== undefined) return Promise.resolve();
    this.#lives += 1;
    this.#life = new ControllerLife(this.#options, this.#lives);
    return this.#life.ready;
  }

  /** The process dies at once: no call leaves it, no answer reaches it. It is started again after a while. */
  kill(downMs: number): void {
    if (this.#life === undefined) return;
    this.#endings.push(this.#life.die());
    this.#life = undefined;
    const { clock } = this.#options;
    clock.at(instant(clock.now() + downMs), () => void this.start());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#life?.stop(), ...this.#endings]);
  }
}

class ControllerLife {
  readonly ready: Promise<void>;
  readonly #operator: Operator;
  readonly #streams = new AbortController();
  readonly #told: ReturnType<typeof newsOfOneLife>;
  #isDead = false;

  constructor(
    { sandbox, clock, gate, random: chance, region, clusterName, settings, log: tell }: ControllerProcessOptions,
    number: number,
  ) {
    setMaxListeners(0, this.#streams.signal); // one for each watch that is open
    const random = chance.fork(`life ${number}`);
    const user = { name: controllerUserAgent, groups: ['system:masters', 'system:authenticated'] };
    const client = createDirectClient(sandbox.kubernetes, {
      gate,
      name: controllerUserAgent,
      user,
      link: this.#link(),
    });
    const log = tell === undefined ? silentLogger : createLogger({ clock, sink: { write: tell } });
    this.#told = newsOfOneLife(sandbox.aws.news);
    const cloud = createAwsCloud({
      clock,
      gate,
      random: random.fork('cloud'),
      clusterName,
      region,
      clients: createInProcessClients({ gate, answer: this.#answerOf(sandbox) }),
      interruptionQueue: clusterName,
      news: this.#told.news,
      kubernetesVersion: () => Promise.resolve(sandbox.aws.eks.controlPlane.version),
    });
    const untilNews = (signal: AbortSignal): Promise<void> =>
      sandbox.aws.queues.untilReceivable(clusterName, instant(clock.now() + hours(24)), { clock, signal });
    this.#operator = startOperator({
      clock,
      random,
      client,
      cloud: { ...cloud, ...(cloud.interruptions && { interruptions: receiveOnNews(cloud.interruptions, untilNews) }) },
      log,
      metrics: createMetrics(),
      watchSeconds: days(30) / 1_000,
      settings: { ...defaultOperatorSettings, ...settings },
    });
    this.ready = this.#operator.ready;
  }

  die(): Promise<void> {
    this.#isDead = true;
    this.#streams.abort(new Error('the process is dead'));
    return this.stop();
  }

  async stop(): Promise<void> {
    await this.#operator.stop();
    this.#told.end();
  }

  #refuseDead(): void {
    if (this.#isDead) throw new Error('the process is dead');
  }

  #link(): DirectLink {
    return {
      send: async (_request, serve) => {
        this.#refuseDead();
        const answer = await serve();
        this.#refuseDead();
        return answer;
      },
      stream: (parts) => endOnAbort(parts, this.#streams.signal),
    };
  }

  #answerOf({ aws }: Sandbox): Sandbox['aws']['answer'] {
    return async (call, caller) => {
      this.#refuseDead();
      const answer = await aws.answer(call, caller);
      this.#refuseDead();
      return answer;
    };
  }
}
