import {
  awsAnnotations,
  ec2NodeClasses,
  fromTimestamp,
  type Instant,
  instant,
  karpenterAnnotations,
  nodePools,
  readOwn,
  type ResourceType,
} from '@nodewright/apis';
import type { OperatorSettings } from '@nodewright/operator';
import type { ApiObject } from '@nodewright/kube-api';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ForecastWorld, type ForecastWorldOptions, restoreWorld } from '../world/forecast-world.ts';
import { type ForecastChange, makeChange } from './forecast-change.ts';
import { findBlockers } from './find-blockers.ts';
import { readGroupOutcomes } from './read-group-outcomes.ts';
import { isLeft, type RunGroup, type RunNode, type RunRecord } from './run-record.ts';
import { type Price, RunWatch } from './watch-run.ts';

export type ForecastQuestion = {
  readonly snapshot: Snapshot;
  readonly change: ForecastChange;
  /** When the change is made [at the instant of the snapshot]. */
  readonly at?: Instant;
  /** How long the cluster is followed from then on. */
  readonly forMs: number;
  readonly settings?: Partial<OperatorSettings>;
  readonly reservedCapacity?: boolean;
  /** Opens the world that is followed [that of the snapshot]. */
  readonly open?: (options: ForecastWorldOptions) => Promise<ForecastWorld>;
};

/** Runs the controllers on the snapshot with the chances of one seed. */
export async function runForecast(question: ForecastQuestion, seed: number): Promise<RunRecord> {
  const { snapshot, change, forMs } = question;
  const start = fromTimestamp(snapshot.takenAt);
  const at = question.at === undefined || question.at < start ? start : question.at;
  const until = instant(at + forMs);
  let world: ForecastWorld | undefined;
  const now = (): Instant => world?.time.clock.now() ?? start;
  const groupOf = (instanceId: string): string | undefined => findGroupInSnapshot(snapshot, world, instanceId);
  const watch = new RunWatch({ now, groupOf, priceOf: pricesOf(snapshot) });
  for (const [collection, objects] of Object.entries(snapshot.kubernetes))
    for (const object of objects) watch.see({ type: 'ADDED', collection, object: object as unknown as ApiObject });
  watch.begin();
  const { open = (options) => restoreWorld(snapshot, options) } = question;
  world = await open({ ...question, seed, onWrite: (write) => watch.see(write) });
  try {
    const before = await hashesIn(world);
    if (at > start) {
      await world.start();
      await world.time.run(at);
    }
    await makeChange(world, change);
    if (at === start) await world.start();
    await world.time.run(until);
    const results = watch.results();
    const groups = await readGroupOutcomes(world);
    const blockers = results.nodes.some(isLeft) ? await findBlockers(world) : new Map<string, string>();
    const nodes = withBlockers(results.nodes, blockers, groups);
    return { ...results, nodes, groups, at, until, hashes: await comparedHashes(world, before) };
  } finally {
    await world.stop();
  }
}

/** The managed group that owns the Auto Scaling group of the instance, or that group itself. */
function findGroupInSnapshot(
  { aws: { managedGroups = [], scalingGroups = [] } }: Snapshot,
  world: ForecastWorld | undefined,
  instanceId: string,
): string | undefined {
  const holds = ({ instances }: { readonly instances: readonly { readonly id: string }[] }): boolean =>
    instances.some(({ id }) => id === instanceId);
  const name = (world?.aws.autoScaling.all().find(holds) ?? scalingGroups.find(holds))?.name;
  return managedGroups.find(({ scalingGroup }) => name !== undefined && scalingGroup === name)?.name ?? name;
}

const withBlockers = (
  nodes: readonly RunNode[],
  blockers: ReadonlyMap<string, string>,
  groups: readonly RunGroup[],
): readonly RunNode[] =>
  nodes.map((node) => {
    const ofGroup = isLeft(node) ? groups.find(({ group }) => group === node.nodeGroup)?.reason : undefined;
    const heldBy = blockers.get(node.claim) ?? ofGroup;
    return heldBy === undefined ? node : { ...node, heldBy };
  });

const hashAnnotations: readonly { readonly type: ResourceType; readonly annotation: string }[] = [
  { type: nodePools, annotation: karpenterAnnotations.nodePoolHash },
  { type: ec2NodeClasses, annotation: awsAnnotations.ec2NodeClassHash },
];

async function hashesIn({ admin, time }: ForecastWorld): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { type, annotation } of hashAnnotations) {
    const { items } = await time.finish(admin.list(type));
    for (const { metadata } of items)
      found.set(`${type.kind} ${metadata.name}`, readOwn(metadata.annotations, annotation) ?? '');
  }
  return found;
}

async function comparedHashes(world: ForecastWorld, before: ReadonlyMap<string, string>): Promise<RunRecord['hashes']> {
  const after = await hashesIn(world);
  return [...before].map(([about, hash]) => ({ about, before: hash, after: after.get(about) ?? '' }));
}

/** What a node costs, by the prices of the snapshot. */
function pricesOf({ aws }: Snapshot): (node: Pick<RunNode, 'instanceType' | 'zone' | 'capacityType'>) => Price {
  const types = new Map(aws.types.map((type) => [type.name, type]));
  return ({ instanceType = '', zone, capacityType }) => {
    const type = types.get(instanceType);
    const offering = type?.offerings.find((each) => each.zone === zone && each.capacityType === capacityType);
    return { vcpus: type?.vcpus ?? 0, microUsdPerHour: offering?.priceMicroUsdPerHour ?? 0 };
  };
}
