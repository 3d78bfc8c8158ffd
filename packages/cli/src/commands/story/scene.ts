import {
  ec2NodeClasses,
  events,
  nodeClaims,
  nodes,
  pods,
  type EC2NodeClass,
  type Event,
  type KubernetesObject,
  type Node,
  type NodeClaim,
  type Pod,
  type ResourceType,
  minutes,
} from '@nodewright/apis';
import { type Clock, type Informer, type KubernetesClient, type Random, startInformer } from '@nodewright/runtime';

/** What a spectator sees of the cluster, kept up to date by watches; the reader's eyes of the story. */
export class Scene {
  readonly claims: Informer<NodeClaim>;
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  readonly nodeClasses: Informer<EC2NodeClass>;
  readonly events: Informer<Event>;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(world: { readonly clock: Clock; readonly client: KubernetesClient; readonly random: Random }) {
    const watch = <T extends KubernetesObject>(type: ResourceType<T>): Informer<T> =>
      startInformer<T>({ type, ...world });
    this.#clock = world.clock;
    this.claims = watch(nodeClaims);
    this.nodes = watch(nodes);
    this.pods = watch(pods);
    this.nodeClasses = watch(ec2NodeClasses);
    this.events = watch(events);
  }

  async synced(): Promise<void> {
    await Promise.all(this.#all().map((informer) => informer.synced()));
    for (const informer of this.#all()) informer.onChange(() => this.#look());
  }

  /** Resolves as soon as `holds`; an error that says `what` did not happen after `withinMs` of the world's time. */
  async until(what: string, holds: () => boolean, withinMs: number): Promise<void> {
    const over = new AbortController();
    const seen = new Promise<'seen'>((resolve) => {
      const look = (): void => {
        if (holds()) resolve('seen');
      };
      this.#waiting.add(look);
      over.signal.addEventListener('abort', () => this.#waiting.delete(look));
      look();
    });
    const late = this.#clock.sleep(withinMs, over.signal).then(
      () => 'late' as const,
      () => 'seen' as const,
    );
    const outcome = await Promise.race([seen, late]);
    over.abort();
    if (outcome === 'late') throw new Error(`did not happen within ${withinMs / minutes(1)} minutes: ${what}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all().map((informer) => informer.stop()));
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  #all(): readonly Pick<Informer<KubernetesObject>, 'synced' | 'stop' | 'onChange'>[] {
    return [this.claims, this.nodes, this.pods, this.nodeClasses, this.events];
  }
}
