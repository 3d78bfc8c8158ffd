import { readOwn } from '@nodewright/apis';
import { InputError } from '../terminal/exit-status.ts';
import { listAwsGateWarnings, listGateWarnings } from './feature-gates.ts';
import {
  type ControllerSettings,
  flagOf,
  type SettingEntry,
  type SettingName,
  settingNames,
  settingTable,
  variableOf,
} from './setting-table.ts';

type EnvironmentTexts = Readonly<Record<string, string | undefined>>;

export type ReadSettings = {
  readonly settings: ControllerSettings;
  /** What was understood, but does not do here what its author may expect. */
  readonly warnings: readonly string[];
};

type FoundSetting = { readonly name: SettingName; readonly value: unknown; readonly problem?: string };

/**
 * The settings in force: a flag wins over the environment, and that over the default.
 * @throws InputError that tells every problem at once
 */
export function readSettings(flags: EnvironmentTexts, environment: EnvironmentTexts): ReadSettings {
  const found = settingNames.map((name) => find(name, flags, environment));
  const settings = Object.fromEntries(found.map(({ name, value }) => [name, value])) as ControllerSettings;
  const problems = [...found.flatMap(({ problem }) => problem ?? []), ...listMissingSettings(settings)];
  if (problems.length > 0) throw new InputError(problems.join('; '));
  return { settings, warnings: listSettingWarnings(settings) };
}

function find(name: SettingName, flags: EnvironmentTexts, environment: EnvironmentTexts): FoundSetting {
  const setting = settingTable[name] as SettingEntry<unknown>;
  const flag = flags[name];
  if (flag !== undefined) return readSetting({ name, from: flagOf(name), reading: () => setting.readFlag(flag) });
  const text = readOwn(environment, variableOf(name));
  if (text === undefined) return { name, value: setting.value };
  const found = readSetting({ name, from: variableOf(name), reading: () => setting.readEnvironment(text) });
  return found.problem !== undefined && setting.isLenient ? { name, value: setting.value } : found;
}

type SettingReading = { readonly name: SettingName; readonly from: string; readonly reading: () => unknown };

function readSetting({ name, from, reading }: SettingReading): FoundSetting {
  try {
    return { name, value: reading() };
  } catch (failure) {
    return { name, value: undefined, problem: `${from}: ${(failure as Error).message}` };
  }
}

const listMissingSettings = ({ clusterName }: ControllerSettings): readonly string[] =>
  clusterName === '' ? ['--cluster-name: is required, here or as CLUSTER_NAME'] : [];

function listSettingWarnings(settings: ControllerSettings): readonly string[] {
  return [
    ...listGateWarnings(settings.featureGates),
    ...listAwsGateWarnings(settings.awsFeatureGates),
    ...(settings.enableProfiling && settings.debugPort === 0 ? [profilingWarning] : []),
    ...ignored.filter(([name]) => settings[name] !== settingTable[name].value).map(([, warning]) => warning),
  ];
}

const profilingWarning =
  'ENABLE_PROFILING has no effect without DEBUG_PORT; for profiles of the processor start node with --cpu-prof or --inspect';

const ignored: readonly (readonly [SettingName, string])[] = [
  ['enableZonalShift', 'ENABLE_ZONAL_SHIFT is accepted and not served yet: nodes are bought in shifted zones, too'],
  ['karpenterService', 'KARPENTER_SERVICE has no effect: the conversion webhook has CONVERSION_WEBHOOK_SERVICE'],
  ['ignoreDraRequests', 'IGNORE_DRA_REQUESTS=false is accepted; resource claims of pods are left out all the same'],
  ['disableControllerWarmup', 'DISABLE_CONTROLLER_WARMUP=false is accepted; watches begin with leading'],
  [
    'disableClusterStateObservability',
    'DISABLE_CLUSTER_STATE_OBSERVABILITY has no effect: those metrics cost nothing until they are asked for',
  ],
  ['memoryLimit', 'MEMORY_LIMIT has no effect: set NODE_OPTIONS=--max-old-space-size, in MiB'],
  ['logErrorOutputPaths', 'LOG_ERROR_OUTPUT_PATHS has no effect: errors go where LOG_OUTPUT_PATHS says'],
];
