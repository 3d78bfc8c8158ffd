import { type Instant, readOwn } from '@nodewright/apis';
import type { UpdateLimits } from './limits.ts';
import { liveInstances, findSeenNode, type Observation, type SeenInstance } from './observation.ts';
import type { UpdateRecord } from './update-record.ts';

/** What every phase decides on. */
export type UpdateTurn = {
  readonly seen: Observation;
  readonly now: Instant;
  readonly limits: UpdateLimits;
  readonly chance: Chance;
  /** Since when the host has been at work: before that no pod was asked to leave. */
  readonly since?: Instant;
  /** The nodes that may be replaced now, where an update is about some nodes only; absent: all of them. */
  readonly letGo?: ReadonlySet<string>;
  /** Processes that stay suspended when some nodes are replaced, because others follow [none]. */
  readonly keptSuspended?: readonly string[];
};

/** A seeded source: a whole number from 0 up to `below`, exclusive. */
export type Chance = { integer(below: number): number };

export const oldInstances = (record: UpdateRecord, seen: Observation): readonly SeenInstance[] =>
  liveInstances(seen).filter(({ configuration }) => configuration !== record.target.configuration);

export const newInstances = (record: UpdateRecord, seen: Observation): readonly SeenInstance[] =>
  liveInstances(seen).filter(({ configuration }) => configuration === record.target.configuration);

/** New instances with a node that is ready, labelled as the target says, and past its start. */
export const joinedInstances = (record: UpdateRecord, seen: Observation): readonly SeenInstance[] =>
  newInstances(record, seen).filter((instance) => hasJoined(record, seen, instance));

export function hasJoined({ target }: UpdateRecord, seen: Observation, instance: SeenInstance): boolean {
  const node = findSeenNode(seen, instance);
  if (node === undefined || !node.ready || node.starting || instance.lifecycle !== 'InService') return false;
  return Object.entries(target.labels).every(([key, value]) => readOwn(node.labels, key) === value);
}

/** What is said of new instances that did not join in time. */
export const notJoined = (record: UpdateRecord, seen: Observation) => ({
  code: 'NodeCreationFailure' as const,
  message: 'Instances failed to join the kubernetes cluster within the time limit',
  resourceIds: newInstances(record, seen)
    .filter((instance) => !hasJoined(record, seen, instance))
    .map(({ id }) => id),
});

/** Nodes of a batch, in words: `1 node`, `3 nodes`. */
export const printCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
