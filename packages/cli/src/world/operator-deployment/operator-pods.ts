import { deployments, leases, type Pod, pods, toTimestamp } from '@nodewright/apis';
import { ApiError, type ByteConnection, startInformer } from '@nodewright/runtime';
import type { ApiObject, PodLogOptions } from '@nodewright/kube-api';
import { type OperatorDeploymentName, operatorScheduler } from './manifests.ts';
import { OperatorTerm, type OperatorTermDeps } from './operator-term.ts';
import { planOperatorPods } from './plan.ts';
import { settingsOfPod } from './pod-settings.ts';
import { playedStatus } from './pod-status.ts';

const defaultLeaseName = 'karpenter-leader-election';

/**
 * Plays the pods of the operator's Deployment. One of them leads: the operator of this process runs with the settings in
 * its environment. When it is gone, another one leads, with its own settings.
 */
export class OperatorPods {
  readonly #deps: OperatorTermDeps;
  readonly #at: OperatorDeploymentName;
  readonly #watched;
  readonly #logs = new Map<string, OperatorTerm>();
  #term: OperatorTerm | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: OperatorTermDeps, at: OperatorDeploymentName) {
    const { client, clock, random } = deps;
    const watch = { client, clock, namespace: at.namespace };
    this.#deps = deps;
    this.#at = at;
    this.#watched = {
      deployments: startInformer({ ...watch, type: deployments, random: random.fork('watch deployments') }),
      pods: startInformer({ ...watch, type: pods, random: random.fork('watch pods') }),
    };
  }

  /** Resolves when the operator runs and has seen everything. */
  async start(): Promise<void> {
    await this.#forgetEarlierLeader();
    const { deployments: known, pods: running } = this.#watched;
    await Promise.all([known.synced(), running.synced()]);
    await new Promise<void>((resolve) => {
      const look = (): void => void this.#settle().then(() => this.#term && resolve());
      known.onChange(look);
      running.onChange(look);
    });
    await this.#term?.ready();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(Object.values(this.#watched).map((informer) => informer.stop()));
    await this.#turn;
    await this.#term?.stop();
  }

  /** The log of a pod that leads or has led. */
  log({ metadata }: ApiObject, options: PodLogOptions): AsyncIterable<Uint8Array> | undefined {
    return this.#logs.get(metadata.uid ?? '')?.log.read(options);
  }

  listener({ metadata }: ApiObject, port: number): ((connection: ByteConnection) => void) | undefined {
    return this.#logs.get(metadata.uid ?? '')?.listener(port);
  }

  /** One turn at a time; each sees the objects as they are when it begins. */
  #settle(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#runTurn()).catch(() => this.#retryLater());
    return this.#turn;
  }

  #retryLater(): void {
    const { clock } = this.#deps;
    if (!this.#isStopped) clock.at(clock.now(), () => void clock.sleep(1000).then(() => this.#settle()));
  }

  async #runTurn(): Promise<void> {
    if (this.#isStopped) return;
    const { deployments: known, pods: seen } = this.#watched;
    const deployment = known.store.get(`${this.#at.namespace}/${this.#at.name}`);
    const plan = planOperatorPods({ deployment, pods: seen.store.list(), leader: this.#term?.pod.metadata.uid });
    if (plan.takeFromScheduler) await this.#takeFromScheduler();
    for (const pod of plan.begin) await this.#begin(pod);
    await this.#follow(plan.leader);
  }

  async #takeFromScheduler(): Promise<void> {
    const patch = { spec: { template: { spec: { schedulerName: operatorScheduler } } } };
    await this.#deps.client.patch(deployments, this.#at, { type: 'merge', patch });
  }

  async #begin(pod: Pod): Promise<void> {
    const { client, clock } = this.#deps;
    const found = settingsOfPod(pod);
    const refused = found.kind === 'refused' ? found.because : undefined;
    const status = playedStatus(pod, toTimestamp(clock.now()), refused);
    const { name, namespace = '', uid } = pod.metadata;
    const patch = { metadata: { uid }, status };
    await unlessPodIsGone(client.patch(pods, { name, namespace }, { type: 'merge', patch }, { subresource: 'status' }));
  }

  async #follow(leader: Pod | undefined): Promise<void> {
    if (leader?.metadata.uid === this.#term?.pod.metadata.uid) return;
    await this.#term?.stop();
    this.#term = undefined;
    this.#logs.clear();
    const found = leader && settingsOfPod(leader);
    if (leader === undefined || found?.kind !== 'settings') return;
    this.#term = new OperatorTerm(this.#deps, leader, found.settings);
    for (const warning of found.warnings)
      this.#term.log.write(`${JSON.stringify({ level: 'WARN', message: warning })}\n`);
    this.#logs.set(leader.metadata.uid ?? '', this.#term);
  }

  /** No other process runs pods of this Deployment, so a Lease that one of them has left behind is free. */
  async #forgetEarlierLeader(): Promise<void> {
    const { client } = this.#deps;
    const key = { namespace: this.#at.namespace, name: defaultLeaseName };
    const lease = await client.get(leases, key);
    if (lease?.spec?.holderIdentity?.startsWith(`${this.#at.name}-`) === true)
      await unlessPodIsGone(client.delete(leases, key));
  }
}

async function unlessPodIsGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    if (!(failure instanceof ApiError && ['NotFound', 'Conflict'].includes(failure.reason ?? ''))) throw failure;
  }
}
