import { isObject, type JsonObject, jsonTextAt, memberOf } from '../schema/json.ts';
import { fillIn, changeMember, changeEachItem } from './fill.ts';

/** Defaults of a pod: the defaults of its spec, and the defaults that a pod template does not get. */
export function podDefaults(pod: JsonObject): JsonObject {
  return changeMember(changeMember(pod, 'status', podStatusDefaults), 'spec', (spec) => {
    const filled = fillIn(podSpecDefaults(spec), { enableServiceLinks: true });
    return ['initContainers', 'containers'].reduce(
      (done, key) => changeEachItem(done, key, (container) => changeMember(container, 'resources', requestsFromLimits)),
      filled,
    );
  });
}

/** The address of a pod is the first of its addresses. What features tell that are off by default is left out. */
function podStatusDefaults({ nodeAllocatableResourceClaimStatuses: _off, ...status }: JsonObject): JsonObject {
  const kept = containerStatusLists.reduce(
    (done, key) =>
      changeEachItem(done, key, (container) =>
        changeEachItem(container, 'volumeMounts', ({ volumeStatus: _status, ...mount }) => mount),
      ),
    status,
  );
  const address = jsonTextAt(kept, 'podIP');
  const { podIPs } = kept;
  const first = jsonTextAt(Array.isArray(podIPs) ? podIPs[0] : undefined, 'ip');
  if (address === '') return first === '' ? kept : { ...kept, podIP: first };
  return address === first ? kept : { ...kept, podIPs: [{ ip: address }] };
}

/** Where the status of a Pod tells of its containers. */
export const containerStatusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];

/** Defaults of a pod's spec, in a pod or in a template. */
export function podSpecDefaults({ schedulingGroup: _off, ...spec }: JsonObject): JsonObject {
  const filled = fillIn(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  const isOnHostNetwork = spec['hostNetwork'] === true;
  const withContainers = ['initContainers', 'containers', 'ephemeralContainers'].reduce(
    (done, key) => changeEachItem(done, key, (container) => containerDefaults(container, { isOnHostNetwork })),
    filled,
  );
  return changeEachItem(mirroredServiceAccount(withContainers), 'volumes', podVolumeDefaults);
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are kept equal. */
function mirroredServiceAccount(spec: JsonObject): JsonObject {
  const name = spec['serviceAccountName'] ?? spec['serviceAccount'];
  return name === undefined ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
}

function containerDefaults(container: JsonObject, pod: { readonly isOnHostNetwork: boolean }): JsonObject {
  const filled = fillIn(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(container['image']),
  });
  const withPorts = changeEachItem(filled, 'ports', (port) => portDefaults(port, pod));
  const probed = ['livenessProbe', 'readinessProbe', 'startupProbe'].reduce(
    (done, key) => changeMember(done, key, probeDefaults),
    withPorts,
  );
  const withLifecycle = changeMember(withoutStopSignal(probed), 'lifecycle', (lifecycle) =>
    ['postStart', 'preStop'].reduce((done, key) => changeMember(done, key, handlerDefaults), lifecycle),
  );
  return changeEachItem(withLifecycle, 'env', (variable) =>
    changeMember(variable, 'valueFrom', (source) =>
      changeMember(source, 'fieldRef', (reference) => fillIn(reference, { apiVersion: 'v1' })),
    ),
  );
}

/** Signals of containers belong to a feature that is off. */
function withoutStopSignal(container: JsonObject): JsonObject {
  const { lifecycle, ...others } = container;
  if (!isObject(lifecycle) || lifecycle['stopSignal'] === undefined) return container;
  const { stopSignal: _off, ...kept } = lifecycle;
  return Object.keys(kept).length === 0 ? others : { ...others, lifecycle: kept };
}

const hostPattern = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?/)?';
const pathPattern = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const imagePattern = new RegExp(`^${hostPattern}${pathPattern}(?:/${pathPattern})*(?::[\\w][\\w.-]{0,127})?$`);

/** `Always` for the tag `latest` and for no tag at all, unless the image is named by its digest, or is no name. */
function pullPolicy(image: unknown): string {
  if (typeof image !== 'string' || !imagePattern.test(image) || /^[0-9a-f]{64}$/.test(image)) return 'IfNotPresent';
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function portDefaults(port: JsonObject, pod: { readonly isOnHostNetwork: boolean }): JsonObject {
  const filled = { ...port, protocol: port['protocol'] || 'TCP' };
  const { containerPort } = port;
  return pod.isOnHostNetwork && containerPort !== undefined ? fillIn(filled, { hostPort: containerPort }) : filled;
}

function probeDefaults(probe: JsonObject): JsonObject {
  const filled = fillIn(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return changeMember(handlerDefaults(filled), 'grpc', (grpc) => fillIn(grpc, { service: '' }));
}

const handlerDefaults = (handler: JsonObject): JsonObject =>
  changeMember(handler, 'httpGet', (request) => fillIn(request, { path: '/', scheme: 'HTTP' }));

/** A limit without a request is also the request. */
function requestsFromLimits(resources: JsonObject): JsonObject {
  const limits = memberOf(resources, 'limits');
  if (!isObject(limits)) return resources;
  const requests = memberOf(resources, 'requests');
  return { ...resources, requests: { ...limits, ...(isObject(requests) ? requests : {}) } };
}

function podVolumeDefaults(volume: JsonObject): JsonObject {
  const isSourceless = Object.keys(volume).every((key) => key === 'name');
  if (isSourceless) return { ...volume, emptyDir: {} };
  const withMode = ['secret', 'configMap', 'downwardAPI', 'projected'].reduce(
    (done, key) => changeMember(done, key, (source) => fillIn(source, { defaultMode: 0o644 })),
    volume,
  );
  const withHostPath = changeMember(withMode, 'hostPath', (source) => fillIn(source, { type: '' }));
  const withImage = changeMember(withHostPath, 'image', (source) => ({
    ...source,
    pullPolicy: source['pullPolicy'] || pullPolicy(source['reference']),
  }));
  return changeMember(changeMember(withImage, 'projected', projectedDefaults), 'downwardAPI', downwardItems);
}

const projectedDefaults = (projected: JsonObject): JsonObject =>
  // Some sources belong to features that are off.
  changeEachItem(projected, 'sources', ({ clusterTrustBundle: _bundle, podCertificate: _certificate, ...source }) =>
    changeMember(
      changeMember(source, 'serviceAccountToken', (token) => fillIn(token, { expirationSeconds: 3600 })),
      'downwardAPI',
      downwardItems,
    ),
  );

const downwardItems = (source: JsonObject): JsonObject =>
  changeEachItem(source, 'items', (item) =>
    changeMember(item, 'fieldRef', (reference) => fillIn(reference, { apiVersion: 'v1' })),
  );
