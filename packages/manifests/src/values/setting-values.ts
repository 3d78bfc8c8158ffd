import { nearestKey } from '@nodewright/requirements';
import {
  type ReadField,
  givenField,
  type GivenValue,
  isNotGiven,
  readMapping,
  refuseValue,
  describeUnknownField,
} from './read-fields.ts';

/** The settings that the controller knows. The command line has them; here they are handed in. */
export type SettingCatalogue = {
  readonly names: readonly string[];
  /** `metricsPort` is `METRICS_PORT`. */
  readonly variableOf: (name: string) => string;
  /** The text that holds where none is given. */
  readonly defaultOf: (name: string) => string;
  /** Why a text is no value of a setting, as in `must be ...`; `undefined` where it is one. */
  readonly complaintAbout: (name: string, text: string) => string | undefined;
};

/** Settings of the controller by name, as texts of its environment. */
export type SettingTexts = ReadonlyMap<string, string>;

/** Every setting that is given, in the order of the catalogue. */
export const settingTexts =
  (catalogue: SettingCatalogue): ReadField<SettingTexts> =>
  (given) => {
    const fields = readMapping(given);
    for (const name of Object.keys(fields).filter((each) => !catalogue.names.includes(each)))
      given.complain(
        describeUnknownField(`${given.field}.${name}`, nearestKey(name, catalogue.names), catalogue.names),
      );
    const entries = catalogue.names.flatMap((name) => {
      const text = readSettingText(givenField(given, fields, name), name, catalogue);
      return text === undefined ? [] : [[name, text] as const];
    });
    return new Map(entries);
  };

function readSettingText(given: GivenValue, name: string, catalogue: SettingCatalogue): string | undefined {
  const { field, value, complain } = given;
  if (isNotGiven(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    refuseValue(given, 'a text, a number, or true or false');
    return undefined;
  }
  const complaint = catalogue.complaintAbout(name, String(value));
  if (complaint !== undefined) complain(`${field}: ${complaint}`);
  return complaint === undefined ? String(value) : undefined;
}
