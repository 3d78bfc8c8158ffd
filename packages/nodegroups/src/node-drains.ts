import { earliest, type Instant, readOwn, writeOwn } from '@nodewright/apis';
import { drainStep, type DrainOptions } from './drain.ts';
import { findSeenNode, type SeenInstance } from './observation.ts';
import type { UpdateTurn } from './progress.ts';
import type { HeldPod, UpdateAction } from './update-plan.ts';
import type { Drain, UpdateFailure, UpdateRecord } from './update-record.ts';

/** The next step of several nodes on their way out. */
export type NodeDrains = {
  readonly drains: Readonly<Record<string, Drain>>;
  readonly actions: readonly UpdateAction[];
  readonly held: readonly HeldPod[];
  readonly next?: Instant;
  /** Pods were left on a node when its time was over. */
  readonly stuck?: UpdateFailure;
};

/**
 * Sets nodes apart, empties and ends them. So many as are surplus take their place in the group along.
 * @param instances all that are on their way out: what is known of others is forgotten
 */
export function drainNodes(
  record: UpdateRecord,
  instances: readonly SeenInstance[],
  turn: UpdateTurn,
  { atLimit, surplus }: Pick<DrainOptions, 'atLimit'> & { readonly surplus: number },
): NodeDrains {
  const marks = instances.flatMap((instance): readonly UpdateAction[] => {
    const node = findSeenNode(turn.seen, instance);
    return node === undefined || node.marked ? [] : [{ kind: 'mark', node: node.name }];
  });
  if (marks.length > 0) return { drains: keptDrains(record, instances), actions: marks, held: [], next: turn.now };
  const drains: Record<string, Drain> = {};
  const steps = instances.map((instance, at) => {
    const drain = readOwn(record.drains, instance.id) ?? { since: turn.now };
    const step = drainStep(instance, drain, turn, { atLimit, decrement: at < surplus });
    writeOwn(drains, instance.id, step.drain);
    return { ...step, instance };
  });
  const stuck = steps.find((step) => step.stuck !== undefined);
  const next = earliest(...steps.map((step) => step.next));
  return {
    drains,
    actions: steps.flatMap(({ actions }) => actions),
    held: steps.flatMap(({ held }) => held),
    ...(next === undefined ? {} : { next }),
    ...(stuck === undefined ? {} : { stuck: evictionFailure(stuck.instance, turn) }),
  };
}

const keptDrains = ({ drains }: UpdateRecord, instances: readonly SeenInstance[]): NodeDrains['drains'] =>
  Object.fromEntries(Object.entries(drains).filter(([id]) => instances.some((instance) => instance.id === id)));

const evictionFailure = (instance: SeenInstance, { seen }: UpdateTurn): UpdateFailure => ({
  code: 'PodEvictionFailure',
  message: 'pods were still on the node when its time to drain was over',
  resourceIds: [findSeenNode(seen, instance)?.name ?? instance.id],
});
