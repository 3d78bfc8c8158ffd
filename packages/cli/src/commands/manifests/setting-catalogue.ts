import type { SettingCatalogue } from '@nodewright/manifests';
import {
  type SettingEntry,
  type SettingName,
  settingNames,
  settingTable,
  variableOf,
} from '../../controller/setting-table.ts';

/** The settings of the controller, for whoever writes them down for one. */
export const controllerSettings: SettingCatalogue = {
  names: settingNames,
  variableOf: (name) => variableOf(settingName(name)),
  defaultOf(name) {
    const { value } = settingTable[settingName(name)];
    return typeof value === 'object' ? '' : String(value ?? '');
  },
  complaintAbout(name, text) {
    const { readEnvironment }: SettingEntry<unknown> = settingTable[settingName(name)];
    try {
      readEnvironment(text);
      return undefined;
    } catch (failure) {
      return (failure as Error).message;
    }
  },
};

function settingName(name: string): SettingName {
  const found = settingNames.find((each) => each === name);
  if (found === undefined) throw new Error(`there is no setting ${name}`);
  return found;
}
