import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, integerColumn, nameAndColumns, type TableColumns } from './columns.ts';
import { readList, readNumber, readPath, readText } from './reading.ts';

const pathColumn = (name: string, path: string, otherwise = '') =>
  defineColumn(name, (object) => readText(object, path, otherwise));

const booleanColumn = (name: string, path: string) =>
  defineColumn(name, (object) => readPath(object, path) === true, { type: 'boolean' });

const driverColumns = nameAndColumns(
  booleanColumn('AttachRequired', 'spec.attachRequired'),
  booleanColumn('PodInfoOnMount', 'spec.podInfoOnMount'),
  booleanColumn('StorageCapacity', 'spec.storageCapacity'),
  defineColumn(
    'TokenRequests',
    (object) =>
      readList(object, 'spec.tokenRequests')
        .map((request) => readText(request, 'audience'))
        .join(',') || '<unset>',
  ),
  booleanColumn('RequiresRepublish', 'spec.requiresRepublish'),
  defineColumn('Modes', (object) =>
    ((readPath(object, 'spec.volumeLifecycleModes') ?? []) as readonly string[]).join(','),
  ),
  ageColumn,
);

const paramKindText = (object: ApiObject): string => {
  const kind = readText(object, 'spec.paramKind.kind');
  return kind === '' ? '<unset>' : `${readText(object, 'spec.paramKind.apiVersion')}/${kind}`;
};

const admissionPolicyColumns = (counted: string, path: string): TableColumns =>
  nameAndColumns(
    defineColumn(counted, (object) => readList(object, path).length, integerColumn),
    defineColumn('ParamKind', paramKindText),
    ageColumn,
  );

const policyBindingColumns = nameAndColumns(
  pathColumn('PolicyName', 'spec.policyName'),
  defineColumn('ParamRef', (object) => paramRefText(object)),
  ageColumn,
);

function paramRefText(object: ApiObject): string {
  const name = readText(object, 'spec.paramRef.name');
  if (readPath(object, 'spec.paramRef') === undefined) return '<unset>';
  const namespace = readText(object, 'spec.paramRef.namespace');
  return namespace === '' ? name : `${namespace}/${name}`;
}

const flowColumns = nameAndColumns(
  pathColumn('PriorityLevel', 'spec.priorityLevelConfiguration.name', '<none>'),
  defineColumn('MatchingPrecedence', (object) => readNumber(object, 'spec.matchingPrecedence')),
  pathColumn('DistinguisherMethod', 'spec.distinguisherMethod.type', '<none>'),
  ageColumn,
  defineColumn('MissingPL', (object) => {
    const dangling = readList(object, 'status.conditions').find((condition) => condition['type'] === 'Dangling');
    return dangling === undefined ? '?' : readText(dangling, 'status');
  }),
);

const queuing = 'spec.limited.limitResponse.queuing';

const levelColumns = nameAndColumns(
  pathColumn('Type', 'spec.type'),
  defineColumn(
    'NominalConcurrencyShares',
    (object) => readPath(object, 'spec.limited.nominalConcurrencyShares') ?? '<none>',
  ),
  pathColumn('Queues', `${queuing}.queues`, '<none>'),
  pathColumn('HandSize', `${queuing}.handSize`, '<none>'),
  pathColumn('QueueLengthLimit', `${queuing}.queueLengthLimit`, '<none>'),
  ageColumn,
);

const componentText = (object: ApiObject, member: string): string =>
  readList(object, 'conditions')
    .filter((condition) => condition['type'] === 'Healthy')
    .map((condition) => readText(condition, member))
    .join('');

const componentColumns = nameAndColumns(
  defineColumn('Status', (object) => (componentText(object, 'status') === 'True' ? 'Healthy' : 'Unhealthy')),
  defineColumn('Message', (object) => componentText(object, 'message')),
  defineColumn('Error', (object) => componentText(object, 'error')),
);

/** What a claim of devices has come to. */
function claimState(object: ApiObject): string {
  const states = [
    ...(object.metadata.deletionTimestamp === undefined ? [] : ['deleted']),
    ...(readPath(object, 'status.allocation') === undefined ? ['pending'] : ['allocated']),
    ...(readList(object, 'status.reservedFor').length === 0 ? [] : ['reserved']),
  ];
  return states.join(',');
}

/** The columns of the kinds that configure the server and its storage and devices. */
export const serverColumns: Readonly<Record<string, TableColumns>> = {
  'csidrivers.storage.k8s.io': driverColumns,
  'csistoragecapacities.storage.k8s.io': nameAndColumns(
    defineColumn('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' }),
  ),
  'volumeattributesclasses.storage.k8s.io': nameAndColumns(pathColumn('DriverName', 'driverName'), ageColumn),
  'runtimeclasses.node.k8s.io': nameAndColumns(pathColumn('Handler', 'handler'), ageColumn),
  'validatingadmissionpolicies.admissionregistration.k8s.io': admissionPolicyColumns('Validations', 'spec.validations'),
  'mutatingadmissionpolicies.admissionregistration.k8s.io': admissionPolicyColumns('Mutations', 'spec.mutations'),
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  componentstatuses: componentColumns,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowColumns,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': levelColumns,
  'resourceclaims.resource.k8s.io': nameAndColumns(defineColumn('State', claimState), ageColumn),
  'resourceslices.resource.k8s.io': nameAndColumns(
    pathColumn('Node', 'spec.nodeName', '<unset>'),
    pathColumn('Driver', 'spec.driver'),
    pathColumn('Pool', 'spec.pool.name'),
    ageColumn,
  ),
};
