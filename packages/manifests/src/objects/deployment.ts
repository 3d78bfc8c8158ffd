import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { authorityFolder, listEnvironment } from './environment.ts';
import { type InstallObject, namespacedMetadata, controllerLabels, recordOfTexts } from './install-object.ts';
import { controllerPorts } from './ports.ts';

/** Replicas of which one leads. */
export function deploymentObject(values: InstallValues, catalogue: SettingCatalogue): InstallObject {
  const labels = controllerLabels(values);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: namespacedMetadata(values),
    spec: {
      replicas: values.replicas,
      // The replicas share no node, so a new one may have a place only when an old one is gone.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: controllerPodSpec(values, catalogue) },
    },
  };
}

function controllerPodSpec(values: InstallValues, catalogue: SettingCatalogue): Readonly<Record<string, unknown>> {
  const { imagePullSecrets, nodeSelector, priorityClass } = values;
  return {
    serviceAccountName: values.name,
    ...(imagePullSecrets.length === 0 ? {} : { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(priorityClass === '' ? {} : { priorityClassName: priorityClass }),
    terminationGracePeriodSeconds: 10,
    ...(nodeSelector.size === 0 ? {} : { nodeSelector: recordOfTexts(nodeSelector) }),
    ...podTolerations(values),
    ...controllerPlacement(values),
    containers: [controllerContainer(values, catalogue)],
    ...authorityVolumes(values),
  };
}

/** A field that is empty means something else than one that is not there: without a key every taint is tolerated. */
const podTolerations = ({ tolerations }: InstallValues) =>
  tolerations.length === 0
    ? {}
    : {
        tolerations: tolerations.map((toleration) =>
          Object.fromEntries(Object.entries(toleration).filter(([, text]) => text !== '')),
        ),
      };

/** Never on a node that the controller manages, never two on one node, and over zones if that can be. */
function controllerPlacement(values: InstallValues): Readonly<Record<string, unknown>> {
  const labelSelector = { matchLabels: controllerLabels(values) };
  const unmanaged = { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] };
  return {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [unmanaged] } },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ],
  };
}

function controllerContainer(values: InstallValues, catalogue: SettingCatalogue): Readonly<Record<string, unknown>> {
  const { image, resources, certificateAuthorities } = values;
  const { container, probe } = controllerPorts(values, catalogue);
  const mount = { name: 'authorities', mountPath: authorityFolder, readOnly: true };
  return {
    name: 'controller',
    image,
    args: ['controller'],
    env: listEnvironment(values, catalogue),
    ports: container,
    livenessProbe: { httpGet: { path: '/healthz', port: probe } },
    readinessProbe: { httpGet: { path: '/readyz', port: probe } },
    resources: {
      requests: { cpu: resources.cpu, memory: resources.memory },
      limits: { memory: resources.memory },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 65532,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(certificateAuthorities.configMap === '' ? {} : { volumeMounts: [mount] }),
  };
}

const authorityVolumes = ({ certificateAuthorities: { configMap, key } }: InstallValues) =>
  configMap === ''
    ? {}
    : { volumes: [{ name: 'authorities', configMap: { name: configMap, items: [{ key, path: key }] } }] };
