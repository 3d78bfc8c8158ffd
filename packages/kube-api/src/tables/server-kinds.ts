import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, integerColumn, nameAndColumns, type TableColumns } from './columns.ts';
import { readList, readNumber, readPath, readText } from './reading.ts';

const textColumn = (name: string, path: string, otherwise = '') =>
  defineColumn(name, (object) => readText(object, path, otherwise));

const flagColumn = (name: string, path: string) =>
  defineColumn(name, (object) => readPath(object, path) === true, { type: 'boolean' });

const driverColumns = nameAndColumns(
  flagColumn('AttachRequired', 'spec.attachRequired'),
  flagColumn('PodInfoOnMount', 'spec.podInfoOnMount'),
  flagColumn('StorageCapacity', 'spec.storageCapacity'),
  defineColumn(
    'TokenRequests',
    (object) =>
      readList(object, 'spec.tokenRequests')
        .map((request) => readText(request, 'audience'))
        .join(',') || '<unset>',
  ),
  flagColumn('RequiresRepublish', 'spec.requiresRepublish'),
  defineColumn('Modes', (object) =>
    ((readPath(object, 'spec.volumeLifecycleModes') ?? []) as readonly string[]).join(','),
  ),
  ageColumn,
);

const paramKindText = (object: ApiObject): string => {
  const kind = readText(object, 'spec.paramKind.kind');
  return kind === '' ? '<unset>' : `${readText(object, 'spec.paramKind.apiVersion')}/${kind}`;
};

const policyColumns = (counted: string, path: string): TableColumns =>
  nameAndColumns(
    defineColumn(counted, (object) => readList(object, path).length, integerColumn),
    defineColumn('ParamKind', paramKindText),
    ageColumn,
  );

const policyBindingColumns = nameAndColumns(
  textColumn('PolicyName', 'spec.policyName'),
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
  textColumn('PriorityLevel', 'spec.priorityLevelConfiguration.name', '<none>'),
  defineColumn('MatchingPrecedence', (object) => readNumber(object, 'spec.matchingPrecedence'), integerColumn),
  textColumn('DistinguisherMethod', 'spec.distinguisherMethod.type', '<none>'),
  ageColumn,
  defineColumn('MissingPL', (object) => {
    const dangling = readList(object, 'status.conditions').find((condition) => condition['type'] === 'Dangling');
    return dangling === undefined ? '?' : readText(dangling, 'status');
  }),
);

const queuing = 'spec.limited.limitResponse.queuing';

const levelColumns = nameAndColumns(
  textColumn('Type', 'spec.type'),
  textColumn('NominalConcurrencyShares', 'spec.limited.nominalConcurrencyShares', '<none>'),
  textColumn('Queues', `${queuing}.queues`, '<none>'),
  textColumn('HandSize', `${queuing}.handSize`, '<none>'),
  textColumn('QueueLengthLimit', `${queuing}.queueLengthLimit`, '<none>'),
  ageColumn,
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
    textColumn('StorageClassName', 'storageClassName'),
    textColumn('Capacity', 'capacity', '<unset>'),
  ),
  'volumeattributesclasses.storage.k8s.io': nameAndColumns(textColumn('DriverName', 'driverName'), ageColumn),
  'runtimeclasses.node.k8s.io': nameAndColumns(textColumn('Handler', 'handler'), ageColumn),
  'validatingadmissionpolicies.admissionregistration.k8s.io': policyColumns('Validations', 'spec.validations'),
  'mutatingadmissionpolicies.admissionregistration.k8s.io': policyColumns('Mutations', 'spec.mutations'),
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowColumns,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': levelColumns,
  'resourceclaims.resource.k8s.io': nameAndColumns(defineColumn('State', claimState), ageColumn),
  'resourceslices.resource.k8s.io': nameAndColumns(
    textColumn('Node', 'spec.nodeName', '<unset>'),
    textColumn('Driver', 'spec.driver'),
    textColumn('Pool', 'spec.pool.name'),
    ageColumn,
  ),
};
