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
import { printCommandRecord, type DisruptionCommand } from '../../state/disruption-command.ts';
import type { Objects } from '../../state/objects.ts';
import { mergedTaints, withoutTaint } from '../../state/taints.ts';
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
 * Candidates first, replacements second: a command that ends in between is seen as incomplete by the
 * next turn and rolled back, and pods never have two places prepared for them.
 */
async function start(deps: DisruptionDeps, planned: PlannedCommand): Promise<void> {
  const id = deps.random.uuid();
  const record = { id, reason: planned.reason, replacements: planned.replacements.length, startedAt: deps.clock.now() };
  deps.log.info('disrupting node(s)', commandFields(id, planned));
  for (const candidate of planned.candidates)
    await claimCandidate(deps, candidate, printCommandRecord(record), planned.reason);
  for (const replacement of planned.replacements) await createReplacement(deps, id, planned, replacement);
  const until = instant(deps.clock.now() + deps.nominationMs);
  for (const destination of planned.destinations) deps.state.nominate(providerIdOf(destination), until);
  deps.counters.disruptionDecided(planned.decision, planned.reason.toLowerCase());
}

async function claimCandidate(
  deps: DisruptionDeps,
  candidate: NodeState,
  record: string,
  reason: string,
): Promise<void> {
  const { node, nodeClaim } = candidate;
  if (node === undefined || nodeClaim === undefined) throw new Error('a candidate needs a node and a claim');
  await deps.objects.nodes.save(node, withTaints(node, mergedTaints(node.spec?.taints ?? [], [disruptedTaint])));
  const annotations = { ...nodeClaim.metadata.annotations, [disruptionCommandAnnotation]: record };
  const annotated = { ...nodeClaim, metadata: { ...nodeClaim.metadata, annotations } };
  const condition = conditionTrue('DisruptionReason', reason, reason);
  await deps.objects.nodeClaims.save(
    nodeClaim,
    withCondition(nodeClaimConditions, annotated, condition, deps.clock.now()),
  );
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
  if (node !== undefined && isStaying(node)) {
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
