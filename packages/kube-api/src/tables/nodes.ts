import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, column, type Columns, columns, wide } from './columns.ts';
import { at, listAt, textAt } from './reading.ts';

export const nodeColumns: Columns = columns(
  column('Status', (node) => statusText(node)),
  column('Roles', (node) => rolesText(node)),
  ageColumn,
  column('Version', (node) => textAt(node, 'status.nodeInfo.kubeletVersion')),
  column('Internal-IP', (node) => addressOf(node, 'InternalIP'), wide),
  column('External-IP', (node) => addressOf(node, 'ExternalIP'), wide),
  column('OS-Image', (node) => textAt(node, 'status.nodeInfo.osImage', '<unknown>'), wide),
  column('Kernel-Version', (node) => kernelText(node), wide),
  column('Container-Runtime', (node) => textAt(node, 'status.nodeInfo.containerRuntimeVersion', '<unknown>'), wide),
);

function statusText(node: ApiObject): string {
  const ready = listAt(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesText({ metadata }: ApiObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return [...new Set(roles)].toSorted().join(',') || '<none>';
}

const addressOf = (node: ApiObject, wanted: string): string => {
  const found = listAt(node, 'status.addresses').find(({ type }) => type === wanted);
  return found === undefined ? '<none>' : textAt(found, 'address', '<none>');
};

/** Servers of the newest version put the architecture behind it. */
const kernelText = (node: ApiObject): string => textAt(node, 'status.nodeInfo.kernelVersion', '<unknown>');
