import type { ObjectWrite } from '@nodewright/kube-api';
import type { Churn } from './churn.ts';

type Count = { alive: number; most: number; created: number; deleted: number };

/** An owner's objects are churned when they are created and deleted so many times over within a span. */
const timesOver = 10;
/** For owners of few objects. */
const atLeast = 30;

/** How many objects of each owner are created and deleted, and how many there are at most. */
export class OwnedObjects {
  readonly #counts = new Map<string, Count>();

  beginSpan(): void {
    for (const [owner, count] of this.#counts) {
      if (count.alive <= 0) this.#counts.delete(owner);
      else Object.assign(count, { most: count.alive, created: 0, deleted: 0 });
    }
  }

  count({ type, collection, object, client }: ObjectWrite): Churn | undefined {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return undefined;
    const count = this.#countOf(`${collection} ${owner.uid}`);
    if (type === 'ADDED') {
      count.created += 1;
      count.alive += 1;
      count.most = Math.max(count.most, count.alive);
    } else {
      count.deleted += 1;
      count.alive -= 1;
    }
    const { created, deleted, most } = count;
    if (Math.min(created, deleted) < Math.max(atLeast, timesOver * most)) return undefined;
    const { namespace } = object.metadata;
    const name = namespace === undefined ? owner.name : `${namespace}/${owner.name}`;
    return {
      message: `churn: ${collection} of ${owner.kind} ${name} are created and deleted without end`,
      fields: { client, created, deleted, atMostAtOnce: most },
    };
  }

  #countOf(owner: string): Count {
    const count = this.#counts.get(owner) ?? { alive: 0, most: 0, created: 0, deleted: 0 };
    this.#counts.set(owner, count);
    return count;
  }
}
