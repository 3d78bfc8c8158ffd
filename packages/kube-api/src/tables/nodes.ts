import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, type TableColumns, nameAndColumns, wideColumn } from './columns.ts';
import { readPath, readList, readText } from './reading.ts';

const nodeColumnsWith = (kernelText: (node: ApiObject) => string): TableColumns =>
  nameAndColumns(
    defineColumn('Status', (node) => statusText(node)),
    defineColumn('Roles', (node) => rolesText(node)),
    ageColumn,
    defineColumn('Version', (node) => readText(node, 'status.nodeInfo.kubeletVersion')),
    defineColumn('Internal-IP', (node) => addressOf(node, 'InternalIP'), wideColumn),
    defineColumn('External-IP', (node) => addressOf(node, 'ExternalIP'), wideColumn),
    defineColumn('OS-Image', (node) => readText(node, 'status.nodeInfo.osImage', '<unknown>'), wideColumn),
    defineColumn('Kernel-Version', kernelText, wideColumn),
    defineColumn(
      'Container-Runtime',
      (node) => readText(node, 'status.nodeInfo.containerRuntimeVersion', '<unknown>'),
      wideColumn,
    ),
  );

const kernelVersion = (node: ApiObject): string => readText(node, 'status.nodeInfo.kernelVersion', '<unknown>');

/** The kernel with the architecture, when the node tells both. */
function kernelAndArchitecture(node: ApiObject): string {
  const kernel = kernelVersion(node);
  const architecture = readText(node, 'status.nodeInfo.architecture');
  return kernel === '<unknown>' || architecture === '' ? kernel : `${kernel} (${architecture})`;
}

export const nodeColumns = nodeColumnsWith(kernelAndArchitecture);

/** The columns of servers before 1.35. */
export const olderNodeColumns = nodeColumnsWith(kernelVersion);

function statusText(node: ApiObject): string {
  const ready = readList(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return readPath(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status;
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
  const found = readList(node, 'status.addresses').find(({ type }) => type === wanted);
  return found === undefined ? '<none>' : readText(found, 'address', '<none>');
};
