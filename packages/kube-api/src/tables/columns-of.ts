import { readOwn } from '@nodewright/apis';
import type { Resource } from '../resources/resource.ts';
import { ageColumn, type TableColumns, nameAndColumns } from './columns.ts';
import { customColumns } from './custom-columns.ts';
import { nodeColumns } from './nodes.ts';
import { networkColumns } from './network-kinds.ts';
import { otherColumns } from './other-kinds.ts';
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

const ageOnly = nameAndColumns(ageColumn);

/** The columns of a resource; name and age for a kind without columns of its own. */
export const columnsOfResource = (resource: Resource): TableColumns =>
  resource.custom === undefined
    ? (readOwn(builtInColumns, resource.collection) ?? ageOnly)
    : customColumns(resource.custom.printerColumns);
