import { minutes } from '@nodewright/apis';
import type { DefaultSpreadConstraint } from '@nodewright/engine';
import {
  absoluteUrl,
  anyText,
  anyTrueOrFalse,
  durationFrom,
  readGates,
  numberFrom,
  readObjectName,
  readOneOf,
  portNumber,
  portOrNone,
  readHostNames,
  type SettingReader,
  trueOrFalse,
} from './readings.ts';
import { schedulerConfig } from './scheduler-config.ts';

/** One setting of the controller: `--metrics-port` on the command line, `METRICS_PORT` in the environment. */
export type SettingEntry<T> = {
  readonly brief: string;
  readonly value: T;
  readonly readFlag: SettingReader<T>;
  readonly readEnvironment: SettingReader<T>;
  /** What the environment says wrongly is the default, as in Karpenter; elsewhere it stops the start. */
  readonly isLenient: boolean;
};

function setting<T>(value: T, read: SettingReader<T>, brief: string): SettingEntry<T> {
  return { value, readFlag: read, readEnvironment: read, brief, isLenient: false };
}

const lenient = <T>(value: T, read: SettingReader<T>, brief: string): SettingEntry<T> => ({
  ...setting(value, read, brief),
  isLenient: true,
});

const flagSetting = (value: boolean, brief: string): SettingEntry<boolean> => ({
  ...lenient(value, trueOrFalse, brief),
  readEnvironment: anyTrueOrFalse,
});

const numberSetting = (value: number, brief: string, least = -Infinity): SettingEntry<number> =>
  lenient(value, numberFrom(least), brief);

const portSetting = (value: number, brief: string): SettingEntry<number> => lenient(value, portNumber, brief);

/** Karpenter's settings, core and AWS, under their names and with their defaults. */
export const settingTable = {
  clusterName: setting('', anyText, 'Name of the EKS cluster (required)'),
  clusterEndpoint: setting('', absoluteUrl, 'Where nodes find the API server [what EKS says]'),
  clusterCaBundle: setting('', anyText, 'Base64 PEM that nodes trust [what EKS says, or the kubeconfig]'),
  isolatedVpc: flagSetting(false, 'No price list and no clean-up of instance profiles: there is no endpoint for them'),
  eksControlPlane: flagSetting(false, 'Take the version of the control plane from EKS instead of the API server'),
  vmMemoryOverheadPercent: setting(0.075, numberFrom(0), 'Share of memory that the hypervisor takes'),
  interruptionQueue: setting('', anyText, 'Name of the queue with interruption messages'),
  reservedEnis: setting(0, numberFrom(0), 'Network interfaces that pods get no addresses of'),
  disableDryRun: flagSetting(false, 'Do not ask EC2 whether a launch would be allowed'),
  enableZonalShift: flagSetting(false, 'Follow zonal shifts of the cluster'),
  amiRefreshInterval: setting<number | undefined>(
    undefined,
    durationFrom(minutes(1)),
    'How long found images are remembered [1m, 12m at rest]',
  ),
  subnetRefreshInterval: setting(minutes(1), durationFrom(minutes(1)), 'How long found subnets are remembered'),
  awsFeatureGates: setting<ReadonlyMap<string, boolean>>(
    new Map(),
    readGates,
    'Gates of the AWS provider: NodeClassCEL=true',
  ),
  karpenterService: setting('', anyText, 'Name of the service; kept for old charts'),
  metricsPort: portSetting(8080, 'Port of /metrics (0: any free one)'),
  healthProbePort: portSetting(8081, 'Port of /healthz and /readyz (0: any free one)'),
  uiPort: setting(0, portOrNone, 'Port of the page, for bearers of tokens of the cluster (0: no page)'),
  uiAddress: setting(
    '127.0.0.1',
    anyText,
    'Address at which the page is served; others than the loopback one need a proxy with TLS',
  ),
  uiAllowedHosts: setting<readonly string[]>(
    [],
    readHostNames,
    'Names beside localhost under which browsers reach the page',
  ),
  debugPort: setting(0, portOrNone, 'Port of /debug on the loopback address (0: none)'),
  conversionWebhookPort: setting(
    0,
    portOrNone,
    'Port of the webhook that converts between v1beta1 and v1 (0: no webhook)',
  ),
  conversionWebhookService: setting(
    'karpenter-conversion',
    readObjectName,
    'Service of that webhook, and the Secret with its certificates',
  ),
  kubeClientQps: numberSetting(200, 'Requests a second to the API server', 1),
  kubeClientBurst: numberSetting(300, 'Requests at once to the API server', 1),
  enableProfiling: flagSetting(false, 'With a port for /debug, also serve snapshots of the heap there'),
  disableControllerWarmup: flagSetting(true, 'Do not start watches before leading'),
  disableLeaderElection: flagSetting(false, 'Lead without a Lease'),
  disableClusterStateObservability: flagSetting(false, 'No metrics of pods, nodes and pools'),
  leaderElectionName: setting('karpenter-leader-election', anyText, 'Name of the Lease'),
  leaderElectionNamespace: setting('', anyText, 'Namespace of the Lease [that of the pod, else kube-system]'),
  traceRequests: flagSetting(
    false,
    'Requests name the turn they are made for: the header Audit-ID of Kubernetes, the user agent of AWS',
  ),
  memoryLimit: numberSetting(-1, 'Bytes that the process may use'),
  cpuRequests: numberSetting(1000, 'Millicores; scales how many workers controllers get'),
  logLevel: setting('info', readOneOf('', 'debug', 'info', 'error'), 'debug, info or error'),
  logOutputPaths: setting('stdout', anyText, 'Where logs go: stdout, stderr, files; separated by commas'),
  logErrorOutputPaths: setting('stderr', anyText, 'Where errors of logging go'),
  batchMaxDuration: lenient(10_000, durationFrom(0), 'The longest that pods are collected before a decision'),
  batchIdleDuration: lenient(1_000, durationFrom(0), 'A pause in new pods that ends collecting'),
  preferencePolicy: setting(
    'Respect',
    readOneOf('Respect', 'Ignore'),
    'What preferences of pods count: Respect or Ignore',
  ),
  minValuesPolicy: setting('Strict', readOneOf('Strict', 'BestEffort'), 'How minValues are kept: Strict or BestEffort'),
  ignoreDraRequests: flagSetting(true, 'Leave out resource claims of pods'),
  featureGates: setting<ReadonlyMap<string, boolean>>(new Map(), readGates, 'Gates such as NodeRepair=true'),
  schedulerConfig: setting<readonly DefaultSpreadConstraint[]>(
    [],
    schedulerConfig,
    'Default topology spread of the scheduler, YAML or JSON',
  ),
} as const;

export type SettingName = keyof typeof settingTable;

/** Every setting as it holds. */
export type ControllerSettings = {
  readonly [Name in SettingName]: (typeof settingTable)[Name] extends SettingEntry<infer T> ? T : never;
};

export const settingNames = Object.keys(settingTable) as SettingName[];

/** `metricsPort` is `METRICS_PORT`. */
export const variableOf = (name: SettingName): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** `metricsPort` is `--metrics-port`. */
export const flagOf = (name: SettingName): string => `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
