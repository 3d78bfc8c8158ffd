import {
  fromTimestamp,
  instant,
  toTimestamp,
  type FinishedUpdate,
  type Instant,
  type NodeGroupUpdate,
  minutes,
  seconds,
} from '@nodewright/apis';
import type { SeenUpdate } from '@nodewright/ports';
import { updateConfigOfGroup } from './gate.ts';
import { heldEvictions } from './held-evictions.ts';
import type { NodeGroupAction, NodeGroupPlan } from './node-group-plan.ts';
import { beginningReports } from './beginning-reports.ts';
import { failureWords } from './failure-words.ts';
import * as reports from './report.ts';
import { comeBack } from './reversal.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';
import { newUpdate, withStanding } from './status.ts';
import { judgeUpdate } from './verdict.ts';
import { nodesToGo, goalOfImage } from './goal.ts';
import { planWaiting } from './waiting-plan.ts';

const watchEveryMs = seconds(20);
const soonRecheckMs = seconds(5);
const configureWithinMs = minutes(1);

/** A group of EKS: gated before the call, watched while EKS works, judged by the update object. */
export function planManaged(seen: NodeGroupSnapshot, now: Instant): NodeGroupPlan {
  const current = seen.nodeGroup.status?.update;
  if (current !== undefined) return continueManagedUpdate(seen, current, now);
  const others = managedUpdateUnderWay(seen);
  if (seen.keptBy === undefined && others !== undefined) return adopt(seen, others, now);
  const reverted = comeBack(seen);
  if (reverted.length > 0) return noteReversal(seen, reverted, now);
  const verdict = judgeUpdate(seen, now);
  return verdict.kind === 'go' ? beginManagedUpdate(seen, verdict.wanted, now) : planWaiting(seen, verdict, now);
}

function beginManagedUpdate(
  seen: NodeGroupSnapshot,
  wanted: Extract<WantedState, { kind: 'image' }>,
  now: Instant,
): NodeGroupPlan {
  const update = newUpdate(seen.nodeGroup, goalOfImage(wanted), now);
  const { action, reason } = nextCall(seen, update, now);
  return {
    ...standing(seen, { update, reason, now, served: true }),
    actions: [action],
    reports: beginningReports(seen, update.target),
    recheckAt: instant(now + soonRecheckMs),
  };
}

type ManagedCall = { readonly action: NodeGroupAction; readonly reason: string };

/** How nodes are replaced is set on the group before it is asked to replace them. */
function nextCall(seen: NodeGroupSnapshot, update: NodeGroupUpdate, now: Instant): ManagedCall {
  const config = isInTime(update, now) ? configChange(seen) : undefined;
  return config === undefined ? planManagedStart(seen, update) : configure(seen, config);
}

/** The controller stops repeating a call of which the service shows no effect. */
const isInTime = ({ startedAt }: NodeGroupUpdate, now: Instant): boolean =>
  now < fromTimestamp(startedAt) + configureWithinMs;

function planManagedStart(
  { nodeGroup, managed, kubernetesVersion, wanted }: NodeGroupSnapshot,
  update: NodeGroupUpdate,
): ManagedCall {
  const { template, imageKind } = managed ?? {};
  const target =
    imageKind === undefined && template !== undefined && wanted.kind === 'image'
      ? ({ kind: 'image', templateId: template.id, version: template.version, imageId: wanted.image.id } as const)
      : ({ kind: 'release', kubernetesVersion, release: update.target } as const);
  const action: NodeGroupAction = {
    kind: 'startUpdate',
    target,
    force: nodeGroup.spec.update?.force ?? false,
    token: clientTokenOf(identityOfUpdate(nodeGroup.metadata), `update-${update.number}-${update.target}`),
    because: `the group is not on ${update.target}`,
  };
  return { action, reason: `asks EKS for ${update.target}` };
}

const identityOfUpdate = ({ uid, name }: { readonly uid?: string; readonly name: string }): string => uid ?? name;
const clientTokenOf = (...parts: readonly string[]): string => parts.join('-').slice(0, 64);

/** What the NodeGroup asks for and the group has not; the strategy belongs to the group, not to the call. */
function configChange(seen: NodeGroupSnapshot) {
  const wanted = updateConfigOfGroup(seen);
  const { strategy = 'DEFAULT', maxUnavailable, maxUnavailablePercentage } = seen.managed?.updateConfig ?? {};
  const isSame =
    wanted.strategy === strategy &&
    wanted.maxUnavailablePercentage === maxUnavailablePercentage &&
    (wanted.maxUnavailable ?? 1) === (maxUnavailable ?? 1);
  return isSame ? undefined : wanted;
}

function configure(
  { nodeGroup: { metadata } }: NodeGroupSnapshot,
  config: ReturnType<typeof updateConfigOfGroup>,
): ManagedCall {
  const token = clientTokenOf(
    identityOfUpdate(metadata),
    `config-${metadata.generation ?? 0}-${JSON.stringify(config).length}`,
  );
  const because = 'how nodes are replaced is set on the group';
  return { action: { kind: 'configure', config, token, because }, reason: because };
}

function continueManagedUpdate(seen: NodeGroupSnapshot, current: NodeGroupUpdate, now: Instant): NodeGroupPlan {
  const { update } = seen;
  if (current.id === undefined) return ask(seen, current, now);
  if (update === undefined) return finishManagedUpdate(seen, current, vanished(current.id, now), now);
  return update.status === 'InProgress'
    ? watchManagedUpdate(seen, current, now)
    : finishManagedUpdate(seen, current, update, now);
}

/** The answer to the call was lost, or it was not made: the token makes both the same. */
function ask(seen: NodeGroupSnapshot, current: NodeGroupUpdate, now: Instant): NodeGroupPlan {
  const others = managedUpdateUnderWay(seen);
  const theirs = others?.params['ReleaseVersion'];
  if (others !== undefined && theirs !== undefined && theirs !== current.target) {
    return adopt(seen, others, now, { served: false });
  }
  if (seen.managed === undefined || !isUpdateFor(seen, current)) {
    const reason = `${current.target} is not wanted any more, and EKS was not asked for it`;
    return { ...standing(seen, { update: undefined, reason, now }), actions: [], reports: [], recheckAt: now };
  }
  const { action, reason } = nextCall(seen, current, now);
  return {
    ...standing(seen, { update: current, reason, now }),
    actions: [action],
    reports: [],
    recheckAt: instant(now + soonRecheckMs),
  };
}

const managedUpdateUnderWay = ({ update }: NodeGroupSnapshot): SeenUpdate | undefined =>
  update?.kind === 'VersionUpdate' && update.status === 'InProgress' ? update : undefined;

/** @param words.served false where the update that was asked for comes after it */
function adopt(
  seen: NodeGroupSnapshot,
  { id, params, createdAt }: SeenUpdate,
  now: Instant,
  words: { readonly served?: false } = {},
): NodeGroupPlan {
  const target = params['ReleaseVersion'] ?? params['LaunchTemplateVersion'] ?? 'unknown';
  const update = { ...newUpdate(seen.nodeGroup, target, createdAt), id };
  const reason = 'another client started the update';
  return {
    ...standing(seen, { update, reason, now, ...words }),
    actions: [],
    reports: [],
    recheckAt: instant(now + soonRecheckMs),
  };
}

/** EKS tells no more than that it works; how far it is, the nodes tell. */
function watchManagedUpdate(seen: NodeGroupSnapshot, current: NodeGroupUpdate, now: Instant): NodeGroupPlan {
  const outdated = nodesToGo(seen).length;
  const isNew = current.firstNewNodeAt === undefined && seen.nodes.length > outdated;
  const held = heldEvictions(seen, now);
  const update = {
    ...current,
    phase: phaseOf(seen, outdated),
    ...(isNew ? { firstNewNodeAt: toTimestamp(now) } : {}),
  };
  const reason = held.blockers[0]?.message ?? wordsFor(seen, current, outdated);
  const plan = standing(seen, { update, reason, now, blockedBy: held.blockers });
  return { ...plan, actions: [], reports: held.reports, recheckAt: instant(now + watchEveryMs) };
}

const isUpdateFor = ({ wanted }: NodeGroupSnapshot, { target }: NodeGroupUpdate): boolean =>
  wanted.kind === 'image' && goalOfImage(wanted) === target;

function wordsFor(seen: NodeGroupSnapshot, current: NodeGroupUpdate, outdated: number): string {
  const whose = isUpdateFor(seen, current) ? '' : `moves to ${current.target}, which is not what the NodeGroup names: `;
  if (outdated === 0) return `${whose}the group gets its size back`;
  return `${whose}${outdated} old ${outdated === 1 ? 'node' : 'nodes'} to go`;
}

function phaseOf({ scaling, nodes }: NodeGroupSnapshot, outdated: number): string {
  if (outdated === 0) return 'scaleDown';
  if (outdated === nodes.length) return scaling !== undefined && scaling.desired > nodes.length ? 'scaleUp' : 'setup';
  return 'upgrade';
}

function vanished(id: string, now: Instant): SeenUpdate {
  const errors = [{ code: 'Unknown', message: 'EKS does not know the update any more', resourceIds: [] }];
  return { id, kind: 'VersionUpdate', status: 'Failed', createdAt: now, params: {}, errors };
}

function finishManagedUpdate(
  seen: NodeGroupSnapshot,
  current: NodeGroupUpdate,
  update: SeenUpdate,
  now: Instant,
): NodeGroupPlan {
  const { nodeGroup } = seen;
  const finished = finishedManagedUpdate(current, withIssues(update, seen), now);
  const isDone = finished.outcome === 'Successful';
  const isWanted = isUpdateFor(seen, current);
  const done = isWanted ? 'every node is on the target' : `the update to ${current.target} is over`;
  const reason = isDone ? done : failureWords(finished);
  const phase = isDone ? (isWanted ? 'UpToDate' : 'Updating') : 'Failed';
  const after = withStanding(seen, { phase, reason, update: undefined, finished }, now);
  const report = isDone ? reports.updateSucceeded(nodeGroup, current.target) : reports.updateFailed(nodeGroup, reason);
  return { after, actions: [], reports: [report], recheckAt: instant(now + soonRecheckMs) };
}

/** An update that failed says what; the health of the group, why. */
function withIssues(update: SeenUpdate, { managed }: NodeGroupSnapshot): SeenUpdate {
  const [first, ...others] = update.errors;
  const why = (managed?.issues ?? []).map(({ code, message }) => `; EKS reports ${code}: ${message}`).join('');
  if (update.status !== 'Failed' || first === undefined || why === '') return update;
  return { ...update, errors: [{ ...first, message: `${first.message}${why}` }, ...others] };
}

function finishedManagedUpdate(current: NodeGroupUpdate, { status, errors }: SeenUpdate, now: Instant): FinishedUpdate {
  const [error] = errors;
  return {
    number: current.number,
    target: current.target,
    ...(current.id === undefined ? {} : { id: current.id }),
    outcome: status === 'Successful' || status === 'Cancelled' ? status : 'Failed',
    startedAt: current.startedAt,
    endedAt: toTimestamp(now),
    ...(current.firstNewNodeAt === undefined ? {} : { firstNewNodeAt: current.firstNewNodeAt }),
    ...(error === undefined ? {} : { code: error.code, message: error.message, resourceIds: error.resourceIds }),
  };
}

/** An update that failed and was turned around leaves a group that looks as if nothing had happened. */
function noteReversal(seen: NodeGroupSnapshot, nodes: readonly string[], now: Instant): NodeGroupPlan {
  const { nodeGroup } = seen;
  const [last, ...others] = nodeGroup.status?.history ?? [];
  const history = last === undefined ? [] : [{ ...last, reverted: true }, ...others];
  const reason = `the update to ${last?.target ?? ''} was turned around by EKS`;
  const noted = { ...seen, nodeGroup: { ...nodeGroup, status: { ...nodeGroup.status, history } } };
  const after = withStanding(noted, { phase: 'Failed', reason, update: undefined }, now);
  return {
    after,
    actions: [],
    reports: [reports.updateReverted(nodeGroup, nodes)],
    recheckAt: instant(now + soonRecheckMs),
  };
}

type ManagedWords = {
  readonly update: NodeGroupUpdate | undefined;
  readonly reason: string;
  readonly now: Instant;
  readonly served?: boolean;
  readonly blockedBy?: ReturnType<typeof heldEvictions>['blockers'];
};

const standing = (seen: NodeGroupSnapshot, { now, ...words }: ManagedWords) => ({
  after: withStanding(seen, { phase: 'Updating', ...words }, now),
});
