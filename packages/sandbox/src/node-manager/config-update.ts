import type { Taint as WireTaint } from '@aws-sdk/client-eks';
import type { Node, Taint } from '@nodewright/apis';
import { configurationOf, type GroupUpdate, type NodeGroup } from '../aws/eks/nodegroups/node-group.ts';
import { kubernetesEffect } from '../aws/eks/nodegroups/user-data.ts';
import type { Manager } from './manager.ts';
import { nodesOf } from './observe.ts';
import { changeNode } from './update-mark.ts';

/** Labels and taints reach running nodes, sizes the Auto Scaling group, and new nodes the next template version. */
export async function applyConfig(manager: Manager, group: NodeGroup, update: GroupUpdate): Promise<undefined> {
  const { nodeGroups, watches, client, clock } = manager;
  const scaling = group.resources && nodeGroups.deps.autoScaling.find(group.resources.groupName);
  if (scaling !== undefined) {
    const change = nodeChange(update);
    for (const { node } of nodesOf(watches, scaling)) await changeNode(client, node.metadata.name, change);
    renewTemplate(manager, group, update);
    nodeGroups.deps.autoScaling.change(scaling.name, { ...group.scaling });
  }
  nodeGroups.keepUpdate({ ...update, status: 'Successful' });
  nodeGroups.keep({ ...nodeGroups.group(group.name), status: 'ACTIVE', modifiedAt: clock.now() });
}

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

const asKubernetes = (taint: WireTaint): Taint => ({
  key: taint.key ?? '',
  ...(taint.value !== undefined && taint.value !== '' && { value: taint.value }),
  effect: kubernetesEffect(taint),
});

/** Only while the group launches what it says it is: after a failed update that is something else. */
function renewTemplate({ nodeGroups }: Manager, group: NodeGroup, update: GroupUpdate): void {
  const { resources } = group;
  const touchesNodes = update.params.some(({ type }) => /^(Labels|Taints)/.test(type ?? ''));
  if (resources === undefined || !touchesNodes) return;
  if (resources.configurations[resources.pointer] !== configurationOf(group)) return;
  nodeGroups.addTemplateVersion(group.name, group);
  const versions = Object.keys(nodeGroups.group(group.name).resources?.configurations ?? {}).map(Number);
  nodeGroups.pointAt(group.name, String(Math.max(...versions)));
}
