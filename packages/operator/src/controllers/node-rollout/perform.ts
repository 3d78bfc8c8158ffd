import {
  imageRules,
  nodeRolloutPolicies,
  rolloutRequestAnnotation,
  type ImageRule,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import { keepWritesOfOthers, type RolloutAction, type RolloutPlan } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';
import { replacementForAnnotation } from '../../names.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import { commandRecordOf } from '../../state/disruption-command.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { reportExpired } from '../expiration/report.ts';
import { forceDrain } from '../interruption/end-claim.ts';
import { hasNoDeletionTimestamp } from '../disruption/command-plan.ts';
import type { PolicyPlan } from './plan.ts';
import { reportHappenings, reportLateNodes, reportRolloutAction } from './report.ts';

export type RolloutDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/**
 * What is remembered is stored before anything is done about it: a controller that dies in between plans the same again,
 * and does the rest.
 */
export async function performRolloutPlan(
  deps: RolloutDeps,
  policy: NodeRolloutPolicy,
  { status, rollouts: plan }: PolicyPlan,
): Promise<void> {
  const { objects } = deps;
  for (const { name, spec } of plan?.created ?? []) await createRollout(objects, policy, { metadata: { name }, spec });
  await objects.rolloutPolicies.save(policy, { ...policy, status });
  deps.publish(reportLateNodes(policy, status.conditions));
  if (plan === undefined) return;
  await saveStatuses(deps, plan);
  for (const action of plan.actions) await performRolloutAction(deps, action);
}

async function createRollout(objects: Objects, policy: NodeRolloutPolicy, rollout: NodeRollout): Promise<void> {
  const { name, uid = '' } = policy.metadata;
  const owner = {
    apiVersion: `${nodeRolloutPolicies.group}/${nodeRolloutPolicies.version}`,
    kind: nodeRolloutPolicies.kind,
    name,
    uid,
    controller: true,
  };
  await objects.rollouts.createOnce(
    { ...rollout, metadata: { ...rollout.metadata, ownerReferences: [owner] } },
    ({ spec }) => spec.policy === name && spec.number === rollout.spec.number,
  );
}

async function saveStatuses({ objects, publish }: RolloutDeps, plan: RolloutPlan): Promise<void> {
  for (const [name, status] of plan.statuses) {
    const rollout = objects.rollouts.get(name);
    if (rollout === undefined) continue;
    await objects.rollouts.save(rollout, { ...rollout, status: keepWritesOfOthers(rollout.status, status) });
    publish(reportHappenings(rollout, plan.happenings));
  }
}

async function performRolloutAction(deps: RolloutDeps, action: RolloutAction): Promise<void> {
  const { objects, publish } = deps;
  switch (action.kind) {
    case 'admit': // stored in the policy: its claim is marked as drifted, or its group replaces it, by that
    case 'updateGroup': // the group is updated by that
      return;
    case 'release':
      return callOffCommand(deps, action);
    case 'callOff':
      return deleteClaimOf(deps, action);
    case 'force':
      return forceNode(deps, action.node);
    case 'expire':
      return expireNode(deps, action.node);
    case 'writeRule':
      await createImageRule(objects, action.rule);
      publish(reportRolloutAction(action));
      return;
    case 'deleteRule':
      return deleteImageRule(deps, action);
    case 'clearRequest':
      return clearRequest(objects, action.request);
    case 'deleteRollout':
      return deleteRollout(objects, action.name);
  }
}

/** The node stays: replacements that are not there yet are not needed, and without them its command is rolled back. */
async function callOffCommand(
  { objects, publish }: RolloutDeps,
  action: Extract<RolloutAction, { kind: 'release' }>,
): Promise<void> {
  const claim = objects.nodeClaims.get(action.node);
  const command = claim === undefined ? undefined : commandRecordOf(claim);
  if (claim === undefined || command === undefined || !hasNoDeletionTimestamp(claim)) return;
  const isReplacement = ({ metadata }: NodeClaim): boolean =>
    metadata.annotations?.[replacementForAnnotation] === command.id;
  for (const replacement of objects.nodeClaims.list().filter(isReplacement))
    if (hasNoDeletionTimestamp(replacement) && findNodeOfClaim(objects, replacement) === undefined)
      await objects.nodeClaims.delete(replacement);
  publish(reportRolloutAction(action));
}

async function deleteClaimOf(
  { objects, publish }: RolloutDeps,
  action: Extract<RolloutAction, { kind: 'callOff' }>,
): Promise<void> {
  const claim = objects.nodeClaims.get(action.claim);
  if (claim === undefined || !hasNoDeletionTimestamp(claim)) return;
  await objects.nodeClaims.delete(claim);
  publish(reportRolloutAction(action));
}

async function forceNode(deps: RolloutDeps, name: string): Promise<void> {
  const claim = deps.objects.nodeClaims.get(name);
  const node = claim === undefined ? undefined : findNodeOfClaim(deps.objects, claim);
  if (claim === undefined || node === undefined) return;
  const marked = await forceDrain(deps, { claim, node });
  if (marked !== undefined && hasNoDeletionTimestamp(marked.claim)) await deps.objects.nodeClaims.delete(marked.claim);
}

async function expireNode({ objects, publish }: RolloutDeps, name: string): Promise<void> {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !hasNoDeletionTimestamp(claim)) return;
  await objects.nodeClaims.delete(claim);
  publish(reportExpired(claim));
}

/** A rule of this name that a person wrote stays as it is: it keeps an image out, too. */
async function createImageRule(objects: Objects, rule: ImageRule): Promise<void> {
  const apiVersion = `${imageRules.group}/${imageRules.version}`;
  await objects.imageRules.createOnce({ ...rule, apiVersion, kind: imageRules.kind }, () => true);
}

async function deleteImageRule(
  { objects, publish }: RolloutDeps,
  action: Extract<RolloutAction, { kind: 'deleteRule' }>,
): Promise<void> {
  const rule = objects.imageRules.get(action.name);
  if (rule === undefined) return;
  await objects.imageRules.delete(rule);
  publish(reportRolloutAction(action));
}

async function clearRequest(
  { rollouts }: Objects,
  { rollout: name, kind }: Extract<RolloutAction, { kind: 'clearRequest' }>['request'],
): Promise<void> {
  const rollout = rollouts.get(name);
  if (rollout === undefined) return;
  const { [rolloutRequestAnnotation(kind)]: _request, ...annotations } = rollout.metadata.annotations ?? {};
  await rollouts.save(rollout, { ...rollout, metadata: { ...rollout.metadata, annotations } });
}

async function deleteRollout({ rollouts }: Objects, name: string): Promise<void> {
  const rollout = rollouts.get(name);
  if (rollout !== undefined) await rollouts.delete(rollout);
}
