import {
  apiVersionOf,
  type Event,
  events,
  type KubernetesObject,
  type ResourceType,
  toTimestamp,
} from '@nodewright/apis';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';

export type EventText = { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };

/** Writes events about objects. One that cannot be written is lost, as everywhere in Kubernetes. */
export class EventWriter {
  readonly #deps: { readonly clock: Clock; readonly random: Random; readonly client: KubernetesClient };
  readonly #component: string;

  constructor(deps: { clock: Clock; random: Random; client: KubernetesClient }, component: string) {
    this.#deps = deps;
    this.#component = component;
  }

  async write(about: KubernetesObject, type: ResourceType, text: EventText): Promise<void> {
    const { clock, random, client } = this.#deps;
    const { name, namespace, uid } = about.metadata;
    const at = toTimestamp(clock.now());
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${random.hex(16)}`, namespace: namespace ?? 'default' },
      involvedObject: {
        apiVersion: apiVersionOf(type),
        kind: type.kind,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
      },
      ...text,
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
      source: { component: this.#component },
      reportingComponent: this.#component,
      reportingInstance: '',
    };
    await client.create(events, event).catch(() => undefined);
  }
}
