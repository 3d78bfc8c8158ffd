import { readOwn } from '@nodewright/apis';
import type { DefaultSpreadConstraint, SchedulingOptions } from '@nodewright/engine';
import { InputError } from '../terminal/exit-status.ts';
import { listGateWarnings } from './feature-gates.ts';
import { type ControllerSettings, flagOf, type SettingEntry, settingTable, variableOf } from './setting-table.ts';

/** The settings of the controller on which scheduling decisions depend, under the controller's names. */
const schedulingSettingNames = ['preferencePolicy', 'minValuesPolicy', 'schedulerConfig', 'featureGates'] as const;

export type SchedulingFlags = { readonly [Name in (typeof schedulingSettingNames)[number]]?: string };

const optionalSchedulingSetting = (name: (typeof schedulingSettingNames)[number]) =>
  ({
    kind: 'parsed',
    parse: (text: string) => text,
    optional: true,
    placeholder: 'VALUE',
    brief: `${settingTable[name].brief} [${variableOf(name)}]`,
  }) as const;

export const schedulingFlags = {
  preferencePolicy: optionalSchedulingSetting('preferencePolicy'),
  minValuesPolicy: optionalSchedulingSetting('minValuesPolicy'),
  schedulerConfig: optionalSchedulingSetting('schedulerConfig'),
  featureGates: optionalSchedulingSetting('featureGates'),
} as const;

export type SchedulingSettings = {
  readonly options: SchedulingOptions;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  readonly reservedCapacity: boolean;
  readonly nodeRepair: boolean;
  readonly spotToSpotConsolidation: boolean;
  readonly staticCapacity: boolean;
  /** `undefined` when it is not set. */
  readonly nodeOverlay: boolean | undefined;
  readonly capacityBuffer: boolean | undefined;
  readonly manifestWarnings: boolean | undefined;
  /** About gates that do not do what their author may expect. */
  readonly warnings: readonly string[];
};

type SchedulingTexts = Readonly<Record<string, string | undefined>>;

/**
 * As the controller would read them: a flag wins over the environment, and that over the default.
 * @throws InputError that names every flag or variable that is not understood, and what would be right
 */
export function readSchedulingSettings(flags: SchedulingFlags, environment: SchedulingTexts): SchedulingSettings {
  const problems: string[] = [];
  const read = <Name extends (typeof schedulingSettingNames)[number]>(name: Name): ControllerSettings[Name] => {
    const setting = settingTable[name] as unknown as SettingEntry<ControllerSettings[Name]>;
    const [text, from, reader] =
      flags[name] === undefined
        ? [readOwn(environment, variableOf(name)), variableOf(name), setting.readEnvironment]
        : [flags[name], flagOf(name), setting.readFlag];
    if (text === undefined) return setting.value;
    try {
      return reader(text);
    } catch (failure) {
      problems.push(`${from}: ${(failure as Error).message}`);
      return setting.value;
    }
  };
  const options = { preferencePolicy: read('preferencePolicy'), minValuesPolicy: read('minValuesPolicy') };
  const defaultSpread = read('schedulerConfig');
  const gates = read('featureGates');
  if (problems.length > 0) throw new InputError(problems.join('; '));
  return settleScheduling({ ...options, schedulerConfig: defaultSpread, featureGates: gates });
}

/** The flags as another process of this command takes them. */
export const writeSchedulingFlags = (flags: SchedulingFlags): readonly string[] =>
  schedulingSettingNames.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [flagOf(name), text];
  });

/** What settings of a controller say to those who decide as it does. */
export function settleScheduling({
  preferencePolicy,
  minValuesPolicy,
  schedulerConfig,
  featureGates: gates,
}: Pick<ControllerSettings, (typeof schedulingSettingNames)[number]>): SchedulingSettings {
  return {
    options: { preferencePolicy, minValuesPolicy },
    defaultSpread: schedulerConfig,
    reservedCapacity: gates.get('ReservedCapacity') ?? true,
    nodeRepair: gates.get('NodeRepair') ?? false,
    spotToSpotConsolidation: gates.get('SpotToSpotConsolidation') ?? false,
    staticCapacity: gates.get('StaticCapacity') ?? false,
    nodeOverlay: gates.get('NodeOverlay'),
    capacityBuffer: gates.get('CapacityBuffer'),
    manifestWarnings: gates.get('ManifestWarnings'),
    warnings: listGateWarnings(gates),
  };
}
