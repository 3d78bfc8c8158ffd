import {
  conditionTrue,
  disruptedTaint,
  instant,
  isConditionTrue,
  karpenterLabels,
  minutes,
  nodeClaimConditions,
  withCondition,
  withoutCondition,
  type Node,
  type NodeClaim,
  type Taint,
} from '@nodewright/apis';
import { isReschedulable, type NewNode, type NodeState } from '@nodewright/engine';
import type { Clock, Random } from '@nodewright/runtime';
import { disruptionCommandAnnotation, replacementForAnnotation } from '../../names.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import { machineIdOf, type ClusterState } from '../../state/cluster-state.ts';
import {
  commandRecordOf,
  printCommandRecord,
  type CommandRecord,
  type StoredCommand,
} from '../../state/disruption-command.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { seatsOfReplacements, withRollout } from '../../state/rollout-seats.ts';
import { hasTaint, mergedTaints, withoutTaint } from '../../state/taints.ts';
import { createChecked } from '../provisioning/perform.ts';
import { hasNoDeletionTimestamp } from './command-plan.ts';
import type { DisruptionAction, PlannedCommand } from './plan.ts';
import { replacementName } from './replacement-name.ts';
import {
  reportBlocked,
  reportCommand,
  reportCommandStart,
  reportCommandSuccess,
  reportDisruption,
  reportRollBack,
  reportWaiting,
} from './report.ts';
import { storeUnplacedNodes } from './unplaced-nodes.ts';

export type DisruptionDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly random: Random;
  readonly publish: Publisher;
  /** How long a node that takes pods is kept from disruption. */
  readonly nominationMs: number;
};

export async function performDisruption(deps: DisruptionDeps, action: DisruptionAction): Promise<void> {
  switch (action.kind) {
    case 'start':
      return startCommand(deps, action.command);
    case 'announce':
      return announceDisruption(deps, action.command.candidates, action.command.reason);
    case 'deleteCandidates':
      return deleteCandidates(deps, action.command);
    case 'awaitReplacements':
      deps.publish(reportWaiting(action.command));
      return;
    case 'rollBack':
      return rollBack(deps, action.command, action.because);
    case 'release':
      return releaseCandidate(deps, action.node, action.claim);
    case 'tellBlocked':
      for (const { node, blocker } of action.blocked) deps.publish(reportBlocked(node, blocker));
      return storeUnplacedNodes(deps, action.blocked);
  }
}

/**
 * Candidates first, replacements second, and the condition that shows both last. A process that dies in between is
 * followed by one that decides the same, finds what is done, and does the rest.
 */
async function startCommand(deps: DisruptionDeps, planned: PlannedCommand): Promise<void> {
  const record = recordFor(deps, planned);
  const { id } = record;
  deps.publish(reportCommand(id, planned));
  const claimed = await claimCandidates(deps, planned, record);
  const seats =
    planned.reason === 'Drifted' ? claimed.flatMap((claim) => seatsOfReplacements(deps.objects, claim)) : [];
  for (const [number, { claim, newNode }] of planned.replacements.entries()) {
    const place = { id, number, reason: planned.reason };
    await createReplacement(deps, place, { claim: withRollout(claim, seats[number]), newNode });
  }
  await announceDisruption(deps, claimed, planned.reason);
  const until = instant(deps.clock.now() + deps.nominationMs);
  for (const destination of planned.destinations) deps.state.nominate(machineIdOf(destination), until);
  deps.publish(reportCommandStart(planned));
}

/**
 * All candidates at once. Nodes that only go do not need each other: what could not be had of them is left to the next
 * pass. Replacements are meant for all of them together.
 */
async function claimCandidates(
  deps: DisruptionDeps,
  { candidates, decision }: PlannedCommand,
  record: CommandRecord,
): Promise<readonly NodeClaim[]> {
  const outcomes = await Promise.allSettled(candidates.map((each) => claimCandidate(deps, each, record)));
  const claimed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined || (decision === 'delete' && claimed.length > 0)) return claimed;
  throw failure.reason;
}

/** For so long the record of a command that never got going is good for the same command. */
const takenUpWithinMs = minutes(1);

function recordFor({ clock, random }: DisruptionDeps, planned: PlannedCommand): CommandRecord {
  const { reason, consolidationType, candidates, replacements } = planned;
  const now = clock.now();
  const type = consolidationType === undefined ? {} : { consolidationType };
  const wanted = { reason, ...type, replacements: replacements.length };
  const records = candidates.map(({ nodeClaim }) => nodeClaim && commandRecordOf(nodeClaim));
  const known = records.find((record) => record !== undefined && now < record.startedAt + takenUpWithinMs);
  const isSame = known?.reason === wanted.reason && known.replacements === wanted.replacements;
  return isSame ? known : { id: random.uuid(), ...wanted, startedAt: now };
}

async function claimCandidate(deps: DisruptionDeps, candidate: NodeState, record: CommandRecord): Promise<NodeClaim> {
  const { node, nodeClaim } = candidate;
  if (node === undefined || nodeClaim === undefined) throw new Error('a candidate needs a node and a claim');
  await deps.objects.nodes.save(node, withTaints(node, mergedTaints(node.spec?.taints ?? [], [disruptedTaint])));
  const annotations = { ...nodeClaim.metadata.annotations, [disruptionCommandAnnotation]: printCommandRecord(record) };
  const annotated = { ...nodeClaim, metadata: { ...nodeClaim.metadata, annotations } };
  return (await deps.objects.nodeClaims.save(nodeClaim, annotated)) ?? nodeClaim;
}

/** From now on the candidates tell why they will go. */
async function announceDisruption(
  deps: DisruptionDeps,
  candidates: readonly NodeClaim[],
  reason: string,
): Promise<void> {
  const condition = conditionTrue('DisruptionReason', reason, reason);
  const tell = (claim: NodeClaim) =>
    deps.objects.nodeClaims.save(claim, withCondition(nodeClaimConditions, claim, condition, deps.clock.now()));
  await settleAll(candidates.filter(hasNoDeletionTimestamp).map(tell));
}

type CommandPlace = { readonly id: string; readonly number: number; readonly reason: string };

/** Once, however often it is asked for: a claim whose answer was lost is not known before the watch tells of it. */
async function createReplacement(
  deps: DisruptionDeps,
  { id, number, reason }: CommandPlace,
  { claim, newNode }: { readonly claim: NodeClaim; readonly newNode: NewNode },
): Promise<void> {
  const { generateName = '', ...metadata } = claim.metadata;
  const name = replacementName(generateName, id, number);
  const annotations = { ...metadata.annotations, [replacementForAnnotation]: id };
  const named = { ...claim, metadata: { ...metadata, name, annotations } };
  await createChecked(deps, named, newNode, reason.toLowerCase(), (asked) =>
    deps.objects.nodeClaims.createOnce(asked, (stored) => isReplacementOf(stored, id)),
  );
}

const isReplacementOf = (claim: NodeClaim, id: string): boolean =>
  hasNoDeletionTimestamp(claim) && claim.metadata.annotations?.[replacementForAnnotation] === id;

async function deleteCandidates(deps: DisruptionDeps, command: StoredCommand): Promise<void> {
  await settleAll(
    command.candidates.filter(hasNoDeletionTimestamp).map((claim) => deleteCandidate(deps, claim, command)),
  );
  deps.publish(reportCommandSuccess(command));
}

async function deleteCandidate(deps: DisruptionDeps, claim: NodeClaim, command: StoredCommand): Promise<void> {
  const node = findNodeOfCandidate(deps, claim);
  const moving = node === undefined ? [] : deps.objects.pods.by('node', node.metadata.name).filter(isReschedulable);
  if ((await deps.objects.nodeClaims.delete(claim)) === 'gone') return;
  const policy = command.reason === 'Drifted' ? undefined : policyOf(deps, claim);
  deps.publish(reportDisruption({ claim, node }, { reason: command.reason, policy, pods: moving.length }));
}

const policyOf = ({ objects }: DisruptionDeps, { metadata }: NodeClaim): string | undefined =>
  objects.nodePools.get(metadata.labels?.[karpenterLabels.nodePool] ?? '')?.spec.disruption?.consolidationPolicy;

/** Waits for all of them before it says that one has failed. */
async function settleAll(attempts: readonly Promise<unknown>[]): Promise<void> {
  const failure = (await Promise.allSettled(attempts)).find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function rollBack(deps: DisruptionDeps, command: StoredCommand, because: string): Promise<void> {
  for (const claim of command.candidates.filter(hasNoDeletionTimestamp))
    await releaseCandidate(deps, findNodeOfCandidate(deps, claim), claim);
  const ready = command.created.filter((claim) => isConditionTrue(claim, 'Initialized')).length;
  deps.publish(reportRollBack(command, Math.max(0, command.replacements - ready), because));
}

/** The taint goes first: as long as the claim tells of its command, the next turn finishes what is left. */
async function releaseCandidate(deps: DisruptionDeps, node: Node | undefined, claim: NodeClaim): Promise<void> {
  if (node !== undefined && hasNoDeletionTimestamp(node) && hasTaint(node.spec?.taints, disruptedTaint)) {
    await deps.objects.nodes.save(node, withTaints(node, withoutTaint(node.spec?.taints ?? [], disruptedTaint)));
  }
  const { [disruptionCommandAnnotation]: _, ...annotations } = claim.metadata.annotations ?? {};
  const freed = { ...claim, metadata: { ...claim.metadata, annotations } };
  await deps.objects.nodeClaims.save(claim, withoutCondition(nodeClaimConditions, freed, 'DisruptionReason'));
}

const findNodeOfCandidate = ({ objects }: DisruptionDeps, claim: NodeClaim): Node | undefined =>
  findNodeOfClaim(objects, claim);

const withTaints = (node: Node, taints: readonly Taint[]): Node => ({
  ...node,
  spec: { ...node.spec, taints },
});
