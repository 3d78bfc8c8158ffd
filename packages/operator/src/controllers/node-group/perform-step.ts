import { pods, type NodeGroup } from '@nodewright/apis';
import type { UpdateAction } from '@nodewright/nodegroups';
import { CloudError } from '@nodewright/ports';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { isNotFoundOrReplaced } from '../../objects/collection.ts';
import { changeGroupNode, cordonNode, markNode, uncordonNode, unmarkNode } from './node-changes.ts';
import type { NodeGroupDeps } from './deps.ts';

/** One step of the update of an Auto Scaling group. Each may be made again. */
export async function performStep(
  deps: NodeGroupDeps,
  nodeGroup: NodeGroup,
  step: UpdateAction,
  signal: AbortSignal,
): Promise<void> {
  const group = nodeGroup.spec.autoScalingGroup?.name ?? '';
  const { scalingGroups } = deps;
  switch (step.kind) {
    case 'createVersion':
      return createVersion(deps, nodeGroup, step.configuration, signal);
    case 'pointGroup':
      return scalingGroups.pointAt(group, step.version, signal);
    case 'setSize':
      return scalingGroups.resize(group, { max: step.max, desired: step.desired }, signal);
    case 'suspend':
      return scalingGroups.suspend(group, step.processes, signal);
    case 'resume':
      return scalingGroups.resume(group, step.processes, signal);
    case 'terminate':
      return scalingGroups.terminate(step.instanceId, { decrement: step.decrement }, signal);
    case 'discard':
      return scalingGroups.discard(step.instanceId, signal);
    case 'mark':
      return changeGroupNode(deps, step.node, markNode);
    case 'unmark':
      return changeGroupNode(deps, step.node, unmarkNode);
    case 'cordon':
      return changeGroupNode(deps, step.node, cordonNode);
    case 'uncordon':
      return changeGroupNode(deps, step.node, uncordonNode);
    case 'evict':
      return evictGroupPod(deps.client, { name: step.pod, namespace: step.namespace });
    case 'delete':
      return removeGroupPod(deps.client, { name: step.pod, namespace: step.namespace });
  }
}

async function createVersion(
  { scalingGroups }: NodeGroupDeps,
  { metadata, spec, status }: NodeGroup,
  imageId: string,
  signal: AbortSignal,
): Promise<void> {
  const name = spec.autoScalingGroup?.name ?? '';
  const template = (await scalingGroups.describe(name, signal))?.template;
  if (template === undefined) {
    throw new CloudError(`the Auto Scaling group ${name} has lost its launch template`, {
      code: 'NoLaunchTemplate',
      retry: 'backOff',
    });
  }
  const token = `${metadata.uid ?? metadata.name}-${status?.update?.number ?? 0}-${imageId}`.slice(-64);
  const request = { templateId: template.id, sourceVersion: template.version, imageId, token };
  await scalingGroups.createTemplateVersion(request, signal);
}

type PodKey = { readonly name: string; readonly namespace: string };

/** A budget without room is no failure: the plan tells who is held, and asks again. */
async function evictGroupPod(client: KubernetesClient, pod: PodKey): Promise<void> {
  try {
    await client.evict(pod);
  } catch (error) {
    if (!isNotFoundOrReplaced(error) && !isRefusal(error)) throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 429 || (error.code === 500 && error.message.includes('more than one PodDisruptionBudget')));

async function removeGroupPod(client: KubernetesClient, pod: PodKey): Promise<void> {
  try {
    await client.delete(pods, pod);
  } catch (error) {
    if (!isNotFoundOrReplaced(error)) throw error;
  }
}
