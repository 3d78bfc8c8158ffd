import { instant, type Node, nodes, seconds, toTimestamp } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import { restoredNodeStatus } from './restored-node-status.ts';

type NodeStatusKeeperDeps = { readonly clock: Clock; readonly client: KubernetesClient };

/** How often a kubelet compares its node with what it would tell. */
const nodeComparedEveryMs = seconds(10);

/** Tells the API server again what a kubelet knows of its node when another client has written something different. */
export class NodeStatusKeeper {
  readonly #deps: NodeStatusKeeperDeps;
  readonly #off: AbortSignal;
  readonly #own: (at: string) => NonNullable<Node['status']>;
  #isDue = false;

  /**
   * @param off aborts when the machine goes off
   * @param own what the kubelet tells of its node now
   */
  constructor(deps: NodeStatusKeeperDeps, off: AbortSignal, own: (at: string) => NonNullable<Node['status']>) {
    this.#deps = deps;
    this.#off = off;
    this.#own = own;
  }

  changed(node: Node): void {
    if (this.#isDue || this.#off.aborted || this.#restored(node) === undefined) return;
    const { clock } = this.#deps;
    this.#isDue = true;
    clock.at(instant(clock.now() + nodeComparedEveryMs), () => {
      void retryUntilStopped(clock, this.#off, () => this.#restore(node.metadata.name));
    });
  }

  #restored(node: Node): NonNullable<Node['status']> | undefined {
    const at = toTimestamp(this.#deps.clock.now());
    return restoredNodeStatus(node, this.#own(at), at);
  }

  async #restore(name: string): Promise<void> {
    const { client } = this.#deps;
    const node = await client.get(nodes, { name });
    this.#isDue = false;
    const status = node && this.#restored(node);
    if (node === undefined || status === undefined || this.#off.aborted) return;
    const patch = { metadata: { resourceVersion: node.metadata.resourceVersion }, status };
    const written = client.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' });
    await unlessRefusedAs('Conflict', unlessGone(written));
  }
}
