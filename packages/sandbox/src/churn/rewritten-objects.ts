import type { ObjectWrite } from '@nodewright/kube-api';
import type { Churn } from './churn.ts';

/** Ten times a second, all through a span: a status that counts arriving pods is written so often, for less long. */
const mostWrites = 3000;

/** How often each client writes each object. */
export class RewrittenObjects {
  readonly #writes = new Map<string, number>();

  beginSpan(): void {
    this.#writes.clear();
  }

  count({ collection, object, client }: ObjectWrite): Churn | undefined {
    const { namespace, name } = object.metadata;
    const path = namespace === undefined ? name : `${namespace}/${name}`;
    const key = `${client} ${collection} ${path}`;
    const writes = (this.#writes.get(key) ?? 0) + 1;
    this.#writes.set(key, writes);
    if (writes < mostWrites) return undefined;
    return { message: `churn: ${client} writes ${collection} ${path} without end`, fields: { client, writes } };
  }
}
