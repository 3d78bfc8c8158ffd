import {
  byNumber,
  byNumberOf,
  byText,
  byTextOf,
  fromTimestamp,
  hours,
  inOrder,
  inReverse,
  instant,
  type Instant,
  latest,
  toTimestamp,
} from '@nodewright/apis';
import { OpenTimes } from '../calendar/open-times.ts';
import type { RolloutSettings } from '../settings.ts';
import { shortestStart } from '../shortest-start.ts';
import type { RolloutSnapshot } from '../snapshot.ts';
import { hardEndOf, lastEndOf, softEndOf } from './node-ages.ts';

/** A node that goes by force for its age before the policy can let it go. */
export type LateNode = {
  readonly node: string;
  readonly object: string;
  readonly end: Instant;
  readonly endsBy: 'expireAfter' | 'maxAge.hard';
};

export type AgeQuestion = Pick<RolloutSnapshot, 'now' | 'objects' | 'nodes' | 'policy'>;

/**
 * Which nodes reach `expireAfter` or `maxAge.hard` before pace and windows let them go for their age.
 *
 * Assumptions: every node can be drained at once, and nothing else uses the pace. So it is a bound from below: where it
 * names nodes, no luck lets all of them go in time.
 */
export function listLateNodes(seen: AgeQuestion, settings: RolloutSettings): readonly LateNode[] {
  if (settings.maxAge?.softMs === undefined) return [];
  const nodes = agingNodes(seen, settings);
  if (nodes.every(({ end }) => end === Infinity)) return [];
  const { pace } = settings;
  const moveMs = pace.order === 'TerminateFirst' ? 0 : shortestStart(seen.nodes);
  const begun = (seen.policy.status?.begun ?? []).map(({ at, object }) => ({ at: fromTimestamp(at), object }));
  const queues = [...new Set(nodes.map(({ object }) => object))].map(
    (object) =>
      new AgingQueue(
        nodes.filter((node) => node.object === object),
        latest(...begun.filter((each) => each.object === object).map(({ at }) => at)),
      ),
  );
  const times = begun.map(({ at }) => at).toSorted(byNumber);
  const open = new OpenTimes(settings);
  const late: DueNode[] = [];
  for (;;) {
    const [first] = queues
      .flatMap((queue) => queue.nextBegin(seen.now, pace.minIntervalMs) ?? [])
      .toSorted(byNumberOf(({ at }) => at));
    if (first === undefined) break;
    const at = open.nextFrom(
      latest(
        first.at,
        laterBy(times.at(-pace.maxPerHour), hours(1)),
        laterBy(times.at(pace.order === 'TerminateFirst' ? -1 : -pace.maxSurge), moveMs),
      ),
    );
    if (at === undefined) {
      late.push(...queues.flatMap((queue) => queue.rest()).filter(({ end }) => end !== Infinity));
      break;
    }
    const { taken, missed } = first.queue.take(at, instant(at + moveMs));
    late.push(...missed);
    if (taken) times.push(at);
  }
  return late.map(({ name, object, end, endsBy }) => ({ node: name, object, end, endsBy }));
}

const laterBy = (at: Instant | undefined, ms: number): Instant | undefined =>
  at === undefined ? undefined : instant(at + ms);

type DueNode = Pick<LateNode, 'object' | 'end' | 'endsBy'> & { readonly name: string; readonly due: Instant };

/** Nodes that the policy lets go for their age: those of node groups are replaced for their images only. */
function agingNodes({ objects, nodes, policy }: AgeQuestion, settings: RolloutSettings): readonly DueNode[] {
  const pools = new Set(objects.filter(({ id }) => id.startsWith('NodePool/')).map(({ id }) => id));
  const letGo = new Set((policy.status?.admitted ?? []).map(({ node }) => node));
  return nodes
    .filter(({ name, object, leaving }) => pools.has(object) && !leaving && !letGo.has(name))
    .map((node) => {
      const end = lastEndOf(node, settings);
      const endsBy = hardEndOf(node, settings) === end ? 'maxAge.hard' : 'expireAfter';
      return { name: node.name, object: node.object, due: softEndOf(node, settings), end, endsBy };
    });
}

/** The nodes of one object. Nodes that are old enough go in the order in which they end. */
class AgingQueue {
  /** Not old enough, the next one last. */
  readonly #coming: DueNode[];
  /** Old enough, the one that ends first last. */
  readonly #due: DueNode[] = [];
  #lastBegin: Instant | undefined;

  constructor(nodes: readonly DueNode[], lastBegin: Instant | undefined) {
    this.#coming = nodes.toSorted(
      inReverse(
        inOrder<DueNode>(
          byNumberOf(({ due }) => due),
          byTextOf(({ name }) => name),
        ),
      ),
    );
    this.#lastBegin = lastBegin;
  }

  nextBegin(now: Instant, intervalMs: number): { readonly queue: AgingQueue; readonly at: Instant } | undefined {
    const due = this.#due.length > 0 ? now : this.#coming.at(-1)?.due;
    if (due === undefined) return undefined;
    return { queue: this, at: latest(now, due, laterBy(this.#lastBegin, intervalMs)) };
  }

  /** @param thereAt when the replacement of a node that begins now is there */
  take(now: Instant, thereAt: Instant): { readonly taken: boolean; readonly missed: readonly DueNode[] } {
    for (let next = this.#coming.at(-1); next !== undefined && next.due <= now; next = this.#coming.at(-1)) {
      this.#coming.pop();
      this.#insert(next);
    }
    const missed: DueNode[] = [];
    for (let next = this.#due.pop(); next !== undefined; next = this.#due.pop()) {
      if (next.end >= thereAt) {
        this.#lastBegin = now;
        return { taken: true, missed };
      }
      missed.push(next);
    }
    return { taken: false, missed };
  }

  rest(): readonly DueNode[] {
    return [...this.#due, ...this.#coming];
  }

  #insert(node: DueNode): void {
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#due[middle]?.end ?? 0) > node.end) low = middle + 1;
      else high = middle;
    }
    this.#due.splice(low, 0, node);
  }
}

/** The message about them, object by object; empty where every node can go in time. */
export function printLateNodes(late: readonly LateNode[], { nodes }: Pick<RolloutSnapshot, 'nodes'>): string {
  const objects = [...new Set(late.map(({ object }) => object))].toSorted(byText);
  return objects
    .map((object) => {
      const own = late.filter((each) => each.object === object);
      const all = nodes.filter((node) => node.object === object && !node.leaving).length;
      const first = own.reduce((a, b) => (b.end < a.end ? b : a));
      return `${object}: ${own.length} of ${all} nodes reach ${first.endsBy} before pace and windows let them go, the first at ${toTimestamp(first.end)}`;
    })
    .join('; ');
}

/** What can be done about late nodes. */
export const lateNodesAdvice = 'lower maxAge.soft, raise pace or windows, or let nodes live longer';
