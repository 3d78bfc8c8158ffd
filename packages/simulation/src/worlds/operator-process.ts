import { setMaxListeners } from 'node:events';
import { days, instant, readOwn } from '@nodewright/apis';
import { createDirectClient, type DirectLink, type DirectRequest } from '@nodewright/kube-api';
import { defaultOperatorSettings, type Operator, startOperator } from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import { createAwsCloud, createInProcessClients, newsOfOneLife, receiveOnNews } from '@nodewright/provider-aws';
import {
  ApiError,
  type CallGate,
  type Clock,
  createLogger,
  createMetrics,
  endOnAbort,
  type KubernetesClient,
  type Random,
  silentLogger,
  startLeaderElection,
} from '@nodewright/runtime';
import type { Sandbox } from '@nodewright/sandbox';
import { leaseName } from '../invariants/lifecycle-rules.ts';

export type OperatorProcessOptions = {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly region: string;
  readonly clusterName: string;
  /** The name of the process; the same after a restart. */
  readonly name: string;
  /** Is told of every call to AWS that was answered. */
  readonly onAwsAnswer: (call: AwsCallOfOperator) => void;
  /** Whether the account tells when it changes, so that polls sleep meanwhile [no]. */
  readonly isTold?: boolean;
  readonly log?: (line: string) => void;
  /** Changes what the controllers run on: a test breaks them on purpose. */
  readonly flaw?: OperatorFlaw;
};

export type AwsCallOfOperator = {
  readonly operation: string;
  readonly input: object;
  readonly output: object;
};

export type OperatorFlaw = {
  readonly client?: (client: KubernetesClient) => KubernetesClient;
  readonly cloud?: (cloud: Cloud, life: number) => Cloud;
};

type AnswerOfAws = Sandbox['aws']['answer'];
type ServerSide = 'kubernetes' | 'aws';

/** The terms of the Lease, in seconds: long, so that a quiet day is quiet. */
const electionTerms = { leaseDurationSeconds: 600, renewDeadlineSeconds: 400, retrySeconds: 200, lookSeconds: 100 };

/** A month: the renewals of two hundred watches are half of what a quiet day costs. */
const longWatchSeconds = days(30) / 1_000;

/** A process of the controller: it seeks the lead, works, dies, comes back, and may be cut off from its servers. */
export class OperatorProcess {
  readonly #options: OperatorProcessOptions;
  readonly #away = new Set<ServerSide>();
  readonly #endings: Promise<void>[] = [];
  #lives = 0;
  #life: OperatorLife | undefined;
  /** After how many further writes the process dies, and for how long. */
  #doom: { writes: number; readonly downMs: number } | undefined;
  /** In each life after so many writes. */
  #killEvery: number | undefined;
  /** Calls to AWS that were counted as writes. */
  readonly #made = new Set<string>();
  #isOver = false;

  constructor(options: OperatorProcessOptions) {
    this.#options = options;
    this.#begin();
  }

  get isLeader(): boolean {
    return this.#life?.isLeader === true;
  }

  get lives(): number {
    return this.#lives;
  }

  /** Kills the process after its next `writes` writes; it comes back after `downMs`. */
  killAfter(writes: number, downMs: number): void {
    this.#doom = { writes, downMs };
  }

  /** Kills the process after `writes` writes of each life from now on; it comes back after a second. */
  killAgainAndAgain(writes: number): void {
    this.#killEvery = writes;
    this.#doom = { writes, downMs: 1_000 };
  }

  /** Ends the process as a rollout of its Deployment does, and starts it again after a minute. */
  replace(): void {
    this.#endings.push(this.#life?.stop() ?? Promise.resolve());
    this.#life = undefined;
    this.#later(60_000, () => this.#begin());
  }

  /** Connections to the server break, and none is accepted until `reconnect`. */
  disconnect(side: ServerSide): void {
    this.#away.add(side);
    if (side === 'kubernetes') this.#life?.breakStreams();
  }

  reconnect(): void {
    this.#away.clear();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#life?.stop(), ...this.#endings]);
  }

  #begin(): void {
    if (this.#isOver || this.#life !== undefined) return;
    this.#lives += 1;
    if (this.#killEvery !== undefined) this.#doom = { writes: this.#killEvery, downMs: 1_000 };
    const life: OperatorLife = new OperatorLife(this.#options, {
      number: this.#lives,
      refuse: (side) => {
        if (this.#away.has(side)) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
      wrote: (repeatable) => this.#countWrite(life, repeatable),
      lost: () => {
        if (this.#life !== life) return;
        this.#endings.push(life.stop());
        this.#life = undefined;
        this.#later(10_000, () => this.#begin());
      },
    });
    this.#life = life;
  }

  /** A call that an earlier life has made changes nothing when it is made again: it is no further write. */
  #countWrite(life: OperatorLife, repeatable?: string): void {
    const doom = this.#doom;
    if (doom === undefined || this.#life !== life || (repeatable !== undefined && this.#made.has(repeatable))) return;
    if (repeatable !== undefined) this.#made.add(repeatable);
    doom.writes -= 1;
    if (doom.writes > 0) return;
    this.#doom = undefined;
    this.#life = undefined;
    this.#endings.push(life.die());
    this.#later(doom.downMs, () => this.#begin());
  }

  #later(ms: number, work: () => void): void {
    const { clock } = this.#options;
    clock.at(instant(clock.now() + ms), work);
  }
}

type LifeEvents = {
  readonly number: number;
  /** @throws while the side is out of reach */
  readonly refuse: (side: ServerSide) => void;
  /** @param repeatable what makes the same call again the same */
  readonly wrote: (repeatable?: string) => void;
  readonly lost: () => void;
};

/** From a start of the process to its end. */
class OperatorLife {
  readonly #options: OperatorProcessOptions;
  readonly #events: LifeEvents;
  readonly #election: ReturnType<typeof startLeaderElection>;
  readonly #random: Random;
  readonly #told: ReturnType<typeof newsOfOneLife>;
  #operator: Operator | undefined;
  #isDead = false;
  #isStopping = false;
  #streams = streamsController();

  constructor(options: OperatorProcessOptions, events: LifeEvents) {
    const { clock, gate, sandbox, name } = options;
    this.#options = options;
    this.#events = events;
    this.#random = options.random.fork(`life ${events.number}`);
    this.#told = newsOfOneLife(sandbox.aws.news);
    const user = { name: 'karpenter', groups: ['system:masters', 'system:authenticated'] };
    const direct = createDirectClient(sandbox.kubernetes, { gate, name, user, link: this.#link() });
    const client = options.flaw?.client?.(direct) ?? direct;
    const { log: tell } = options;
    const log =
      tell === undefined ? silentLogger : createLogger({ clock, sink: { write: (line) => tell(`${name} ${line}`) } });
    this.#election = startLeaderElection({
      client: direct,
      clock,
      random: this.#random.fork('election'),
      log,
      name: leaseName,
      namespace: 'kube-system',
      identity: name,
      ...electionTerms,
      lead: (signal) => {
        signal.addEventListener('abort', () => (this.#isStopping ? undefined : events.lost()), { once: true });
        this.#operator = startOperator({
          clock,
          random: this.#random,
          client,
          cloud: this.#cloud(client),
          log,
          metrics: createMetrics(),
          ...(options.isTold === true && { watchSeconds: longWatchSeconds }),
          settings: { ...defaultOperatorSettings, nodeRepair: true },
        });
      },
    });
  }

  get isLeader(): boolean {
    return !this.#isDead && this.#election.isLeader();
  }

  breakStreams(): void {
    this.#streams.abort(new Error('the connection was cut'));
    this.#streams = streamsController();
  }

  /** The process is gone at once: no call leaves, no answer arrives. */
  die(): Promise<void> {
    this.#isDead = true;
    this.breakStreams();
    return this.stop();
  }

  /** The operator first: the next leader must not meet a turn of this one. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#operator?.stop();
    this.#told.end();
    await this.#election.stop();
  }

  #check(side: ServerSide): void {
    if (this.#isDead) throw new Error('the process is dead');
    this.#events.refuse(side);
  }

  #link(): DirectLink {
    return {
      send: async (request, serve) => {
        this.#check('kubernetes');
        try {
          const answer = await serve();
          this.#answered(request);
          return answer;
        } catch (error) {
          if (error instanceof ApiError) this.#answered(request);
          throw error;
        }
      },
      stream: (parts) => endOnAbort(parts, this.#streams.signal),
    };
  }

  /** @throws when the process has died meanwhile, or dies of this very write */
  #answered({ method, path }: DirectRequest): void {
    this.#check('kubernetes');
    if (method !== 'GET' && !/\/(events|leases)(\/|$)/.test(path)) this.#events.wrote();
    this.#check('kubernetes');
  }

  #cloud(client: KubernetesClient): Cloud {
    const { clock, gate, sandbox, region, clusterName, flaw } = this.#options;
    const cloud = createAwsCloud({
      clock,
      gate,
      random: this.#random.fork('cloud'),
      clusterName,
      region,
      clients: createInProcessClients({ gate, answer: this.#answer }),
      interruptionQueue: clusterName,
      ...(this.#options.isTold === true && { news: this.#told.news }),
      kubernetesVersion: async () => {
        const { major, minor } = await client.version();
        return `${major}.${Number.parseInt(minor, 10)}`;
      },
    });
    const untilNews = (signal: AbortSignal): Promise<void> =>
      sandbox.aws.queues.untilReceivable(clusterName, instant(clock.now() + longestQueueWaitMs), { clock, signal });
    const patient = {
      ...cloud,
      ...(cloud.interruptions && { interruptions: receiveOnNews(cloud.interruptions, untilNews) }),
    };
    return flaw?.cloud?.(patient, this.#events.number) ?? patient;
  }

  readonly #answer: AnswerOfAws = async (call, caller) => {
    this.#check('aws');
    const answer = await this.#options.sandbox.aws.answer(call, caller);
    const { operation, input } = call;
    if (answer.kind === 'answered') this.#options.onAwsAnswer({ operation, input, output: answer.output });
    this.#check('aws');
    if (isAwsWrite(call)) this.#events.wrote(textOfAwsWrite(call));
    this.#check('aws');
    return answer;
  };
}

/** A dry run changes nothing: a process that died of each would ask the same in each life, and never get any further. */
const isAwsWrite = ({ operation, input }: Pick<AwsCallOfOperator, 'operation' | 'input'>): boolean =>
  !/^(Describe|Get|List|Receive)/.test(operation) &&
  readOwn(input as Readonly<Record<string, unknown>>, 'DryRun') !== true;

/** EC2 takes calls with one token for one call, whatever else has changed in them. */
const textOfAwsWrite = ({ operation, input }: Pick<AwsCallOfOperator, 'operation' | 'input'>): string => {
  const token = readOwn(input as Readonly<Record<string, unknown>>, 'ClientToken');
  return `${operation} ${JSON.stringify(token ?? input)}`;
};

function streamsController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one for each watch that is open
  return controller;
}

const longestQueueWaitMs = 86_400_000;
