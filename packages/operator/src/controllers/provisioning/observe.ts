import {
  conditionOf,
  isConditionTrue,
  type EC2NodeClass,
  type Instant,
  type Namespace,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  type TopologySpreadConstraint,
} from '@nodewright/apis';
import {
  isProvisionable,
  type DefaultSpreadConstraint,
  type InstanceType,
  type NodeState,
  type PoolSupply,
  type AttachedVolume,
} from '@nodewright/engine';
import { type Requirements, selectBootImage } from '@nodewright/requirements';
import { CloudError, type InstanceTypePort } from '@nodewright/ports';
import { type ClosedImage, listClosedImages } from '../../state/closed-images.ts';
import { largestOf } from '../../state/largest-of.ts';
import { unitsOfBuffers } from '../../state/buffer-units.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import { defaultSpreadsOf } from '../../state/default-spreads.ts';
import { storedCommands } from '../../state/disruption-command.ts';
import { futileRecordsOn, type FutileRecord } from '../../state/futile-launches.ts';
import { ignorePoolStatus } from '../../state/ignore-pool-status.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { attachedVolumesOf, volumeFactsOf, volumeRequirementsOf } from '../../state/volume-facts.ts';
import { launchedNodes, type LaunchedNode } from './launched-nodes.ts';
import { podsOfLateLaunches, withoutPods } from './late-launches.ts';
import { validatedPods, type IgnoredPod } from './pending-pods.ts';
import { schedulingClassOf } from './scheduling-class.ts';

/** What one scheduling round decides on. */
export type RoundSnapshot = {
  readonly supplies: readonly PoolSupply[];
  readonly notReady: readonly NodePool[];
  /** Pools whose instance types could not be listed: passed over in this round. */
  readonly failed: readonly { readonly nodePool: NodePool; readonly error: CloudError }[];
  /** Pools that no overlay was held against yet: passed over in this round. */
  readonly unevaluated: readonly NodePool[];
  /** Pools that have only images whose machines do not join: passed over for a while. */
  readonly closed: readonly ClosedPool[];
  /** Nodes that stay. */
  readonly nodes: readonly NodeState[];
  /** What is being launched for others, and takes its time: as much as it may come to have, without room for pods. */
  readonly launching: readonly NodeState[];
  readonly leavingNodes: readonly NodeState[];
  /** UIDs of pods that get their place from a launch that takes its time. None of them is `pending`; they may be on leaving nodes. */
  readonly promisedPods: ReadonlySet<string>;
  readonly pending: readonly Pod[];
  /** Units of capacity buffers. They need room like pending pods, and are no more than thought of. */
  readonly virtualPods: readonly Pod[];
  /** Pods that wait and cannot be considered. */
  readonly ignored: readonly IgnoredPod[];
  /** What volumes ask, of every pod that uses claims. */
  readonly volumeRequirements: ReadonlyMap<string, readonly Requirements[]>;
  readonly attachedVolumes: ReadonlyMap<string, readonly AttachedVolume[]>;
  /** How pods that state no spread of their own are spread; of every pod that may need a place. */
  readonly defaultSpread: ReadonlyMap<string, readonly TopologySpreadConstraint[]>;
  readonly daemonPods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** Nodes that were launched for certain pods; not looked for while no pod waits and nothing was launched in vain. */
  readonly launched: readonly LaunchedNode[];
  /** Nodes that were launched in vain, by the NodePool that the judgement is stored on. */
  readonly futile: ReadonlyMap<string, readonly FutileRecord[]>;
  /** Names of all NodePools. */
  readonly poolNames: ReadonlySet<string>;
  /** `metadata.generation` by the name of the NodeClass. */
  readonly nodeClassGenerations: ReadonlyMap<string, number>;
  /** How much work the decision may do, in units of the engine's `WorkMeter` [no limit]. */
  readonly workLimit?: number;
};

/** Why nothing is launched from a pool: machines of its images do not become nodes. */
export type ClosedPool = { readonly nodePool: NodePool; readonly why: string };

export type RoundSources = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly instanceTypes: Pick<InstanceTypePort, 'list'>;
  readonly overlays: OverlaidTypes;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
};

/**
 * Nodes before pods: a pod that is bound in between is then counted nowhere, so at worst the round
 * launches too little and the next one repairs it. The other order would launch nodes without a need.
 */
export async function observeRound(sources: RoundSources, now: Instant, signal: AbortSignal): Promise<RoundSnapshot> {
  const { objects, state } = sources;
  const late = state.launches.late(now);
  const [nodes, leavingNodes] = [state.stayingNodes(), state.leavingNodes()];
  const volumes = volumeFactsOf(objects);
  const virtualPods = unitsOfBuffers(objects);
  // Pods of any node may have to move; of a hundred thousand pods few have volumes.
  const withVolumes = [...objects.pods.by('volumes', 'claimed'), ...virtualPods];
  const volumeRequirements = volumeRequirementsOf(withVolumes, volumes);
  const waiting = objects.pods.by('node', '').filter(isProvisionable);
  const promised = podsOfLateLaunches({ late, commands: storedCommands(objects) }, { waiting, leavingNodes }, (pod) =>
    schedulingClassOf(pod, volumeRequirements),
  );
  const { pending, ignored } = validatedPods(withoutPods(waiting, promised), volumes);
  const futile = futileRecords(objects.nodePools.list());
  const pools = objects.nodePools.list().filter(isEligible);
  const supplied = await suppliesOf(sources, { pools: pools.filter(isReadyPool), now }, signal);
  return {
    nodes,
    leavingNodes,
    promisedPods: promised,
    pending,
    virtualPods,
    ignored,
    volumeRequirements,
    attachedVolumes: attachedVolumesOf(withVolumes, volumes),
    defaultSpread: defaultSpreadsOf(objects, virtualPods, sources.defaultSpread),
    daemonPods: state.daemonPods(),
    namespaces: objects.namespaces.list(),
    notReady: pools.filter((pool) => !isReadyPool(pool)),
    budgets: objects.podDisruptionBudgets.list(),
    launching: late.map((claim) => largestOf(claim, supplied.supplies)),
    // They matter to pods that wait, and to judgements that stand.
    launched:
      pending.length + futile.size === 0 ? [] : launchedNodes(objects.nodeClaims.list(), [...nodes, ...leavingNodes]),
    futile,
    poolNames: new Set(objects.nodePools.list().map(({ metadata }) => metadata.name)),
    nodeClassGenerations: new Map(
      objects.nodeClasses.list().map(({ metadata }) => [metadata.name, metadata.generation ?? 0]),
    ),
    ...supplied,
  };
}

const futileRecords = (pools: readonly NodePool[]): RoundSnapshot['futile'] =>
  new Map(
    pools
      .map((pool) => [pool.metadata.name, futileRecordsOn(pool)] as const)
      .filter(([, records]) => records.length > 0),
  );

const isEligible = ({ metadata, spec }: NodePool): boolean =>
  metadata.deletionTimestamp === undefined &&
  spec.replicas === undefined &&
  isManagedNodeClass(spec.template.spec.nodeClassRef);

/** Whether nodes may be launched from what the pool says now. */
export const isReadyPool = (pool: NodePool): boolean =>
  isConditionTrue(pool, 'Ready') && conditionOf(pool, 'Ready')?.observedGeneration === pool.metadata.generation;

const withoutClass = ({ spec }: NodePool): CloudError =>
  new CloudError(`EC2NodeClass ${spec.template.spec.nodeClassRef.name} is not there`, {
    code: 'NodeClassNotFound',
    retry: 'afterSpecChange',
  });

/** What can be launched from each of the pools, and the pools for which that cannot be found out now. */
export async function suppliesOf(
  { objects, instanceTypes, overlays }: Pick<RoundSources, 'objects' | 'instanceTypes' | 'overlays'>,
  { pools, now }: { readonly pools: readonly NodePool[]; readonly now: Instant },
  signal: AbortSignal,
): Promise<Pick<RoundSnapshot, 'supplies' | 'failed' | 'unevaluated' | 'closed'>> {
  const closed: ClosedPool[] = [];
  const supplies: PoolSupply[] = [];
  const unevaluated: NodePool[] = [];
  const failed: RoundSnapshot['failed'][number][] = [];
  for (const nodePool of pools) {
    const nodeClass = objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name);
    if (nodeClass === undefined) {
      failed.push({ nodePool, error: withoutClass(nodePool) });
      continue;
    }
    try {
      const types = overlays.of(nodePool, await instanceTypes.list(nodeClass, signal));
      if (types === undefined) {
        unevaluated.push(nodePool);
        continue;
      }
      const open = openTypes(types, { nodeClass, closed: listClosedImages(objects, nodePool, now) });
      if (open.kind === 'closed') closed.push({ nodePool, why: open.why });
      else supplies.push({ nodePool: ignorePoolStatus(nodePool), instanceTypes: open.types });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      failed.push({ nodePool, error }); // one pool's trouble must not keep pods from the others
    }
  }
  return { supplies, failed, unevaluated, closed };
}

type OpenTypes =
  | { readonly kind: 'open'; readonly types: readonly InstanceType[] }
  | { readonly kind: 'closed'; readonly why: string };

/** The instance types without those whose image does not join. The same list where nothing is held against an image. */
function openTypes(
  types: readonly InstanceType[],
  { nodeClass, closed }: { readonly nodeClass: EC2NodeClass; readonly closed: readonly ClosedImage[] },
): OpenTypes {
  if (closed.length === 0) return { kind: 'open', types };
  const images = nodeClass.status?.amis ?? [];
  const closedIds = new Set(closed.map(({ image }) => image));
  const open = types.filter((type) => !closedIds.has(selectBootImage(type, images)?.id ?? ''));
  if (open.length > 0 || types.length === 0) return { kind: 'open', types: open };
  return { kind: 'closed', why: closed.map(({ why }) => why).join('; ') };
}
