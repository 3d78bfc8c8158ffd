import {
  conditionOf,
  type DisruptionPause,
  type Instant,
  karpenterLabels,
  type NodeClaim,
  type NodePool,
  type NodeRollout,
  type NodeRolloutPolicy,
  selectableLabels,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import type { RolloutObjects } from '@nodewright/operator';
import { listRolloutCommands } from '../rollouts/rollout-commands.ts';
import { seatWords } from '../rollouts/rollout-words.ts';
import { printedAge } from '../rows/printed-age.ts';
import {
  assignPolicies,
  governablePool,
  currentRollout,
  findPause,
  governedId,
  hasEnded,
  printDrainKeeper,
  printPause,
} from '@nodewright/engine';

/** What policies, rollouts and pauses say of a node: a line each, the gates in the order in which they are asked. */
export function describeRolloutOfNode(
  claim: NodeClaim,
  {
    nodePools,
    nodeName,
    now,
  }: { readonly nodePools: readonly NodePool[]; readonly nodeName: string; readonly now: Instant },
  objects: RolloutObjects,
): readonly string[] {
  const pool = nodePools.find(({ metadata }) => metadata.name === claim.metadata.labels?.[karpenterLabels.nodePool]);
  if (pool === undefined) return [];
  const pauses = describePauses(pool, objects.pauses, now);
  const policy = policyOfPool(pool, nodePools, objects.policies);
  if (policy === undefined) return pauses;
  const rollouts = objects.rollouts.filter(({ spec }) => spec.policy === policy.metadata.name);
  const current =
    currentRollout({ rollouts }) ?? rollouts.toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))[0];
  return [
    `NodeRolloutPolicy ${policy.metadata.name} decides when it gets another image`,
    ...(current === undefined ? [] : describeStanding(current)),
    ...(current === undefined ? [] : describeNodeIn(current, { claim, nodeName })),
    ...describeAdmission(policy, [nodeName, claim.metadata.name]),
    ...pauses,
  ];
}

const pausedReasons = ['Drifted', 'Empty', 'Underutilized', 'Expired'] as const;

function describePauses(pool: NodePool, pauses: readonly DisruptionPause[], now: Instant): readonly string[] {
  const object = { kind: 'NodePool' as const, labels: selectableLabels(pool) };
  const holding = pausedReasons.flatMap((reason) => {
    const pause = findPause(pauses, object, reason, now);
    return pause === undefined ? [] : [{ reason, pause }];
  });
  return [...new Set(holding.map(({ pause }) => pause))].map((pause) => {
    const reasons = holding.filter((each) => each.pause === pause).map(({ reason }) => reason);
    const what = reasons.length === pausedReasons.length ? 'everything voluntary' : reasons.join(', ');
    const end = pause.spec.until === undefined ? 'until it is resumed' : `until ${pause.spec.until}`;
    return `${printPause(pause)}: it pauses ${what} ${end}`;
  });
}

function policyOfPool(
  pool: NodePool,
  pools: readonly NodePool[],
  policies: readonly NodeRolloutPolicy[],
): NodeRolloutPolicy | undefined {
  const { policyOf } = assignPolicies(policies, pools.map(governablePool));
  const name = policyOf.get(governedId({ kind: 'NodePool', name: pool.metadata.name }));
  return policies.find(({ metadata }) => metadata.name === name);
}

function describeStanding(rollout: NodeRollout): readonly string[] {
  const { metadata, status = {} } = rollout;
  const { state = 'Pending', wave, halted, updated = 0, total = 0 } = status;
  const where = wave === undefined || hasEnded(rollout) ? state : `${state} in wave ${wave}`;
  const waits = ['WaitingForApproval', 'Paused', 'WaitingForWindow', 'Stalled'].flatMap((type) => {
    const condition = conditionOf(rollout, type);
    const isWaiting = condition?.status === 'True' && halted === undefined && !hasEnded(rollout);
    return isWaiting && condition.message !== undefined
      ? [`${metadata.name} waits since ${condition.lastTransitionTime}: ${condition.message}`]
      : [];
  });
  const needed = listRolloutCommands(rollout).filter(({ isNeeded }) => isNeeded);
  return [
    `rollout ${metadata.name} is ${where}: ${updated} of ${total} nodes updated`,
    ...(halted === undefined ? [] : [`${metadata.name} halted at ${halted.at}: ${halted.message}`]),
    ...waits,
    ...needed.map(({ purpose, command }) => `${purpose}: ${command}`),
  ];
}

function describeNodeIn(
  { metadata, status = {} }: NodeRollout,
  { claim, nodeName }: { readonly claim: NodeClaim; readonly nodeName: string },
): readonly string[] {
  const names = new Set([nodeName, claim.metadata.name]);
  const failures = (status.failures ?? []).filter(({ node }) => names.has(node));
  const seat = (status.seats ?? []).find(({ member }) => member !== undefined && names.has(member));
  const parked = (status.parked ?? []).filter(({ node }) => names.has(node));
  return [
    ...(seat === undefined || failures.length > 0
      ? []
      : [
          `it sits in seat ${seat.seat} of wave ${status.wave ?? '-'}: ${seatWords(seat)}${seat.soakedSeconds === 0 ? '' : `, after ${printedAge(seat.soakedSeconds)} before`}`,
        ]),
    ...failures.map(({ signal, evidence, at }) => `it failed for ${metadata.name} at ${at}, ${signal}: ${evidence}`),
    ...parked.map((entry) => `it is parked since ${entry.since}: ${printDrainKeeper(entry)}`),
  ];
}

/** @param names of the Node and of its NodeClaim: nodes of pools are let go by the latter */
const describeAdmission = ({ status }: NodeRolloutPolicy, names: readonly string[]): readonly string[] =>
  (status?.admitted ?? [])
    .filter(({ node }) => names.includes(node))
    .map(
      ({ reason, at, rollout }) =>
        `it was let go at ${at}: ${reason}${rollout === undefined ? '' : `, for ${rollout}`}`,
    );
