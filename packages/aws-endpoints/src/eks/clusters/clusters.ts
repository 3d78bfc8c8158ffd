import { byTextOf, instant, type Instant, minutes } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import { invalidParameter, noSuchCluster, noSuchUpdate } from '../errors.ts';
import type { EksCluster, ClusterUpdate } from './cluster.ts';

type ClustersDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly listener: ClusterListener;
};

/** What follows from the life of a cluster. */
export type ClusterListener = {
  /** Told of a cluster that is active from now, or still is after a restart. */
  readonly opened: (cluster: EksCluster) => void;
  /** Told the minor as soon as a control plane runs it. */
  readonly upgraded: (name: string, minor: string) => void;
  /** Told of a cluster that is gone. */
  readonly closed: (cluster: EksCluster) => void;
};

type RememberedRequest = { readonly body: string; readonly about: string };

/** How long EKS takes to put up a control plane, to replace its machines, to change its settings, and to take it down. */
const takes = {
  creation: { leastMs: minutes(7), spreadMs: minutes(3) },
  version: { leastMs: minutes(8), spreadMs: minutes(2) },
  settings: { leastMs: minutes(2), spreadMs: minutes(1) },
  deletion: { leastMs: minutes(2), spreadMs: minutes(1) },
};

/** The clusters of the account, and their updates. */
export class Clusters {
  readonly #deps: ClustersDeps;
  readonly #clusters: Map<string, EksCluster>;
  /** By id, oldest first. */
  readonly #updates: Map<string, ClusterUpdate>;
  readonly #tokens: Map<string, RememberedRequest>;

  constructor(deps: ClustersDeps) {
    this.#deps = deps;
    this.#clusters = deps.ledger.map('eks/clusters');
    this.#updates = deps.ledger.map('eks/updates');
    this.#tokens = deps.ledger.map('eks/update-tokens');
  }

  /** Whether this is an account in which nothing has happened yet. */
  get isNew(): boolean {
    return this.#clusters.size === 0 && this.#updates.size === 0;
  }

  /** Tells after a restart which clusters are there. */
  reopen(): void {
    for (const cluster of this.all()) if (cluster.stage !== 'CREATING') this.#deps.listener.opened(cluster);
  }

  /** Goes on with what was under way before a restart. */
  resume(): void {
    for (const cluster of this.all()) if (cluster.stage !== 'ACTIVE') this.#moveOnLater(cluster);
    for (const update of this.#updates.values()) if (update.status === 'InProgress') this.#finishLater(update);
  }

  now(): Instant {
    return this.#deps.clock.now();
  }

  /** By name. */
  all(): readonly EksCluster[] {
    return [...this.#clusters.values()].toSorted(byTextOf(({ name }) => name));
  }

  find(name: string): EksCluster | undefined {
    return this.#clusters.get(name);
  }

  /** @throws AwsError `ResourceNotFoundException` */
  cluster(name: string): EksCluster {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) throw noSuchCluster(name);
    return cluster;
  }

  keep(cluster: EksCluster): EksCluster {
    this.#clusters.set(cluster.name, cluster);
    return cluster;
  }

  /** A cluster that is on its way, in or out. */
  move(cluster: EksCluster, stage: 'CREATING' | 'DELETING'): EksCluster {
    const moving = this.keep({ ...cluster, stage, since: this.now() });
    this.#moveOnLater(moving);
    return moving;
  }

  statusOf({ name, stage }: EksCluster): 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING' {
    return stage === 'ACTIVE' && this.running(name) !== undefined ? 'UPDATING' : stage;
  }

  /** Of one cluster, oldest first. */
  updatesOf(name: string): readonly ClusterUpdate[] {
    return [...this.#updates.values()].filter(({ cluster }) => cluster === name);
  }

  /** @throws AwsError `ResourceNotFoundException` */
  update(name: string, id: string): ClusterUpdate {
    const found = this.#updates.get(id);
    if (found?.cluster !== name) throw noSuchUpdate(name, id);
    return found;
  }

  running(name: string): ClusterUpdate | undefined {
    return this.updatesOf(name).find(({ status }) => status === 'InProgress');
  }

  begin(name: string, asked: Pick<ClusterUpdate, 'type' | 'params' | 'change' | 'nodesUntil'>): ClusterUpdate {
    const { clock, random } = this.#deps;
    const about = { id: random.uuid(), cluster: name, status: 'InProgress' as const, createdAt: clock.now() };
    const update = { ...about, errors: [], ...asked };
    this.keepUpdate(update);
    this.#finishLater(update);
    return update;
  }

  keepUpdate(update: ClusterUpdate): void {
    this.#updates.set(update.id, update);
  }

  /**
   * The same call again, by its token, is about the same thing.
   * @param work does it, and names what it is about: an update by its id, a cluster by its name
   * @throws AwsError when the token came with another request before
   */
  once(token: string | undefined, request: { readonly name?: string | undefined }, work: () => string): string {
    const body = JSON.stringify(request);
    const known = token === undefined ? undefined : this.#tokens.get(token);
    if (known !== undefined && known.body !== body) {
      throw invalidParameter(
        { clusterName: request.name ?? '' },
        `clientRequestToken ${token} was used for another request before.`,
      );
    }
    if (known !== undefined) return known.about;
    const about = work();
    if (token !== undefined) this.#tokens.set(token, { body, about });
    return about;
  }

  #moveOnLater({ name, stage, since }: EksCluster): void {
    this.#later(since, stage === 'CREATING' ? takes.creation : takes.deletion, () => {
      const cluster = this.find(name);
      if (cluster?.stage !== stage) return;
      if (stage === 'CREATING') {
        this.#deps.listener.opened(this.keep({ ...cluster, stage: 'ACTIVE', since: this.now() }));
        return;
      }
      this.#clusters.delete(name);
      this.#deps.listener.closed(cluster);
    });
  }

  #finishLater({ id, type, createdAt, nodesUntil }: ClusterUpdate): void {
    const isOfVersion = type === 'VersionUpdate' || type === 'VersionRollback';
    this.#later(nodesUntil ?? createdAt, isOfVersion ? takes.version : takes.settings, () => this.#finish(id));
  }

  #finish(id: string): void {
    const update = this.#updates.get(id);
    const cluster = update && this.find(update.cluster);
    if (update?.status !== 'InProgress' || cluster === undefined) return;
    this.keep({ ...cluster, ...update.change, ...this.#past(cluster, update) });
    this.keepUpdate({ ...update, status: 'Successful' });
    const { version } = update.change;
    if (version !== undefined) this.#deps.listener.upgraded(cluster.name, version);
  }

  #past({ version: from }: EksCluster, { type }: ClusterUpdate): Partial<EksCluster> {
    return type === 'VersionUpdate' ? { upgraded: { from, at: this.now() } } : {};
  }

  #later(from: Instant, { leastMs, spreadMs }: { leastMs: number; spreadMs: number }, then: () => void): void {
    const { clock, random } = this.#deps;
    clock.at(instant(from + leastMs + random.integer(spreadMs)), then);
  }
}
