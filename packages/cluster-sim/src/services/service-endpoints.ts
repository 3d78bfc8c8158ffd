import { byTextOf, kubernetesLabels, nodes, type Pod, pods, readOwn, services } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../control-plane/control-plane.ts';
import { startPlannedController } from '../control-plane/planned-controller.ts';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { deleteSameObject } from '../control-plane/writes.ts';
import { indexByNamespace, keyOfMeta } from '../objects/object-key.ts';
import { controlledBy } from '../objects/ownership.ts';
import { endpoints, type ServiceSlice, serviceSlices, type SelectingService } from './kinds.ts';
import { planEndpoints, type ServiceAction, type ServiceSnapshot } from './plan.ts';

const serviceName = 'kubernetes.io/service-name';
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const controllerName = 'endpointslice-controller.k8s.io';

/** Keeps the Endpoints and the EndpointSlices of services that select pods. */
export function runServiceEndpoints(control: ClusterControlPlane): void {
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'service endpoints',
    gapMs: countingGapMs,
    observe: (key) => observe(control, key),
    plan: planEndpoints,
    perform: (action, { service }) => perform(client, service, action),
  });
  watchServices(control, keys);
}

function observe({ watches }: ClusterControlPlane, key: string): ServiceSnapshot | undefined {
  const service = watches.of(services).get(key);
  if (service === undefined || service.metadata.deletionTimestamp !== undefined || !selectsPods(service))
    return undefined;
  const { namespace = '', name } = service.metadata;
  const slices = watches.of(serviceSlices).by(indexByNamespace, namespace);
  return {
    service,
    pods: watches
      .of(pods)
      .by(indexByNamespace, namespace)
      .filter((pod) => selectsPod(service, pod)),
    endpoints: watches.of(endpoints).get(key),
    slices: slices.filter((slice) => isOwnSlice(slice, name)).toSorted(byTextOf(({ metadata }) => metadata.name)),
    zoneOf: (nodeName) => readOwn(watches.of(nodes).get(nodeName)?.metadata.labels, kubernetesLabels.zone),
  };
}

const isOwnSlice = ({ metadata }: ServiceSlice, name: string): boolean =>
  readOwn(metadata.labels, serviceName) === name && readOwn(metadata.labels, managedBy) === controllerName;

const selectsPods = ({ spec }: SelectingService): boolean =>
  spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;

const selectsPod = ({ spec }: SelectingService, { metadata }: Pod): boolean =>
  Object.entries(spec?.selector ?? {}).every(([key, value]) => readOwn(metadata.labels, key) === value);

async function perform(client: KubernetesClient, service: SelectingService, action: ServiceAction): Promise<void> {
  const { namespace = '', name, labels } = service.metadata;
  switch (action.kind) {
    case 'writeEndpoints': {
      const metadata = { name, namespace, ...(labels && { labels }) };
      const object = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: action.subsets };
      const created = await unlessRefusedAs('AlreadyExists', client.create(endpoints, object));
      if (created !== undefined) return;
      await unlessGone(
        client.patch(endpoints, { namespace, name }, { type: 'merge', patch: { subsets: action.subsets } }),
      );
      return;
    }
    case 'createSlice': {
      const own = { [serviceName]: name, [managedBy]: controllerName, ...headlessLabel(service) };
      await client.create(serviceSlices, {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: '',
          generateName: `${name}-`,
          namespace,
          labels: { ...labels, ...own },
          ownerReferences: [controlledBy(services, service)],
        },
        addressType: 'IPv4',
        ...action.content,
      });
      return;
    }
    case 'updateSlice':
      await unlessGone(
        client.patch(serviceSlices, keyOfMeta(action.slice.metadata), { type: 'merge', patch: action.content }),
      );
      return;
    case 'deleteSlice':
      await deleteSameObject(client, serviceSlices, action.slice);
  }
}

const headlessLabel = ({ spec }: SelectingService): Readonly<Record<string, string>> =>
  spec?.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};

/** The collector of garbage does not know slices. */
async function forgetService(
  { watches, options: { client } }: ClusterControlPlane,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<void> {
  await unlessGone(client.delete(endpoints, { namespace, name }));
  const slices = watches.of(serviceSlices).by(indexByNamespace, namespace);
  for (const slice of slices.filter((each) => isOwnSlice(each, name)))
    await deleteSameObject(client, serviceSlices, slice);
}

function watchServices(control: ClusterControlPlane, keys: Keys): void {
  const { watches } = control;
  const known = watches.of(services);
  watches.of(nodes);
  known.onChange((before, after) => {
    const service = after ?? before;
    if (service === undefined) return;
    const { namespace = '', name } = service.metadata;
    keys.add(`${namespace}/${name}`);
    if (after === undefined) void forgetService(control, { namespace, name }).catch(() => undefined);
  });
  watches.of(pods).onChange((before, after) => {
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    for (const service of known.by(indexByNamespace, namespace)) {
      const isItsOwn = [before, after].some((pod) => pod !== undefined && selectsPod(service, pod));
      if (isItsOwn && selectsPods(service)) keys.add(`${namespace}/${service.metadata.name}`);
    }
  });
  watches.of(endpoints).onChange((before, after) => {
    const { namespace = '', name = '' } = (after ?? before)?.metadata ?? {};
    keys.add(`${namespace}/${name}`);
  });
  watches.of(serviceSlices).onChange((before, after) => {
    const { namespace = '', labels } = (after ?? before)?.metadata ?? {};
    const name = readOwn(labels, serviceName);
    if (name !== undefined) keys.add(`${namespace}/${name}`);
  });
}
