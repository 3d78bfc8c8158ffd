import { parseAge } from '@nodewright/apis';
import type { Scenario } from '@nodewright/sandbox';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { type OutputFormat, outputAliases, outputFlag } from '../../terminal/output.ts';
import { callsCommand, clockCommand, faultCommand } from './control/control-commands.ts';
import { releaseCommand } from './control/release-command.ts';
import {
  parsePlainText,
  dnsName,
  hostNames,
  kubernetesMinor,
  parsePort,
  positiveNumber,
  parseRegion,
  parseTimestamp,
  parseWholeNumber,
  parseZones,
} from '../../terminal/parsers.ts';
import type { SandboxFlags } from './flags.ts';

/** Loaded when it is asked for: the sandbox is large. */
const scenario = async (value: string): Promise<Scenario> => {
  const { scenarios } = await import('@nodewright/sandbox');
  const found = scenarios.find(({ name }) => name === value);
  if (found !== undefined) return found;
  throw new Error(`must be one of ${scenarios.map(({ name }) => name).join(', ')}, not "${value}"`);
};

const startSandboxCommand = buildCommand<SandboxFlags>({
  docs: {
    brief: 'Start an embedded EKS with the operator inside; kubectl and aws work on it',
    fullDescription:
      'Prints `export NAME=value` lines for a shell, KUBECONFIG last, when the Kubernetes API and every AWS service answer. Runs until SIGINT or SIGTERM. ' +
      'The AWS endpoints serve requests that are signed with the exported keys; the control API needs the token in the file that NODEWRIGHT_SANDBOX_TOKEN_FILE names, which the nodewright commands find by themselves. Both refuse web pages.',
  },
  parameters: {
    flags: {
      clusterName: { kind: 'parsed', parse: dnsName, optional: true, brief: 'Name of the EKS cluster [sandbox]' },
      kubernetesVersion: {
        kind: 'parsed',
        parse: kubernetesMinor,
        optional: true,
        brief: 'Minor version of the control plane [newest known]',
      },
      region: { kind: 'parsed', parse: parseRegion, optional: true, brief: 'AWS region [us-east-1]' },
      zones: {
        kind: 'parsed',
        parse: parseZones,
        optional: true,
        brief: 'Availability zones [a, b and c of the region]',
      },
      speed: { kind: 'parsed', parse: positiveNumber, default: '1', brief: 'Simulated seconds per second' },
      startTime: {
        kind: 'parsed',
        parse: parseTimestamp,
        optional: true,
        brief: 'When the clock begins, RFC 3339 [now; with --scenario, its own time]',
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
      allowedHosts: {
        kind: 'parsed',
        parse: hostNames,
        optional: true,
        brief:
          'Names beside localhost and loopback addresses under which clients reach the AWS endpoints and the control API, such as host.docker.internal [none]',
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
        parse: parseAge,
        optional: true,
        brief: 'How long an update of a managed node group waits before its first eviction, 25m [0s]',
      },
      readyFile: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        brief: 'File that gets the exported values as JSON, plus pid, once ready',
      },
    },
  },
  loader: async () => (await import('./sandbox.ts')).runSandbox,
});

const scenarioList = buildCommand<{ readonly output?: OutputFormat }>({
  docs: { brief: 'List the situations a sandbox can start from' },
  parameters: { flags: { output: outputFlag }, aliases: outputAliases },
  loader: async () => (await import('./scenarios.ts')).listScenarios,
});

const repair = buildCommand<{ readonly write: boolean; readonly output?: OutputFormat }, [directory: string]>({
  docs: {
    brief: 'Show which records of a data directory are damaged; with --write, drop them',
    fullDescription:
      'For a directory that a start refuses because state.jsonl is damaged. Without --write nothing is changed, and damage is exit status 3. With it, a copy of the file stays beside it.',
  },
  parameters: {
    flags: {
      write: { kind: 'boolean', default: false, withNegated: false, brief: 'Write the file without these records' },
      output: outputFlag,
    },
    aliases: outputAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parsePlainText, placeholder: 'DIR', brief: 'What --data-dir named' }],
    },
  },
  loader: async () => (await import('./repair.ts')).repairSandbox,
});

export const sandboxCommand = buildRouteMap({
  routes: {
    start: startSandboxCommand,
    scenarios: scenarioList,
    clock: clockCommand,
    calls: callsCommand,
    fault: faultCommand,
    release: releaseCommand,
    repair,
  },
  defaultCommand: 'start',
  docs: { brief: 'An embedded EKS in this process: Kubernetes API server, AWS endpoints, kubelets' },
});
