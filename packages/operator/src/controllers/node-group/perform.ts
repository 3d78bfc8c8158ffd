import type { NodeGroupDeps } from './deps.ts';
import { toTimestamp, type NodeGroup } from '@nodewright/apis';
import type { StartOutcome, UpdateTarget } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';
import { performStep } from './perform-step.ts';
import type { NodeGroupAction } from './node-group-plan.ts';
import { scaleDownDisabled, scaleDownDisabledByUs } from './names.ts';
import { changeGroupNode } from './node-changes.ts';

type Start = Extract<NodeGroupAction, { kind: 'startUpdate' }>;

/** The only place that writes, besides the status. `nodeGroup` is as stored before the action. */
export async function performNodeGroupAction(
  deps: NodeGroupDeps,
  nodeGroup: NodeGroup,
  action: NodeGroupAction,
  signal: AbortSignal,
): Promise<void> {
  const eks = nodeGroup.spec.eks?.name ?? '';
  switch (action.kind) {
    case 'startUpdate':
      return startUpdate(deps, nodeGroup, action, signal);
    case 'configure': {
      const outcome = await deps.managedGroups.configure({ group: eks, ...action }, signal);
      return outcome.kind === 'refused' ? keepOutcome(deps, nodeGroup, outcome) : undefined;
    }
    case 'step':
      return performStep(deps, nodeGroup, action.step, signal);
    case 'answerHook': {
      const group = nodeGroup.spec.autoScalingGroup?.name ?? '';
      return deps.scalingGroups.answerHook({ group, ...action }, signal);
    }
    case 'protect':
      return changeGroupNode(deps, action.node, annotated('true'));
    case 'unprotect':
      return changeGroupNode(deps, action.node, annotated(undefined));
  }
}

async function startUpdate(
  deps: NodeGroupDeps,
  nodeGroup: NodeGroup,
  action: Start,
  signal: AbortSignal,
): Promise<void> {
  const target = await resolveTarget(deps, action, signal);
  const { force, token } = action;
  const group = nodeGroup.spec.eks?.name ?? '';
  const outcome = await deps.managedGroups.startUpdate({ group, target, force, token }, signal);
  await keepOutcome(deps, nodeGroup, outcome);
}

async function keepOutcome({ objects, clock }: NodeGroupDeps, nodeGroup: NodeGroup, outcome: StartOutcome) {
  const after = withOutcome(nodeGroup, outcome, clock);
  if (after !== undefined) await objects.nodeGroups.save(nodeGroup, after);
}

async function resolveTarget(
  deps: NodeGroupDeps,
  { target, token }: Start,
  signal: AbortSignal,
): Promise<UpdateTarget> {
  if (target.kind !== 'image') return target;
  const { templateId, version: sourceVersion, imageId } = target;
  const request = { templateId, sourceVersion, imageId, token: `${token}-lt`.slice(-64) };
  const version = await deps.scalingGroups.createTemplateVersion(request, signal);
  return { kind: 'template', id: templateId, version };
}

/** The id is kept: the group itself never tells how an update ended. A busy group is asked again with the same token. */
function withOutcome(nodeGroup: NodeGroup, outcome: StartOutcome, clock: Clock): NodeGroup | undefined {
  const { update, ...status } = nodeGroup.status ?? {};
  if (update === undefined) return undefined;
  switch (outcome.kind) {
    case 'started':
      return { ...nodeGroup, status: { ...status, update: { ...update, id: outcome.updateId } } };
    case 'busy':
      return undefined;
    case 'refused': {
      const { number, target, startedAt } = update;
      const endedAt = toTimestamp(clock.now());
      const { message } = outcome;
      const refused = { number, target, startedAt, endedAt, outcome: 'Failed', code: 'Refused', message } as const;
      const history = [refused, ...(status.history ?? [])].slice(0, 10);
      return { ...nodeGroup, status: { ...status, phase: 'Failed', reason: message, history } };
    }
  }
}

const annotated = (value: string | undefined) => (node: Parameters<Parameters<typeof changeGroupNode>[2]>[0]) => ({
  ...node,
  metadata: {
    ...node.metadata,
    annotations: withValues(node.metadata.annotations ?? {}, [scaleDownDisabled, scaleDownDisabledByUs], value),
  },
});

function withValues(
  annotations: Readonly<Record<string, string>>,
  names: readonly string[],
  value: string | undefined,
): Readonly<Record<string, string>> {
  const others = Object.entries(annotations).filter(([name]) => !names.includes(name));
  return Object.fromEntries(value === undefined ? others : [...others, ...names.map((name) => [name, value])]);
}
