import type { Pod } from '@nodewright/apis';
import type { Operator } from '@nodewright/operator';
import {
  type ByteConnection,
  type Clock,
  createMetrics,
  type KubernetesClient,
  type Metrics,
  type Random,
  silentLogger,
  startLeaderElection,
  type TextRoutes,
} from '@nodewright/runtime';
import { tellBuild } from '../../build-info.ts';
import { metricsRoutesOf, probeRoutesOf } from '../../controller/observability.ts';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import { OperatorLog } from '../operator-log.ts';
import { serveTextsOn } from './listeners.ts';

export type OperatorTermDeps = {
  readonly clock: Clock;
  /** The clock of the Lease, which is about processes. */
  readonly leaseClock: Clock;
  readonly client: KubernetesClient;
  readonly random: Random;
  /** Starts the operator with the settings of a pod. */
  readonly start: (run: OperatorRun) => Operator;
};

export type OperatorRun = {
  readonly settings: ControllerSettings;
  readonly metrics: Metrics;
  readonly operatorLog: OperatorLog;
  /** Tells one run from another. */
  readonly name: string;
};

/** The operator as one pod runs it: from the moment that it seeks the Lease until the pod is gone. */
export class OperatorTerm {
  readonly pod: Pod;
  readonly log: OperatorLog;
  readonly #settings: ControllerSettings;
  readonly #metrics = createMetrics();
  readonly #deps: OperatorTermDeps;
  readonly #leads: Promise<void>;
  #operator: Operator | undefined;
  #giveBack: () => Promise<void> = () => Promise.resolve();

  constructor(deps: OperatorTermDeps, pod: Pod, settings: ControllerSettings) {
    this.pod = pod;
    this.log = new OperatorLog(deps.clock);
    this.#settings = settings;
    this.#deps = deps;
    tellBuild(this.#metrics);
    this.#leads = new Promise((resolve) => this.#seek(resolve));
  }

  /** Resolves when the operator has seen everything. */
  async ready(): Promise<void> {
    await this.#leads;
    await this.#operator?.ready;
  }

  async stop(): Promise<void> {
    await this.#operator?.stop();
    await this.#giveBack();
  }

  listener(port: number): ((connection: ByteConnection) => void) | undefined {
    const routes = this.#routesOn(port);
    return Object.keys(routes).length === 0 ? undefined : serveTextsOn(routes);
  }

  #routesOn(port: number): TextRoutes {
    const { metricsPort, healthProbePort } = this.#settings;
    return {
      ...(port === metricsPort && metricsRoutesOf(this.#metrics)),
      ...(port === healthProbePort && probeRoutesOf(() => this.ready())),
    };
  }

  #seek(led: () => void): void {
    const { random, client, leaseClock } = this.#deps;
    const { metadata } = this.pod;
    const { disableLeaderElection, leaderElectionName, leaderElectionNamespace } = this.#settings;
    const lead = (): void => {
      this.#lead();
      led();
    };
    if (disableLeaderElection) return lead();
    const election = startLeaderElection({
      client,
      clock: leaseClock,
      random: random.fork(`election ${metadata.uid}`),
      log: silentLogger,
      name: leaderElectionName,
      namespace: leaderElectionNamespace || (metadata.namespace ?? ''),
      identity: `${metadata.name}_${metadata.uid}`,
      lead: (signal) => {
        signal.addEventListener('abort', () => void this.#operator?.stop(), { once: true });
        lead();
      },
    });
    this.#giveBack = () => election.stop();
  }

  #lead(): void {
    const { pod, log: operatorLog } = this;
    const name = `operator of ${pod.metadata.uid}`;
    this.#operator = this.#deps.start({ settings: this.#settings, metrics: this.#metrics, operatorLog, name });
    this.#operator.ready.catch(() => undefined);
  }
}
