import type { Scenario } from '@nodewright/sandbox';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import {
  dnsName,
  hostNames,
  kubernetesMinor,
  parseDeploymentName,
  parsePeriod,
  parsePlainText,
  parsePort,
  parseRegion,
  parseTimestamp,
  parseWholeNumber,
  parseZones,
  positiveNumber,
} from '../../terminal/parsers.ts';

/** Loaded when it is asked for: the sandbox is large. */
const scenario = async (value: string): Promise<Scenario> => {
  const { scenarios } = await import('@nodewright/sandbox');
  const found = scenarios.find(({ name }) => name === value);
  if (found !== undefined) return found;
  throw new Error(`--scenario: must be one of ${scenarios.map(({ name }) => name).join(', ')}, not "${value}"`);
};

/** What `nodewright sandbox start` and `shell` take. */
export const startFlags = {
  clusterName: { kind: 'parsed', parse: dnsName, optional: true, brief: 'Name of the EKS cluster [sandbox]' },
  kubernetesVersion: {
    kind: 'parsed',
    parse: kubernetesMinor,
    optional: true,
    brief: 'Minor version of the control plane [the newest that has images when the clock begins]',
  },
  region: { kind: 'parsed', parse: parseRegion, optional: true, brief: 'AWS region [us-east-1]' },
  zones: {
    kind: 'parsed',
    parse: parseZones,
    optional: true,
    brief: 'Availability zones, and local zones such as us-east-1-bos-1a [a, b and c of the region]',
  },
  speed: {
    kind: 'parsed',
    parse: positiveNumber,
    default: '1',
    brief: 'Seconds of the sandbox in a second of yours [1]',
  },
  startTime: {
    kind: 'parsed',
    parse: parseTimestamp,
    optional: true,
    brief:
      'When the clock begins, RFC 3339 [that of the --scenario; now with --speed 1; else 2024-01-28T16:00:00Z, later for a newer --kubernetes-version]',
  },
  seed: { kind: 'parsed', parse: parseWholeNumber, optional: true, brief: 'Seed of every random choice [1]' },
  dataDir: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    brief: 'Directory that keeps the state, the ports and the keys for the next start [none]',
  },
  fsync: {
    kind: 'enum',
    values: ['always', 'interval', 'never'],
    optional: true,
    brief:
      'When changes in --data-dir are synced to the disk, for a power loss: before each answer, every second, or when the system likes [interval]',
  },
  kubernetesPort: {
    kind: 'parsed',
    parse: parsePort,
    default: '0',
    brief: 'Port of the Kubernetes API (0: any free one)',
  },
  awsPort: { kind: 'parsed', parse: parsePort, default: '0', brief: 'Port of the AWS endpoints (0: any free one)' },
  uiPort: {
    kind: 'parsed',
    parse: parsePort,
    optional: true,
    brief: 'Also serve the page of `nodewright ui` for this cluster, on this port (0: any free one) [no page]',
  },
  uiForecast: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    placeholder: 'FILE',
    brief: 'What `nodewright forecast -o json` printed, for the history of that page [none]',
  },
  allowedHosts: {
    kind: 'parsed',
    parse: hostNames,
    optional: true,
    brief:
      'Names beside localhost and loopback addresses under which clients reach the AWS endpoints, the control API and the page, such as host.docker.internal [none]',
  },
  releases: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    brief: 'JSON file of image releases, merged over the built-in history',
  },
  scenario: {
    kind: 'parsed',
    parse: scenario,
    optional: true,
    brief: 'Situation to start from; `nodewright sandbox scenarios` lists them',
  },
  controller: {
    kind: 'boolean',
    default: true,
    brief: 'Run the operator inside (--no-controller: bring your own)',
  },
  operatorDeployment: {
    kind: 'parsed',
    parse: parseDeploymentName,
    optional: true,
    placeholder: 'NAMESPACE/NAME',
    brief: 'The Deployment whose environment has the settings of the operator inside [kube-system/karpenter]',
  },
  kubeconfig: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    brief: 'Attach the AWS endpoints and the kubelets to the API server of this kubeconfig instead of an own one',
  },
  withWorkloadControllers: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'With --kubeconfig: schedule pods and run workload controllers, for a cluster that has none',
  },
  ...schedulingFlags,
  onUpdateFailure: {
    kind: 'enum',
    values: ['leave', 'revert'],
    optional: true,
    brief: 'What becomes of new nodes when the update of a managed node group fails half way [leave]',
  },
  nodeSkew: {
    kind: 'enum',
    values: ['strict', 'kubernetes'],
    optional: true,
    brief:
      "How far managed nodes may lag before an update of the cluster: not at all, or as Kubernetes's skew allows [strict]",
  },
  updateQuiet: {
    kind: 'parsed',
    parse: parsePeriod,
    optional: true,
    brief: 'How long an update of a managed node group waits before its first eviction, 25m [0s]',
  },
  iamPolicy: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    placeholder: 'FILE',
    brief:
      'IAM policy that the operator inside is held to; with --no-controller whoever calls with the exported keys [everything is allowed]',
  },
  denyUnlisted: {
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief:
      'Refuse nothing, and print each call that the --iam-policy would refuse [without one: that `nodewright iam-policy` would]',
  },
  throttle: {
    kind: 'enum',
    values: ['none', 'real'],
    optional: true,
    brief: 'How EC2 limits the rate of calls: not at all, or with the token buckets that it documents [none]',
  },
  catalogue: {
    kind: 'enum',
    values: ['small', 'current'],
    optional: true,
    brief:
      'Which instance types EC2 lists: 56 at prices that stay, or all of today, of which zones lack some, at spot prices that move [small]',
  },
  readyFile: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    brief: 'File that gets the exported values as JSON, plus pid, once ready',
  },
} as const;
