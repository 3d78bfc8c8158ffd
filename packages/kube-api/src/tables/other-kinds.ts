import { byTextOf, type Instant, readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import {
  ageColumn,
  defineColumn,
  type TableColumns,
  nameAndColumns,
  exactColumns,
  integerColumn,
  sinceText,
  wideColumn,
} from './columns.ts';
import { autoscalerColumns } from './autoscalers.ts';
import { firstTexts } from './first-texts.ts';
import { signingRequestColumns } from './signing-requests.ts';
import { readPath, labelsText, readList, readNumber, readText } from './reading.ts';

const createdAtOnly = nameAndColumns(
  defineColumn('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' }),
);

const textColumn = (name: string, path: string, otherwise = '') =>
  defineColumn(name, (object) => readText(object, path, otherwise));

const countMembers = (object: ApiObject, path: string): number => Object.keys(readPath(object, path) ?? {}).length;

const eventColumns = exactColumns(
  defineColumn('Last Seen', (event, now) => lastSeen(event, now)),
  textColumn('Type', 'type'),
  textColumn('Reason', 'reason'),
  defineColumn('Object', (event) => involvedObjectText(event)),
  defineColumn('Subobject', (event) => readText(event, 'involvedObject.fieldPath'), wideColumn),
  defineColumn('Source', (event) => sourceText(event), wideColumn),
  defineColumn('Message', (event) => readText(event, 'message').trim()),
  defineColumn('First Seen', (event, now) => firstSeen(event, now), wideColumn),
  defineColumn('Count', (event) => eventCount(event), wideColumn),
  defineColumn('Name', ({ metadata }) => metadata.name ?? '', { ...wideColumn, format: 'name' }),
);

/** Newer events have one event time where older events have two timestamps. */
const firstTimestamp = (event: ApiObject): string => readText(event, 'firstTimestamp', readText(event, 'eventTime'));

const firstSeen = (event: ApiObject, now: Instant): string => sinceText(firstTimestamp(event), now);

const lastSeen = (event: ApiObject, now: Instant): string =>
  sinceText(readText(event, 'series.lastObservedTime', readText(event, 'lastTimestamp', firstTimestamp(event))), now);

const eventCount = (event: ApiObject): number =>
  readNumber(event, readPath(event, 'series') === undefined ? 'count' : 'series.count') || 1;

const involvedObjectText = (event: ApiObject): string =>
  `${readText(event, 'involvedObject.kind').toLowerCase()}/${readText(event, 'involvedObject.name')}`;

function sourceText(event: ApiObject): string {
  const component = readText(event, 'source.component', readText(event, 'reportingComponent'));
  const host = readText(event, 'source.host', readText(event, 'reportingInstance'));
  return host === '' || host === component ? component : `${component}, ${host}`;
}

const serviceColumns = nameAndColumns(
  textColumn('Type', 'spec.type', 'ClusterIP'),
  textColumn('Cluster-IP', 'spec.clusterIP', '<none>'),
  defineColumn('External-IP', (service) => externalIp(service)),
  defineColumn('Port(s)', (service) => portsText(service)),
  ageColumn,
  defineColumn('Selector', (service) => labelsText(readPath(service, 'spec.selector')), wideColumn),
);

function externalIp(service: ApiObject): string {
  const ingress = readList(service, 'status.loadBalancer.ingress').map((entry) =>
    readText(entry, 'ip', readText(entry, 'hostname')),
  );
  const addresses = [...ingress, ...((readPath(service, 'spec.externalIPs') ?? []) as readonly string[])];
  if (readText(service, 'spec.type') === 'ExternalName') return readText(service, 'spec.externalName');
  if (addresses.length > 0) return addresses.join(',');
  return readText(service, 'spec.type') === 'LoadBalancer' ? '<pending>' : '<none>';
}

const portsText = (service: ApiObject): string =>
  readList(service, 'spec.ports')
    .map((port) => {
      const nodePort = readNumber(port, 'nodePort');
      return `${readNumber(port, 'port')}${nodePort === 0 ? '' : `:${nodePort}`}/${readText(port, 'protocol', 'TCP')}`;
    })
    .join(',') || '<none>';

const budgetColumns = nameAndColumns(
  textColumn('Min Available', 'spec.minAvailable', 'N/A'),
  textColumn('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
  defineColumn('Allowed Disruptions', (budget) => readNumber(budget, 'status.disruptionsAllowed'), integerColumn),
  ageColumn,
);

const claimColumns = nameAndColumns(
  defineColumn('Status', (claim) =>
    claim.metadata.deletionTimestamp === undefined ? readText(claim, 'status.phase') : 'Terminating',
  ),
  textColumn('Volume', 'spec.volumeName'),
  textColumn('Capacity', 'status.capacity.storage'),
  defineColumn('Access Modes', (claim) => accessModes(readPath(claim, 'status.accessModes'))),
  textColumn('StorageClass', 'spec.storageClassName'),
  textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
  ageColumn,
  defineColumn('VolumeMode', (claim) => readText(claim, 'spec.volumeMode'), wideColumn),
);

const volumeColumns = nameAndColumns(
  textColumn('Capacity', 'spec.capacity.storage'),
  defineColumn('Access Modes', (volume) => accessModes(readPath(volume, 'spec.accessModes'))),
  textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
  defineColumn('Status', (volume) =>
    volume.metadata.deletionTimestamp === undefined ? readText(volume, 'status.phase') : 'Terminating',
  ),
  defineColumn('Claim', (volume) => claimText(volume)),
  textColumn('StorageClass', 'spec.storageClassName'),
  textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
  textColumn('Reason', 'status.reason'),
  ageColumn,
  defineColumn('VolumeMode', (volume) => readText(volume, 'spec.volumeMode', '<unset>'), wideColumn),
);

function claimText(volume: ApiObject): string {
  const name = readText(volume, 'spec.claimRef.name');
  return name === '' ? '' : `${readText(volume, 'spec.claimRef.namespace')}/${name}`;
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (modes: unknown): string =>
  ((modes ?? []) as readonly string[]).map((mode) => readOwn(shortModes, mode) ?? mode).join(',');

const sliceColumns = nameAndColumns(
  textColumn('AddressType', 'addressType'),
  defineColumn(
    'Ports',
    (slice) => firstTexts(readList(slice, 'ports').map((port) => readText(port, 'port', '*'))) || '<unset>',
  ),
  defineColumn(
    'Endpoints',
    (slice) =>
      firstTexts(readList(slice, 'endpoints').flatMap((point) => (point['addresses'] ?? []) as readonly string[])) ||
      '<unset>',
  ),
  ageColumn,
);

const revisionColumns = nameAndColumns(
  defineColumn('Controller', ({ metadata }) => {
    const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
    return owner === undefined
      ? '<none>'
      : `${owner.kind.toLowerCase()}.${owner.apiVersion.split('/')[0]}/${owner.name}`;
  }),
  defineColumn('Revision', (object) => readNumber(object, 'revision')),
  ageColumn,
);

const attachmentColumns = nameAndColumns(
  defineColumn('Attacher', (object) => readText(object, 'spec.attacher'), { format: 'name' }),
  textColumn('PV', 'spec.source.persistentVolumeName'),
  textColumn('Node', 'spec.nodeName'),
  defineColumn('Attached', (object) => readPath(object, 'status.attached') === true, { type: 'boolean' }),
  ageColumn,
);

const webhookColumns = nameAndColumns(
  defineColumn('Webhooks', (object) => readList(object, 'webhooks').length, integerColumn),
  ageColumn,
);

const quotaColumns = nameAndColumns(
  ageColumn,
  defineColumn('Request', (quota) => quotaText(quota, (name) => !name.startsWith('limits'))),
  defineColumn('Limit', (quota) => quotaText(quota, (name) => name.startsWith('limits'))),
);

const quotaText = (quota: ApiObject, isShown: (name: string) => boolean): string =>
  Object.entries((readPath(quota, 'spec.hard') ?? {}) as Readonly<Record<string, string>>)
    .filter(([name]) => isShown(name))
    .toSorted(byTextOf(([name]) => name))
    .map(([name, hard]) => {
      const used = (readPath(quota, 'status.used') ?? {}) as Readonly<Record<string, string>>;
      return `${name}: ${readOwn(used, name) ?? '0'}/${hard}`;
    })
    .join(', ');

/** The column that servers before 1.35 have for service accounts. */
export const olderAccountColumns = nameAndColumns(
  defineColumn('Secrets', (account) => readList(account, 'secrets').length, integerColumn),
  ageColumn,
);

/** Kinds that need no file of their own. */
export const otherColumns: Readonly<Record<string, TableColumns>> = {
  configmaps: nameAndColumns(
    defineColumn('Data', (map) => countMembers(map, 'data') + countMembers(map, 'binaryData')),
    ageColumn,
  ),
  secrets: nameAndColumns(
    textColumn('Type', 'type'),
    defineColumn('Data', (secret) => countMembers(secret, 'data')),
    ageColumn,
  ),
  namespaces: nameAndColumns(textColumn('Status', 'status.phase'), ageColumn),
  resourcequotas: quotaColumns,
  limitranges: createdAtOnly,
  'horizontalpodautoscalers.autoscaling': autoscalerColumns,
  events: eventColumns,
  services: serviceColumns,
  persistentvolumeclaims: claimColumns,
  persistentvolumes: volumeColumns,
  'poddisruptionbudgets.policy': budgetColumns,
  'leases.coordination.k8s.io': nameAndColumns(textColumn('Holder', 'spec.holderIdentity'), ageColumn),
  'endpointslices.discovery.k8s.io': sliceColumns,
  'controllerrevisions.apps': revisionColumns,
  'volumeattachments.storage.k8s.io': attachmentColumns,
  'csinodes.storage.k8s.io': nameAndColumns(
    defineColumn('Drivers', (object) => readList(object, 'spec.drivers').length, integerColumn),
    ageColumn,
  ),
  'priorityclasses.scheduling.k8s.io': nameAndColumns(
    defineColumn('Value', (object) => readNumber(object, 'value'), integerColumn),
    defineColumn('Global-Default', (object) => readPath(object, 'globalDefault') === true, { type: 'boolean' }),
    ageColumn,
    textColumn('PreemptionPolicy', 'preemptionPolicy'),
  ),
  'storageclasses.storage.k8s.io': nameAndColumns(
    textColumn('Provisioner', 'provisioner'),
    textColumn('ReclaimPolicy', 'reclaimPolicy', 'Delete'),
    textColumn('VolumeBindingMode', 'volumeBindingMode', 'Immediate'),
    defineColumn('AllowVolumeExpansion', (object) => readPath(object, 'allowVolumeExpansion') === true),
    ageColumn,
  ),
  'apiservices.apiregistration.k8s.io': nameAndColumns(
    defineColumn('Service', (object) => serviceOfVersion(object)),
    defineColumn('Available', (object) => availability(object)),
    ageColumn,
  ),
  'certificatesigningrequests.certificates.k8s.io': signingRequestColumns,
  'customresourcedefinitions.apiextensions.k8s.io': createdAtOnly,
  'clusterroles.rbac.authorization.k8s.io': createdAtOnly,
  'roles.rbac.authorization.k8s.io': createdAtOnly,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingColumns(),
  'rolebindings.rbac.authorization.k8s.io': bindingColumns(),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
};

function serviceOfVersion(object: ApiObject): string {
  if (readPath(object, 'spec.service') === undefined) return 'Local';
  return `${readText(object, 'spec.service.namespace')}/${readText(object, 'spec.service.name')}`;
}

function availability(object: ApiObject): string {
  const available = readList(object, 'status.conditions').find((condition) => condition['type'] === 'Available');
  if (available === undefined) return 'Unknown';
  const status = readText(available, 'status');
  return status === 'True' ? status : `${status} (${readText(available, 'reason')})`;
}

/** Who is bound shows with `-o wide`. */
function bindingColumns(): TableColumns {
  return nameAndColumns(
    defineColumn('Role', (object) => roleText(object)),
    ageColumn,
    defineColumn('Users', (object) => subjectsText(object, 'User'), wideColumn),
    defineColumn('Groups', (object) => subjectsText(object, 'Group'), wideColumn),
    defineColumn('ServiceAccounts', (object) => subjectsText(object, 'ServiceAccount'), wideColumn),
  );
}

const subjectsText = (object: ApiObject, kind: string): string =>
  readList(object, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${readText(subject, 'namespace')}/${readText(subject, 'name')}`
        : readText(subject, 'name'),
    )
    .join(', ');

const roleText = (object: ApiObject): string =>
  `${readText(object, 'roleRef.kind')}/${readText(object, 'roleRef.name')}`;
