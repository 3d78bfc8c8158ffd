import { type AdmittedNode, type ImageRule, byNumberOf, inReverse } from '@nodewright/apis';
import type { AdmissionPlan } from './admission.ts';
import { hardEndOf } from './ages/node-ages.ts';
import { hasEnded } from './course.ts';
import { haltRulesOf } from './halt.ts';
import { printDrainKeeper } from './drain-keeper.ts';
import { findPauseOfObject } from './gates/object-pause.ts';
import type { PlanContext } from './plan-context.ts';
import { planStatuses } from './plan-statuses.ts';
import type { RolloutRequest, RolloutSnapshot } from './snapshot.ts';
import { viewRollout } from './view.ts';

export type RolloutAction =
  /** The node may be replaced: its condition Drifted may become True. */
  | { readonly kind: 'admit'; readonly move: AdmittedNode }
  /** A managed node group is updated to the target. */
  | { readonly kind: 'updateGroup'; readonly move: AdmittedNode }
  /** The node gives its slot back: it is made schedulable again. */
  | { readonly kind: 'release'; readonly node: string; readonly because: string }
  /** A claim for the target that is not initialized yet is deleted. */
  | { readonly kind: 'callOff'; readonly claim: string; readonly because: string }
  /** The pods of a node that could not be drained are deleted after their grace period. */
  | { readonly kind: 'force'; readonly node: string }
  /** The node has reached the age at which it goes whatever the policy says. */
  | { readonly kind: 'expire'; readonly node: string }
  | { readonly kind: 'writeRule'; readonly rule: ImageRule }
  | { readonly kind: 'deleteRule'; readonly name: string; readonly because: string }
  | { readonly kind: 'clearRequest'; readonly request: RolloutRequest }
  /** Only the last ten rollouts are kept. */
  | { readonly kind: 'deleteRollout'; readonly name: string };

const keptRollouts = 10;

/** What is to be done once the statuses are stored. */
export function listRolloutActions(context: PlanContext, moves: AdmissionPlan): readonly RolloutAction[] {
  const { seen, settings, inFlight, step } = context;
  const groups = new Set(seen.objects.filter(({ moves: how }) => how === 'whole').map(({ id }) => id));
  const kept = moves.admitted.map((move): RolloutAction =>
    groups.has(move.node) ? { kind: 'updateGroup', move } : { kind: 'admit', move },
  );
  return [
    ...missingRules(context).map((rule): RolloutAction => ({ kind: 'writeRule', rule })),
    ...(step?.liftedRules ?? []).map((name): RolloutAction => ({
      kind: 'deleteRule',
      name,
      because: 'the rollout was resumed',
    })),
    ...(step?.calledOff ?? []).map((claim): RolloutAction => ({
      kind: 'callOff',
      claim: claim.name,
      because: claim.because,
    })),
    ...inFlight.newlyParked.map((parked): RolloutAction => ({
      kind: 'release',
      node: parked.node,
      because: `it cannot be drained: ${printDrainKeeper(parked)}`,
    })),
    ...inFlight.released.map(({ node }): RolloutAction => ({
      kind: 'release',
      node,
      because: 'its replacement cannot be launched',
    })),
    ...(step?.released ?? []).map((node): RolloutAction => ({
      kind: 'release',
      node,
      because: 'its rollout has halted or is paused',
    })),
    ...kept,
    ...nodesToForce(context, moves).map((node): RolloutAction => ({ kind: 'force', node })),
    ...seen.nodes
      .filter((node) => !node.leaving && hardEndOf(node, settings) <= seen.now)
      .filter(({ object }) => findPauseOfObject(object, seen, 'Expired') === undefined)
      .map(({ name }): RolloutAction => ({ kind: 'expire', node: name })),
    ...requestsToClear(context).map((request): RolloutAction => ({ kind: 'clearRequest', request })),
    ...oldRollouts(seen).map((name): RolloutAction => ({ kind: 'deleteRollout', name })),
  ];
}

/** A parked node is drained by force once every other gate lets it go; one that drains already is not held any more. */
function nodesToForce({ seen, inFlight }: PlanContext, { admitted }: AdmissionPlan): readonly string[] {
  const letGo = new Set(admitted.map(({ node }) => node));
  const leaving = new Set(seen.nodes.filter((node) => node.leaving).map(({ name }) => name));
  return inFlight.forceDue.map(({ node }) => node).filter((node) => letGo.has(node) || leaving.has(node));
}

/** Recorded requests, and those of rollouts that are not under way: they are removed only here. */
function requestsToClear({ seen, course, step }: PlanContext): readonly RolloutRequest[] {
  const names = new Set(seen.rollouts.map(({ metadata }) => metadata.name));
  const others = seen.requests.filter(({ rollout }) => names.has(rollout) && rollout !== course.current?.metadata.name);
  return [...(step?.toClear ?? []), ...others];
}

/** The rules of halts that were not seen yet. One that was seen and is gone was deleted by a person. */
function missingRules(context: PlanContext): readonly ImageRule[] {
  const { seen } = context;
  const statuses = planStatuses(context, undefined);
  const present = new Set(seen.rules.map(({ metadata }) => metadata.name));
  return seen.rollouts.flatMap((rollout) => {
    const halted = (statuses.get(rollout.metadata.name) ?? rollout.status)?.halted;
    if (halted === undefined || halted.areRulesWritten === true || halted.rules.length === 0) return [];
    return haltRulesOf(viewRollout(rollout, seen), halted).filter(({ metadata }) => !present.has(metadata.name));
  });
}

const oldRollouts = ({ rollouts }: RolloutSnapshot): readonly string[] =>
  rollouts
    .toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))
    .slice(keptRollouts)
    .filter(hasEnded)
    .map(({ metadata }) => metadata.name);
