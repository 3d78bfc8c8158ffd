import { instant, type Instant, leases, toMicroTimestamp } from '@nodewright/apis';
import type { Clock, KubernetesClient, Timer } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import {
  lastRenewal,
  leaseNamespace,
  leaseOf,
  type NodeIdentity,
  renewPeriodMs,
  renewsEverySeconds,
} from './lease-object.ts';

export type HeartbeatDeps = {
  readonly clock: Clock;
  readonly client: KubernetesClient;
  /** Aborts when the process ends, not when the machine does. */
  readonly signal: AbortSignal;
  /** How often a lease is written between its first and its last beat; never when left out. */
  readonly writeEveryMs?: number | undefined;
  /** The clock of the lease's readers, which does not jump [the clock of the cluster]. */
  readonly readersClock?: Clock | undefined;
  /** Called after each write between the first and the last beat. */
  readonly onBeat?: () => Promise<void>;
};

/**
 * The heartbeat of one node. Its lease is written when the beat starts and when it stops. In between an annotation says
 * that the beat goes on, and readers from outside get a write as often as the options say.
 */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  readonly #node: NodeIdentity;
  readonly #from: Instant;
  #stopped = false;
  #next: Timer | undefined;

  constructor(deps: HeartbeatDeps, node: NodeIdentity) {
    this.#deps = deps;
    this.#node = node;
    this.#from = deps.clock.now();
  }

  async begin(): Promise<void> {
    const lease = leaseOf(this.#node, this.#from);
    const created = await unlessRefusedAs('AlreadyExists', this.#deps.client.create(leases, lease));
    if (created === undefined) await this.#write(true);
    this.#writeLater();
  }

  /** Ends the heartbeat. The lease keeps the time of the last beat. */
  end(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#next?.cancel();
    const { clock, signal } = this.#deps;
    const last = lastRenewal(this.#from, clock.now());
    clock.at(clock.now(), () => void retryUntilStopped(clock, signal, () => this.#write(false, last)));
  }

  #writeLater(): void {
    const { clock, signal, writeEveryMs, readersClock } = this.#deps;
    if (writeEveryMs === undefined) return;
    const waitMs = readersClock === undefined ? Math.max(writeEveryMs, renewPeriodMs) : writeEveryMs;
    const reader = readersClock ?? clock;
    this.#next = reader.at(instant(reader.now() + waitMs), () => {
      if (this.#stopped || signal.aborted) return;
      void this.#beat().catch(() => undefined);
      this.#writeLater();
    });
  }

  async #beat(): Promise<void> {
    await this.#write(true);
    await this.#deps.onBeat?.();
  }

  async #write(goesOn: boolean, renewedAt = lastRenewal(this.#from, this.#deps.clock.now())): Promise<void> {
    const annotations = { [renewsEverySeconds]: goesOn ? String(renewPeriodMs / 1000) : null };
    const patch = { metadata: { annotations }, spec: { renewTime: toMicroTimestamp(renewedAt) } };
    const key = { name: this.#node.name, namespace: leaseNamespace };
    const { client } = this.#deps;
    const written = await unlessGone(client.patch(leases, key, { type: 'merge', patch }));
    if (written === undefined && goesOn) await client.create(leases, leaseOf(this.#node, renewedAt));
  }
}
