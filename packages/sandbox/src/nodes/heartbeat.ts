import { instant, type Instant, leases, toMicroTimestamp } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../control/refusals.ts';
import { retrying } from '../control/retrying.ts';
import {
  lastRenewal,
  leaseNamespace,
  leaseOf,
  type NodeIdentity,
  renewPeriodMs,
  renewsEverySeconds,
} from './lease-object.ts';

/**
 * How a kubelet's heartbeat reaches the API. `facts` writes the lease when the heart starts and stops
 * beating, and leaves the beats between to be worked out; `eager` writes every beat, for readers who
 * know nothing of that.
 */
export type HeartbeatStyle = 'facts' | 'eager';

export type HeartbeatDeps = {
  readonly clock: Clock;
  readonly client: KubernetesClient;
  /** Aborts when the process ends, not when the machine does. */
  readonly signal: AbortSignal;
  readonly style: HeartbeatStyle;
};

/** The heartbeat of one node. */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  readonly #node: NodeIdentity;
  readonly #from: Instant;
  #stopped = false;

  constructor(deps: HeartbeatDeps, node: NodeIdentity) {
    this.#deps = deps;
    this.#node = node;
    this.#from = deps.clock.now();
  }

  async begin(): Promise<void> {
    const { client, style } = this.#deps;
    const lease = leaseOf(this.#node, this.#from, style);
    const created = await unlessRefusedAs('AlreadyExists', client.create(leases, lease));
    if (created === undefined) await this.#write(this.#from, style === 'facts');
    if (style === 'eager') this.#beatAt(instant(this.#from + renewPeriodMs));
  }

  /** The heart has stopped: the lease keeps the last beat. */
  end(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const { clock, signal } = this.#deps;
    const last = lastRenewal(this.#from, clock.now());
    clock.at(clock.now(), () => void retrying(clock, signal, () => this.#write(last, false)));
  }

  #beatAt(due: Instant): void {
    this.#deps.clock.at(due, () => {
      if (this.#stopped || this.#deps.signal.aborted) return;
      void this.#write(due, false).catch(() => undefined);
      this.#beatAt(instant(due + renewPeriodMs));
    });
  }

  async #write(renewedAt: Instant, goesOn: boolean): Promise<void> {
    const annotations = { [renewsEverySeconds]: goesOn ? String(renewPeriodMs / 1000) : null };
    const patch = { metadata: { annotations }, spec: { renewTime: toMicroTimestamp(renewedAt) } };
    const key = { name: this.#node.name, namespace: leaseNamespace };
    await unlessGone(this.#deps.client.patch(leases, key, { type: 'merge', patch }));
  }
}
