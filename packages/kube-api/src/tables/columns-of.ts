import { readOwn } from '@nodewright/apis';
import type { Resource } from '../resources/resource.ts';
import { ageColumn, type Columns, columns } from './columns.ts';
import { customColumns } from './custom-columns.ts';
import { nodeColumns } from './nodes.ts';
import { otherColumns } from './other-kinds.ts';
import { podColumns } from './pods.ts';
import {
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './workloads.ts';

const builtIn: Readonly<Record<string, Columns>> = {
  ...otherColumns,
  pods: podColumns,
  nodes: nodeColumns,
  'deployments.apps': deploymentColumns,
  'replicasets.apps': replicaSetColumns,
  'statefulsets.apps': statefulSetColumns,
  'daemonsets.apps': daemonSetColumns,
  'jobs.batch': jobColumns,
  'cronjobs.batch': cronJobColumns,
};

const plain = columns(ageColumn);

/** How a resource is printed; name and age when nothing more is known. */
export const columnsOf = (resource: Resource): Columns =>
  resource.custom === undefined
    ? (readOwn(builtIn, resource.collection) ?? plain)
    : customColumns(resource.custom.printerColumns);
