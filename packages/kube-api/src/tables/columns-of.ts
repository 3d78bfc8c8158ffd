import { readOwn } from '@nodewright/apis';
import type { Resource } from '../resources/resource.ts';
import { ageColumn, type TableColumns, nameAndColumns } from './columns.ts';
import { customColumns } from './custom-columns.ts';
import { describeColumn } from './column-words.ts';
import { nodeColumns, olderNodeColumns } from './nodes.ts';
import { networkColumns } from './network-kinds.ts';
import { olderAccountColumns, otherColumns } from './other-kinds.ts';
import { serverColumns } from './server-kinds.ts';
import { podColumns } from './pods.ts';
import {
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts';

const builtInColumns: Readonly<Record<string, TableColumns>> = {
  ...otherColumns,
  ...networkColumns,
  ...serverColumns,
  pods: podColumns,
  nodes: nodeColumns,
  'deployments.apps': deploymentColumns,
  'replicasets.apps': replicaSetColumns,
  'statefulsets.apps': statefulSetColumns,
  'daemonsets.apps': daemonSetColumns,
  podtemplates: podTemplateColumns,
  replicationcontrollers: replicationControllerColumns,
  'jobs.batch': jobColumns,
  'cronjobs.batch': cronJobColumns,
};

const firstMinorOfNewColumns = 35;

/** Kinds whose columns were others before 1.35. */
const olderColumns: Readonly<Record<string, TableColumns>> = {
  nodes: olderNodeColumns,
  serviceaccounts: olderAccountColumns,
};

const ageOnly = nameAndColumns(ageColumn);

/** The columns of a resource in a minor version; name and age for a kind without columns of its own. */
export function columnsOfResource(resource: Resource, minor: number): TableColumns {
  if (resource.custom !== undefined) return customColumns(resource.custom.printerColumns);
  const older = minor < firstMinorOfNewColumns ? readOwn(olderColumns, resource.collection) : undefined;
  return describeColumns(resource.collection, older ?? readOwn(builtInColumns, resource.collection) ?? ageOnly);
}

const describeColumns = (collection: string, { definitions, cells }: TableColumns): TableColumns => ({
  definitions: definitions.map((definition) => ({
    ...definition,
    description: describeColumn(collection, definition.name),
  })),
  cells,
});
