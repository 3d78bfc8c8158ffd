import type { Taint as WireTaint } from '@aws-sdk/client-eks';
import { type Node, readOwn, type Taint } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import { warmPoolPart, softwareConfiguration, type GroupUpdate, type EksNodeGroup } from '@nodewright/aws-endpoints';
import { asKubernetes } from './adopt.ts';
import type { GroupManager } from './manager.ts';
import { nodesOf } from './observe.ts';
import { patchNode } from './update-mark.ts';

/** Labels and taints reach running nodes, sizes the Auto Scaling group, and new nodes the next template version. */
export async function applyConfig(manager: GroupManager, group: EksNodeGroup, update: GroupUpdate): Promise<undefined> {
  const errors = await applyConfigUpdate(manager, group, update);
  const { nodeGroups, clock } = manager;
  nodeGroups.keepUpdate({ ...update, errors, status: errors.length === 0 ? 'Successful' : 'Failed' });
  const { unevicted: _past, ...settled } = nodeGroups.group(group.name);
  nodeGroups.keep({ ...settled, status: 'ACTIVE', modifiedAt: clock.now() });
}

/** @returns what stood in the way */
async function applyConfigUpdate(
  manager: GroupManager,
  group: EksNodeGroup,
  update: GroupUpdate,
): Promise<GroupUpdate['errors']> {
  const { nodeGroups, watches, client } = manager;
  const scaling = group.resources && nodeGroups.deps.autoScaling.find(group.resources.groupName);
  if (scaling === undefined)
    return [configUpdateFailure('Unknown', `The Auto Scaling group of ${group.name} is gone.`)];
  try {
    if (touchesNodes(update)) {
      const wanted = nodeChange(update);
      for (const { node } of nodesOf(watches, scaling)) await patchNode(client, node.metadata.name, wanted);
      renewTemplate(manager, group);
    }
    nodeGroups.deps.autoScaling.change(scaling.name, { ...group.scaling, ...warmPoolPart(group) });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 403, 422].includes(error.code)) throw error;
    return [configUpdateFailure(error.code === 403 ? 'AccessDenied' : 'Unknown', error.message)];
  }
}

const configUpdateFailure = (
  errorCode: 'AccessDenied' | 'Unknown',
  errorMessage: string,
): GroupUpdate['errors'][number] => ({
  errorCode,
  errorMessage,
  resourceIds: [],
});

const touchesNodes = ({ params }: GroupUpdate): boolean =>
  params.some(({ type }) => /^(Labels|Taints)/.test(type ?? ''));

const given = (update: GroupUpdate, type: string): string | undefined =>
  update.params.find((param) => param.type === type)?.value;

function nodeChange(update: GroupUpdate): (node: Node) => { metadata: object; spec: object } {
  const labels = JSON.parse(given(update, 'LabelsToAdd') ?? '{}') as Readonly<Record<string, string>>;
  const added = (JSON.parse(given(update, 'TaintsToAdd') ?? '[]') as readonly WireTaint[]).map(asKubernetes);
  const gone = [...(update.removed?.taints ?? []).map(asKubernetes), ...added];
  const removed = Object.fromEntries((update.removed?.labels ?? []).map((key) => [key, null]));
  const stays = (taint: Taint): boolean => !gone.some((each) => each.key === taint.key && each.effect === taint.effect);
  return ({ spec }) => ({
    metadata: { labels: { ...removed, ...labels } },
    spec: { taints: [...(spec?.taints ?? []).filter(stays), ...added] },
  });
}

/** Only while the group launches what it says it is: after a failed update that is something else. */
function renewTemplate({ nodeGroups }: GroupManager, group: EksNodeGroup): void {
  const { resources } = group;
  if (resources === undefined) return;
  if (readOwn(resources.configurations, resources.pointer) !== softwareConfiguration(group)) return;
  nodeGroups.addTemplateVersion(group.name, group);
  const versions = Object.keys(nodeGroups.group(group.name).resources?.configurations ?? {}).map(Number);
  nodeGroups.pointAt(group.name, String(Math.max(...versions)));
}
