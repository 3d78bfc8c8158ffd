import { instant, leases, type Instant, type Lease } from '@nodewright/apis';
import type { Clock, Timer } from '../clock.ts';
import { ApiError, type KubernetesClient } from '../kubernetes-client.ts';
import type { Logger } from '../observability/logger.ts';
import type { Random } from '../random.ts';
import { claimedBy, leaseExpiresAt, type LeaseTerms, releasedLease, type Spec } from './lease-record.ts';

export type LeaderElectionOptions = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly name: string;
  readonly namespace: string;
  /** Unique among all who want to lead, such as the pod's name and a UUID. */
  readonly identity: string;
  /**
   * Called once, when the lease is ours. The signal aborts when it is no longer ours, or by `stop`:
   * from then on another process may lead, so nothing may be written any more.
   */
  readonly lead: (signal: AbortSignal) => void;
  /** How long others respect a renewal [15]. */
  readonly leaseDurationSeconds?: number;
  /** How long the leader tries to renew before it gives up [10]; less than the lease's duration. */
  readonly renewDeadlineSeconds?: number;
  /** How often the leader renews [2]. */
  readonly retrySeconds?: number;
  /** How often a candidate that does not lead looks at the lease [`retrySeconds`]. */
  readonly lookSeconds?: number;
};

export interface LeaderElection {
  isLeader(): boolean;
  /** Gives the lease back, if it is ours, so that the next one need not wait. */
  stop(): Promise<void>;
}

/**
 * One leader at a time, by a Lease that has to be renewed. Whoever lost it does not run again. A renewal is one request: it
 * is read again only when another one has written it. A candidate that does not lead writes nothing while the lease counts.
 */
export const startLeaderElection = (options: LeaderElectionOptions): LeaderElection => new LeaderCandidate(options);

class LeaderCandidate implements LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #terms: LeaseTerms;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;
  readonly #lookMs: number;
  readonly #leading = new AbortController();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The lease as it was seen last, and when it was first seen like that. */
  #seen: { readonly lease: Lease; readonly at: Instant } | undefined;
  #isLeader = false;
  #complaint = '';
  #deadline: Timer | undefined;

  constructor(options: LeaderElectionOptions) {
    const { name, namespace, identity, leaseDurationSeconds = 15 } = options;
    this.#options = options;
    this.#terms = { name, namespace, identity, leaseDurationSeconds };
    this.#renewDeadlineMs = (options.renewDeadlineSeconds ?? 10) * 1000;
    this.#retryMs = (options.retrySeconds ?? 2) * 1000;
    this.#lookMs = options.lookSeconds === undefined ? this.#retryMs : options.lookSeconds * 1000;
    this.#running = this.#run();
  }

  isLeader(): boolean {
    return this.#isLeader;
  }

  async stop(): Promise<void> {
    const wasLeader = this.#isLeader;
    this.#abdicate(new Error('the election is stopping'));
    await this.#running;
    if (wasLeader) await this.#release();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#attempt();
      await this.#options.clock.sleep(this.#pauseMs(), signal).catch(() => undefined);
    }
  }

  #pauseMs(): number {
    return this.#isLeader ? this.#retryMs : this.#lookMs * (1 + 0.2 * this.#options.random.next());
  }

  async #attempt(): Promise<void> {
    const askedAt = this.#options.clock.now();
    try {
      if (await this.#claim()) this.#hold(askedAt);
      this.#complaint = '';
    } catch (error) {
      this.#complain(error);
    }
  }

  /** The same trouble is told once: without rights or without an API server it comes with every attempt. */
  #complain(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const complaint = error instanceof Error ? error.message : String(error);
    if (complaint === this.#complaint) return;
    this.#complaint = complaint;
    const { name: lease, namespace } = this.#terms;
    this.#options.log.warn('could not claim the lease', { lease, namespace, error });
  }

  /** Whether the lease is ours now. Only the resource version decides between two who ask at once. */
  async #claim(): Promise<boolean> {
    const { client, clock } = this.#options;
    if (this.#isLeader && (await this.#renew())) return true;
    const lease = await client.get(leases, this.#terms);
    if (lease === undefined) return this.#write(() => client.create(leases, this.#lease(undefined)));
    this.#see(lease);
    if (this.#isTaken(clock.now())) return false;
    return this.#write(() => client.update(leases, this.#lease(lease)));
  }

  /**
   * Writes over the lease as we wrote it last.
   * @returns whether it still was like that; if not, it has to be read
   */
  async #renew(): Promise<boolean> {
    const seen = this.#seen;
    if (seen?.lease.spec?.holderIdentity !== this.#terms.identity) return false;
    try {
      return await this.#write(() => this.#options.client.update(leases, this.#lease(seen.lease)));
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  async #write(request: () => Promise<Lease>): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    try {
      this.#see(await request());
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) return false;
      throw error;
    }
  }

  #lease(before: Lease | undefined): Lease {
    const { name, namespace } = this.#terms;
    const spec = claimedBy(this.#terms, before?.spec, this.#options.clock.now());
    return { ...before, metadata: before?.metadata ?? { name, namespace }, spec };
  }

  #see(lease: Lease): void {
    const isNew = lease.metadata.resourceVersion !== this.#seen?.lease.metadata.resourceVersion;
    this.#seen = { lease, at: isNew || this.#seen === undefined ? this.#options.clock.now() : this.#seen.at };
  }

  #isTaken(now: Instant): boolean {
    const spec: Spec = this.#seen?.lease.spec ?? {};
    const { holderIdentity = '' } = spec;
    if (holderIdentity === '' || holderIdentity === this.#terms.identity) return false;
    return now < leaseExpiresAt(spec, this.#seen?.at ?? now);
  }

  /** The deadline counts from when we asked: others may count from when the server wrote it. */
  #hold(askedAt: Instant): void {
    const { clock, log, lead } = this.#options;
    if (this.#stopping.signal.aborted) return;
    this.#deadline?.cancel();
    this.#deadline = clock.at(instant(askedAt + this.#renewDeadlineMs), () => this.#lose());
    if (this.#isLeader) return;
    this.#isLeader = true;
    log.info('became the leader', { lease: this.#terms.name, identity: this.#terms.identity });
    lead(this.#leading.signal);
  }

  #lose(): void {
    this.#options.log.error('lost the lease: it could not be renewed in time', { lease: this.#terms.name });
    this.#abdicate(new Error(`the lease ${this.#terms.name} could not be renewed in time`));
  }

  #abdicate(reason: Error): void {
    this.#isLeader = false;
    this.#deadline?.cancel();
    this.#leading.abort(reason);
    this.#stopping.abort(reason);
  }

  async #release(): Promise<void> {
    const { client, clock, log } = this.#options;
    try {
      const lease = await client.get(leases, this.#terms);
      if (lease?.spec?.holderIdentity !== this.#terms.identity) return;
      await client.update(leases, { ...lease, spec: releasedLease(lease.spec, clock.now()) });
    } catch (error) {
      log.debug('could not release the lease; it expires by itself', { name: this.#terms.name, error });
    }
  }
}
