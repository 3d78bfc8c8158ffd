import {
  conditionTrue,
  disruptedTaint,
  instant,
  nodeClaimConditions,
  withCondition,
  withoutCondition,
  type Node,
  type NodeClaim,
  type Taint,
} from '@nodewright/apis';
import type { NewNode, NodeState } from '@nodewright/engine';
import type { Clock, Logger, Random } from '@nodewright/runtime';
import { disruptionCommandAnnotation, replacementForAnnotation } from '../../names.ts';
import type { Counters } from '../../reporting/counters.ts';
import * as reports from '../../reporting/disruption-reports.ts';
import type { Reporter } from '../../reporting/report.ts';
import { providerIdOf, type ClusterState } from '../../state/cluster-state.ts';
import {
  commandRecordOf,
  printCommandRecord,
  type CommandRecord,
  type DisruptionCommand,
} from '../../state/disruption-command.ts';
import type { Objects } from '../../state/objects.ts';
import { hasTaint, mergedTaints, withoutTaint } from '../../state/taints.ts';
import { createChecked } from '../provisioning/perform.ts';
import { isStaying } from './command-plan.ts';
import { commandFields } from './command-log.ts';
import type { DisruptionAction, PlannedCommand } from './plan.ts';

export type DisruptionDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
  /** How long a node that takes pods is kept from disruption. */
  readonly nominationMs: number;
};

export async function performDisruption(deps: DisruptionDeps, action: DisruptionAction): Promise<void> {
  switch (action.kind) {
    case 'start':
      return start(deps, action.command);
    case 'announce':
      return announce(deps, action.command.candidates, action.command.reason);
    case 'deleteCandidates':
      return deleteCandidates(deps, action.command);
    case 'awaitReplacements':
      return tellOfWaiting(deps, action.command);
    case 'rollBack':
      return rollBack(deps, action.command, action.because);
    case 'release':
      return release(deps, action.node, action.claim);
    case 'tellBlocked':
      for (const report of reports.disruptionBlocked(action.node, action.blocker)) deps.report(report);
  }
}

/**
 * Candidates first, replacements second, and the condition that tells of both last. Whoever dies in between is
 * followed by one that decides the same, finds what is done, and does the rest.
 */
async function start(deps: DisruptionDeps, planned: PlannedCommand): Promise<void> {
  const record = recordFor(deps, planned);
  const { id } = record;
  deps.log.info('disrupting node(s)', commandFields(id, planned));
  const claimed: NodeClaim[] = [];
  for (const candidate of planned.candidates) claimed.push(await claimCandidate(deps, candidate, record));
  for (const replacement of planned.replacements) await createReplacement(deps, id, planned, replacement);
  await announce(deps, claimed, planned.reason);
  const until = instant(deps.clock.now() + deps.nominationMs);
  for (const destination of planned.destinations) deps.state.nominate(providerIdOf(destination), until);
  deps.counters.disruptionDecided(planned.decision, planned.reason.toLowerCase());
}

/** For so long the record of a command that never got going is good for the same command. */
const takenUpWithinMs = 60_000;

function recordFor({ clock, random }: DisruptionDeps, { reason, candidates, replacements }: PlannedCommand) {
  const now = clock.now();
  const wanted = { reason, replacements: replacements.length };
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
async function announce(deps: DisruptionDeps, candidates: readonly NodeClaim[], reason: string): Promise<void> {
  const condition = conditionTrue('DisruptionReason', reason, reason);
  for (const claim of candidates.filter(isStaying)) {
    await deps.objects.nodeClaims.save(claim, withCondition(nodeClaimConditions, claim, condition, deps.clock.now()));
  }
}

async function createReplacement(
  deps: DisruptionDeps,
  id: string,
  { reason }: PlannedCommand,
  { claim, newNode }: { readonly claim: NodeClaim; readonly newNode: NewNode },
): Promise<void> {
  const annotations = { ...claim.metadata.annotations, [replacementForAnnotation]: id };
  await createChecked(deps, { ...claim, metadata: { ...claim.metadata, annotations } }, newNode, reason.toLowerCase());
}

async function deleteCandidates(deps: DisruptionDeps, command: DisruptionCommand): Promise<void> {
  for (const claim of command.candidates.filter(isStaying)) {
    const node = nodeOf(deps, claim);
    if ((await deps.objects.nodeClaims.delete(claim)) === 'gone') continue;
    for (const report of reports.disruptionTerminating({ claim, node }, command.reason)) deps.report(report);
    deps.counters.claimDisrupted(claim, command.reason.toLowerCase());
  }
  deps.log.debug('command succeeded', { 'command-id': command.id });
}

async function tellOfWaiting(deps: DisruptionDeps, { created, reason }: DisruptionCommand): Promise<void> {
  for (const claim of created) for (const report of reports.awaitingReplacement(claim, reason)) deps.report(report);
}

async function rollBack(deps: DisruptionDeps, command: DisruptionCommand, because: string): Promise<void> {
  for (const claim of command.candidates.filter(isStaying)) await release(deps, nodeOf(deps, claim), claim);
  const lost = command.replacements - command.created.length;
  const decision = command.replacements === 0 ? 'delete' : 'replace';
  deps.counters.replacementFailed(decision, command.reason.toLowerCase(), Math.max(lost, 0));
  deps.log.error('failed to disrupt nodes', { 'command-id': command.id, error: because });
}

/** The taint goes first: as long as the claim tells of its command, the next turn finishes what is left. */
async function release(deps: DisruptionDeps, node: Node | undefined, claim: NodeClaim): Promise<void> {
  if (node !== undefined && isStaying(node) && hasTaint(node.spec?.taints, disruptedTaint)) {
    await deps.objects.nodes.save(node, withTaints(node, withoutTaint(node.spec?.taints ?? [], disruptedTaint)));
  }
  const { [disruptionCommandAnnotation]: _, ...annotations } = claim.metadata.annotations ?? {};
  const freed = { ...claim, metadata: { ...claim.metadata, annotations } };
  await deps.objects.nodeClaims.save(claim, withoutCondition(nodeClaimConditions, freed, 'DisruptionReason'));
}

const nodeOf = ({ objects }: DisruptionDeps, { status }: NodeClaim): Node | undefined =>
  objects.nodes.by('providerId', status?.providerID ?? '')[0];

const withTaints = (node: Node, taints: readonly Taint[]): Node => ({
  ...node,
  spec: { ...node.spec, taints },
});
