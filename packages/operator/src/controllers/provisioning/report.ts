import {
  byTextOf,
  formatDuration,
  minutes,
  nodePools,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@nodewright/apis';
import {
  nodeNameOf,
  podName,
  toResourceList,
  whyUseless,
  type NewNode,
  type NodeState,
  type SchedulingOptions,
} from '@nodewright/engine';
import type { MinValuesShortfall } from '@nodewright/requirements';
import type { EventReport } from '@nodewright/runtime';
import { aboutPod } from '../../reporting/pod-events.ts';
import { counterEntry, eventEntries, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import type { FutileRecord } from '../../state/futile-launches.ts';
import type { RoundSnapshot } from './observe.ts';
import type { IgnoredPod } from './pending-pods.ts';
import type { RoundPlan, UnplacedPod } from './plan.ts';
import { reportPreferences } from './preferences-report.ts';

/** One round: what it saw, and what it decided. */
export type ReportedRound = {
  readonly seen: RoundSnapshot;
  readonly plan: RoundPlan;
  readonly options: SchedulingOptions;
  /** Pods with preferences that were not reported yet. */
  readonly untold: readonly Pod[];
  /** From the end of the batch until the decision. */
  readonly tookMs: number;
};

/** Everything that is known once a round is decided, before anything is created: it is reported even when a claim cannot be created. */
export const reportRound = (round: ReportedRound): readonly ReportEntry[] => [
  ...reportIgnored(round.seen.ignored),
  ...reportPreferences(round.untold),
  ...reportPassedOver(round.seen),
  ...reportUselessPools(round),
  ...(round.plan.hasPools ? reportDecision(round) : reportNoPools(round)),
];

/** Pods that ask for what no node can be. Pods that ask for nodes of others are only counted. */
function reportIgnored(ignored: readonly IgnoredPod[]): readonly ReportEntry[] {
  return [
    counterEntry('podsIgnored', ignored.length),
    ...ignored.flatMap(({ pod, complaint }) =>
      complaint.kind === 'notOurs'
        ? []
        : [
            logEntry('debug', 'ignoring pod', { Pod: podReference(pod), error: complaint.message }),
            eventEntry(failedScheduling(pod, { reasons: [complaint.message], signature: complaint.message })),
          ],
    ),
  ];
}

/** How logs name an object with a namespace. */
const podReference = ({ metadata }: Pod) => ({ namespace: metadata.namespace ?? 'default', name: metadata.name });

const poolReference = ({ metadata }: NodePool) => ({ NodePool: { name: metadata.name } });

const reportPassedOver = ({ notReady, failed, unevaluated, closed }: RoundSnapshot): readonly ReportEntry[] => [
  ...notReady.map((pool) => logEntry('error', 'ignoring nodepool, not ready', poolReference(pool))),
  ...failed.map(({ nodePool, error }) =>
    logEntry('error', 'skipping, unable to resolve instance types', { ...poolReference(nodePool), error }),
  ),
  ...unevaluated.map((pool) => logEntry('debug', 'skipping, node overlays are not evaluated yet', poolReference(pool))),
  ...closed.map(({ nodePool, why }) =>
    logEntry('debug', 'skipping, machines of its images do not become nodes', {
      ...poolReference(nodePool),
      reason: why,
    }),
  ),
];

/** Pools that can give no pod a node, as long as there are pods that need one. */
function reportUselessPools({ seen: { supplies, pending }, options }: ReportedRound): readonly ReportEntry[] {
  if (pending.length === 0) return [];
  return supplies.flatMap((supply) => {
    const short = whyUseless(supply, options.minValuesPolicy);
    if (short === undefined) return [];
    const message =
      supply.instanceTypes.length > 0
        ? 'skipping, nodepool requirements filtered out all instance types'
        : 'skipping, no resolved instance types found';
    return [
      logEntry('info', message, {
        ...poolReference(supply.nodePool),
        ...(short.length > 0 && {
          minValues: short.map(({ key, wanted, found }) => `${key} has ${found} of ${wanted}`).join(', '),
        }),
      }),
      eventEntry(noCompatibleInstanceTypes(supply.nodePool, short)),
    ];
  });
}

const nothingCompatible = 'NodePool requirements filtered out all compatible available instance types';

/**
 * Programs match both messages word for word. The events of the pods say which count is not met.
 * @param short the minimum counts that its types do not meet; none when it has no types at all
 */
const noCompatibleInstanceTypes = (pool: NodePool, short: readonly MinValuesShortfall[]): EventReport => ({
  kind: nodePools,
  about: pool,
  type: 'Warning',
  reason: 'NoCompatibleInstanceTypes',
  message: short.length === 0 ? nothingCompatible : `${nothingCompatible} due to minValues incompatibility`,
  dedupe: [pool.metadata.uid ?? pool.metadata.name],
  windowMs: minutes(1),
});

/** Nothing is launched from any pool. */
const reportNoPools = ({ plan }: ReportedRound): readonly ReportEntry[] => [
  logEntry('info', 'no dynamic nodepools found'),
  ...reportUnplaced(plan.unschedulable),
];

function reportDecision({ plan, tookMs }: ReportedRound): readonly ReportEntry[] {
  return [
    ...(plan.create.length > 0 ? reportFound(plan, tookMs) : []),
    ...[...plan.nominate, ...plan.waiting].flatMap(({ node, pods }) => reportNominations(pods, nodeReference(node))),
    counterEntry('roundSolved', 'provisioner', tookMs),
    counterEntry('podsPendingByZone', 'provisioner', plan.zones),
    counterEntry('podsUnschedulable', 'provisioner', plan.unschedulable.length),
    ...plan.deferred.map((pod) =>
      logEntry('debug', 'deferring pod until reserved capacity is known', { Pod: podReference(pod) }),
    ),
    ...reportUnplaced(plan.unschedulable),
  ];
}

function reportFound({ create, nominate, pods }: RoundPlan, tookMs: number): readonly ReportEntry[] {
  const placed = create.flatMap(({ newNode }) => newNode.pods);
  return [
    logEntry('info', 'found provisionable pod(s)', {
      Pods: printSomeNames(placed.map(podName).toSorted()),
      duration: formatDuration(tookMs),
    }),
    logEntry('info', 'computed new nodeclaim(s) to fit pod(s)', { nodeclaims: create.length, pods: placed.length }),
    ...(nominate.length === 0
      ? []
      : [
          logEntry('info', 'computed unready node(s) will fit pod(s)', {
            nodes: nominate.length,
            pods: pods - placed.length,
          }),
        ]),
  ];
}

/** `nodeclaim/default-abcde, node/ip-10-0-1-7`: the parts of a node that exist. */
const nodeReference = (state: NodeState): string =>
  [
    ...(state.nodeClaim === undefined ? [] : [`nodeclaim/${state.nodeClaim.metadata.name}`]),
    ...(state.node === undefined ? [] : [`node/${nodeNameOf(state)}`]),
  ].join(', ');

/** A thousand pods that wait at once must not bury the API server in events. */
export const reportNominations = (pods: readonly Pod[], target: string): readonly ReportEntry[] =>
  eventEntries(
    pods.map((pod) => ({
      ...aboutPod(pod, { type: 'Normal', reason: 'Nominated', message: `Pod should schedule on: ${target}` }),
      rate: { perSecond: 5, burst: 10 },
    })),
  );

/** Every pod without a place gets an event with the reason. The log has one line for all pods with the same reason. */
function reportUnplaced(unplaced: readonly UnplacedPod[]): readonly ReportEntry[] {
  return [
    ...eventEntries(unplaced.map(({ pod, reasons, signature }) => failedScheduling(pod, { reasons, signature }))),
    ...[...podsByReason(unplaced)].flatMap(([error, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            logEntry('error', 'could not schedule pod', {
              Pod: podReference(first),
              error,
              ...(others.length > 0 && { pods: others.length + 1 }),
            }),
          ],
    ),
  ];
}

/** Sorted by name, so that the first one is the same in every round. */
function podsByReason(unplaced: readonly UnplacedPod[]): ReadonlyMap<string, readonly Pod[]> {
  const byReason = new Map<string, Pod[]>();
  for (const { pod, because } of unplaced.toSorted(byTextOf(({ pod }) => podName(pod)))) {
    const pods = byReason.get(because);
    if (pods === undefined) byReason.set(because, [pod]);
    else pods.push(pod);
  }
  return byReason;
}

/** What stands against a pod: a line for each thing, and a text that is another when other things do. */
type PodRefusal = { readonly reasons: readonly string[]; readonly signature: string };

/** Told once in five minutes as long as the same stands against the pod, and at once when that changes. */
function failedScheduling(pod: Pod, { reasons, signature }: PodRefusal): EventReport {
  const message = `Failed to schedule pod, ${shortenReasons(reasons, pod)}`;
  return {
    ...aboutPod(pod, { type: 'Warning', reason: 'FailedScheduling', message }),
    dedupe: [pod.metadata.uid ?? '', signature],
    windowMs: minutes(5),
  };
}

/** Events are read in a terminal, between others. */
const mostLetters = 1_000;

/** As many reasons as there is room for, the first in any case. */
function shortenReasons(reasons: readonly string[], { metadata }: Pod): string {
  let shown = reasons.length;
  while (shown > 1 && reasons.slice(0, shown).join('. ').length > mostLetters) shown -= 1;
  const more = `and more: nodewright explain pod ${metadata.namespace ?? 'default'}/${metadata.name} tells all`;
  return [...reasons.slice(0, shown), ...(shown < reasons.length ? [more] : [])].join('. ');
}

/** The gauges of a round that is performed now. @param id of the round */
export const reportRoundAtWork = (id: string, pods: number, sinceMs: number): readonly ReportEntry[] => [
  counterEntry('roundAtWork', { controller: 'provisioner', id }, pods, sinceMs),
];

export const reportRoundEnd = (id: string): readonly ReportEntry[] => [
  counterEntry('roundEnded', { controller: 'provisioner', id }),
];

/** @param waitedMs of each pod that was decided on for the first time */
export const reportFirstDecisions = (waitedMs: readonly number[]): readonly ReportEntry[] =>
  waitedMs.map((ms) => counterEntry('podDecided', ms));

/** @param reason why the claim was created: `provisioned`, or the reason of a disruption in lower case */
export const reportClaimCreation = (
  created: Pick<NewNode, 'nodePool' | 'requests' | 'instanceTypes'> & { readonly claim: NodeClaim },
  reason: string,
): readonly ReportEntry[] => [
  logEntry('info', 'created nodeclaim', {
    ...poolReference(created.nodePool),
    NodeClaim: { name: created.claim.metadata.name },
    requests: toResourceList(created.requests),
    'instance-types': printSomeNames(created.instanceTypes.map(({ name }) => name)),
  }),
  counterEntry('claimCreated', created.claim, reason),
];

/** The round ended at its limit of work. */
export const reportUnreached = (unreached: number): readonly ReportEntry[] => [
  logEntry('info', 'launching what is found so far, others follow', { pods: unreached }),
];

/** Launches that do not come about hold up pods. */
export const reportLateLaunches = (claims: readonly NodeClaim[], lateMs: number): readonly ReportEntry[] => [
  logEntry('error', 'pods wait for nodeclaims that are not launched', {
    NodeClaims: printSomeNames(claims.map(({ metadata }) => metadata.name)),
    duration: formatDuration(lateMs),
  }),
];

/** Nodes that were launched in vain, without those that the NodePool had noted before. */
export const reportFutileLaunches = (nodePool: string, records: readonly FutileRecord[]): readonly ReportEntry[] =>
  records.map(({ node, why, attempts }) =>
    logEntry('info', 'pods do not bind to the node that was launched for them, launching no more for such pods', {
      NodePool: { name: nodePool },
      Node: { name: node },
      attempts,
      reason: why,
    }),
  );

/** Writes that another writer kept from succeeding. The next round makes them again. */
export const reportUnstoredFutility = (nodePool: string, error: unknown): readonly ReportEntry[] => [
  logEntry('debug', 'could not store which nodes were launched in vain', { NodePool: { name: nodePool }, error }),
];

export const reportUnnotedShortage = (nodeClass: string, error: unknown): readonly ReportEntry[] => [
  logEntry('debug', 'could not write down what is out of capacity', { EC2NodeClass: { name: nodeClass }, error }),
];

export const reportUntoldBuffer = (buffer: string, error: unknown): readonly ReportEntry[] => [
  logEntry('debug', 'could not tell a capacity buffer', { CapacityBuffer: buffer, error }),
];
