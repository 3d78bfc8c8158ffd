import { type Instant, readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, column, type Columns, columns, exactColumns, integer, sinceText, wide } from './columns.ts';
import { at, labelsText, listAt, numberAt, textAt } from './reading.ts';

const createdAt = columns(column('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' }));

const textColumn = (name: string, path: string, otherwise = '') =>
  column(name, (object) => textAt(object, path, otherwise));

const countOf = (object: ApiObject, path: string): number => Object.keys(at(object, path) ?? {}).length;

const eventColumns = exactColumns(
  column('Last Seen', (event, now) => lastSeen(event, now)),
  textColumn('Type', 'type'),
  textColumn('Reason', 'reason'),
  column('Object', (event) => objectText(event)),
  column('Subobject', (event) => textAt(event, 'involvedObject.fieldPath'), wide),
  column('Source', (event) => sourceText(event), wide),
  column('Message', (event) => textAt(event, 'message').trim()),
  column('First Seen', (event, now) => firstSeen(event, now), wide),
  column('Count', (event) => Math.max(1, numberAt(event, 'count')), wide),
  column('Name', ({ metadata }) => metadata.name, { ...wide, format: 'name' }),
);

/** Events of the newer kind have an event time where older ones have two timestamps. */
const firstTimestamp = (event: ApiObject): string => textAt(event, 'firstTimestamp', textAt(event, 'eventTime'));

const firstSeen = (event: ApiObject, now: Instant): string => sinceText(firstTimestamp(event), now);

function lastSeen(event: ApiObject, now: Instant): string {
  const series = textAt(event, 'series.lastObservedTime');
  const last = series === '' ? textAt(event, 'lastTimestamp', firstTimestamp(event)) : series;
  const count = numberAt(event, 'count');
  if (count > 1) return `${sinceText(last, now)} (x${count} over ${firstSeen(event, now)})`;
  return sinceText(last, now);
}

const objectText = (event: ApiObject): string =>
  `${textAt(event, 'involvedObject.kind').toLowerCase()}/${textAt(event, 'involvedObject.name')}`;

function sourceText(event: ApiObject): string {
  const component = textAt(event, 'source.component', textAt(event, 'reportingComponent'));
  const host = textAt(event, 'source.host', textAt(event, 'reportingInstance'));
  return host === '' || host === component ? component : `${component}, ${host}`;
}

const serviceColumns = columns(
  textColumn('Type', 'spec.type', 'ClusterIP'),
  textColumn('Cluster-IP', 'spec.clusterIP', '<none>'),
  column('External-IP', (service) => externalIp(service)),
  column('Port(s)', (service) => portsText(service)),
  ageColumn,
  column('Selector', (service) => labelsText(at(service, 'spec.selector')), wide),
);

function externalIp(service: ApiObject): string {
  const ingress = listAt(service, 'status.loadBalancer.ingress').map((entry) =>
    textAt(entry, 'ip', textAt(entry, 'hostname')),
  );
  const addresses = [...ingress, ...((at(service, 'spec.externalIPs') ?? []) as readonly string[])];
  if (textAt(service, 'spec.type') === 'ExternalName') return textAt(service, 'spec.externalName');
  if (addresses.length > 0) return addresses.join(',');
  return textAt(service, 'spec.type') === 'LoadBalancer' ? '<pending>' : '<none>';
}

const portsText = (service: ApiObject): string =>
  listAt(service, 'spec.ports')
    .map((port) => {
      const nodePort = numberAt(port, 'nodePort');
      return `${numberAt(port, 'port')}${nodePort === 0 ? '' : `:${nodePort}`}/${textAt(port, 'protocol', 'TCP')}`;
    })
    .join(',') || '<none>';

const budgetColumns = columns(
  textColumn('Min Available', 'spec.minAvailable', 'N/A'),
  textColumn('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
  column('Allowed Disruptions', (budget) => numberAt(budget, 'status.disruptionsAllowed'), integer),
  ageColumn,
);

const claimColumns = columns(
  column('Status', (claim) =>
    claim.metadata.deletionTimestamp === undefined ? textAt(claim, 'status.phase') : 'Terminating',
  ),
  textColumn('Volume', 'spec.volumeName'),
  textColumn('Capacity', 'status.capacity.storage'),
  column('Access Modes', (claim) => accessModes(at(claim, 'status.accessModes'))),
  textColumn('StorageClass', 'spec.storageClassName'),
  textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
  ageColumn,
  column('VolumeMode', (claim) => textAt(claim, 'spec.volumeMode'), wide),
);

const volumeColumns = columns(
  textColumn('Capacity', 'spec.capacity.storage'),
  column('Access Modes', (volume) => accessModes(at(volume, 'spec.accessModes'))),
  textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
  column('Status', (volume) =>
    volume.metadata.deletionTimestamp === undefined ? textAt(volume, 'status.phase') : 'Terminating',
  ),
  column('Claim', (volume) => claimText(volume)),
  textColumn('StorageClass', 'spec.storageClassName'),
  textColumn('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
  textColumn('Reason', 'status.reason'),
  ageColumn,
  column('VolumeMode', (volume) => textAt(volume, 'spec.volumeMode', '<unset>'), wide),
);

function claimText(volume: ApiObject): string {
  const name = textAt(volume, 'spec.claimRef.name');
  return name === '' ? '' : `${textAt(volume, 'spec.claimRef.namespace')}/${name}`;
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (modes: unknown): string =>
  ((modes ?? []) as readonly string[]).map((mode) => readOwn(shortModes, mode) ?? mode).join(',');

const sliceColumns = columns(
  textColumn('AddressType', 'addressType'),
  column(
    'Ports',
    (slice) =>
      listAt(slice, 'ports')
        .map((port) => textAt(port, 'port', '*'))
        .join(',') || '<unset>',
  ),
  column(
    'Endpoints',
    (slice) =>
      listAt(slice, 'endpoints')
        .flatMap(({ addresses }) => addresses as string[])
        .join(',') || '<unset>',
  ),
  ageColumn,
);

const revisionColumns = columns(
  column('Controller', ({ metadata }) => {
    const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
    return owner === undefined
      ? '<none>'
      : `${owner.kind.toLowerCase()}.${owner.apiVersion.split('/')[0]}/${owner.name}`;
  }),
  column('Revision', (object) => numberAt(object, 'revision')),
  ageColumn,
);

const attachmentColumns = columns(
  textColumn('Attacher', 'spec.attacher'),
  textColumn('PV', 'spec.source.persistentVolumeName'),
  textColumn('Node', 'spec.nodeName'),
  column('Attached', (object) => at(object, 'status.attached') === true, { type: 'boolean' }),
  ageColumn,
);

const webhookColumns = columns(
  column('Webhooks', (object) => listAt(object, 'webhooks').length, integer),
  ageColumn,
);

const autoscalerColumns = columns(
  column(
    'Reference',
    (scaler) => `${textAt(scaler, 'spec.scaleTargetRef.kind')}/${textAt(scaler, 'spec.scaleTargetRef.name')}`,
  ),
  column('Targets', (scaler) => targetsText(scaler)),
  textColumn('MinPods', 'spec.minReplicas', '<unset>'),
  column('MaxPods', (scaler) => numberAt(scaler, 'spec.maxReplicas'), integer),
  column('Replicas', (scaler) => numberAt(scaler, 'status.currentReplicas'), integer),
  ageColumn,
);

/** Nothing measures pods here, so every current value is unknown. */
const targetsText = (scaler: ApiObject): string =>
  listAt(scaler, 'spec.metrics')
    .map((metric) => {
      const name = textAt(metric, 'resource.name');
      const percent = textAt(metric, 'resource.target.averageUtilization');
      const wanted = percent === '' ? textAt(metric, 'resource.target.averageValue', '<auto>') : `${percent}%`;
      return `${name === '' ? '' : `${name}: `}<unknown>/${wanted}`;
    })
    .join(', ') || '<none>';

const quotaColumns = columns(
  ageColumn,
  column('Request', (quota) => quotaText(quota, (name) => !name.startsWith('limits'))),
  column('Limit', (quota) => quotaText(quota, (name) => name.startsWith('limits'))),
);

const quotaText = (quota: ApiObject, isShown: (name: string) => boolean): string =>
  Object.entries((at(quota, 'spec.hard') ?? {}) as Readonly<Record<string, string>>)
    .filter(([name]) => isShown(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => {
      const used = (at(quota, 'status.used') ?? {}) as Readonly<Record<string, string>>;
      return `${name}: ${readOwn(used, name) ?? '0'}/${hard}`;
    })
    .join(', ');

/** Kinds that need no file of their own. */
export const otherColumns: Readonly<Record<string, Columns>> = {
  configmaps: columns(
    column('Data', (map) => countOf(map, 'data') + countOf(map, 'binaryData')),
    ageColumn,
  ),
  secrets: columns(
    textColumn('Type', 'type'),
    column('Data', (secret) => countOf(secret, 'data')),
    ageColumn,
  ),
  namespaces: columns(textColumn('Status', 'status.phase'), ageColumn),
  serviceaccounts: columns(
    column('Secrets', (account) => listAt(account, 'secrets').length, integer),
    ageColumn,
  ),
  resourcequotas: quotaColumns,
  'horizontalpodautoscalers.autoscaling': autoscalerColumns,
  events: eventColumns,
  services: serviceColumns,
  persistentvolumeclaims: claimColumns,
  persistentvolumes: volumeColumns,
  'poddisruptionbudgets.policy': budgetColumns,
  'leases.coordination.k8s.io': columns(textColumn('Holder', 'spec.holderIdentity'), ageColumn),
  'endpointslices.discovery.k8s.io': sliceColumns,
  'controllerrevisions.apps': revisionColumns,
  'volumeattachments.storage.k8s.io': attachmentColumns,
  'csinodes.storage.k8s.io': columns(
    column('Drivers', (object) => listAt(object, 'spec.drivers').length, integer),
    ageColumn,
  ),
  'priorityclasses.scheduling.k8s.io': columns(
    column('Value', (object) => numberAt(object, 'value'), integer),
    column('Global-Default', (object) => at(object, 'globalDefault') === true, { type: 'boolean' }),
    ageColumn,
    textColumn('PreemptionPolicy', 'preemptionPolicy'),
  ),
  'storageclasses.storage.k8s.io': columns(
    textColumn('Provisioner', 'provisioner'),
    textColumn('ReclaimPolicy', 'reclaimPolicy', 'Delete'),
    textColumn('VolumeBindingMode', 'volumeBindingMode', 'Immediate'),
    column('AllowVolumeExpansion', (object) => at(object, 'allowVolumeExpansion') === true),
    ageColumn,
  ),
  'apiservices.apiregistration.k8s.io': columns(
    column('Service', () => 'Local'),
    column('Available', () => 'True'),
    ageColumn,
  ),
  'certificatesigningrequests.certificates.k8s.io': columns(
    ageColumn,
    textColumn('SignerName', 'spec.signerName'),
    textColumn('Requestor', 'spec.username'),
    column('RequestedDuration', () => '<none>'),
    column('Condition', () => 'Pending'),
  ),
  'customresourcedefinitions.apiextensions.k8s.io': createdAt,
  'clusterroles.rbac.authorization.k8s.io': createdAt,
  'roles.rbac.authorization.k8s.io': createdAt,
  'clusterrolebindings.rbac.authorization.k8s.io': columns(
    column('Role', (object) => roleText(object)),
    ageColumn,
  ),
  'rolebindings.rbac.authorization.k8s.io': columns(
    column('Role', (object) => roleText(object)),
    ageColumn,
  ),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
};

const roleText = (object: ApiObject): string => `${textAt(object, 'roleRef.kind')}/${textAt(object, 'roleRef.name')}`;
