import { byTextOf, readOwn, writeOwn } from '@nodewright/apis';
import { parse, stringify, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';

export type { TomlTable } from 'smol-toml';

export const isTomlTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate);

/**
 * Whole numbers are bigints, so that 64 bits are kept and `1.0` stays another value than `1`.
 * @throws SyntaxError with the line
 */
export function parseToml(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new SyntaxError(`userData is no TOML, line ${error.line}: ${problem}`, { cause: error });
  }
}

/** Members of `over` win; tables are merged member by member. */
export function mergeTables(under: TomlTable, over: TomlTable): TomlTable {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const known = readOwn(merged, key);
    writeOwn(merged, key, isTomlTable(known) && isTomlTable(value) ? mergeTables(known, value) : value);
  }
  return merged;
}

/** Keys sorted, so that equal settings are equal texts. Quotes are single where they can be, as Karpenter writes them. */
export const printToml = (table: TomlTable): string =>
  `${quoteLiterally(stringify(sortTable(table), { numbersAsFloat: true }).trimEnd())}\n`;

/** @param text has all strings and quoted keys in double quotes on one line */
const quoteLiterally = (text: string): string =>
  text.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (quoted, inner: string) => (/[\\']/.test(inner) ? quoted : `'${inner}'`));

const sortTable = (table: TomlTable): TomlTable =>
  Object.fromEntries(
    Object.entries(table)
      .toSorted(byTextOf(([key]) => key))
      .map(([key, value]) => [key, isTomlTable(value) ? sortTable(value) : value]),
  );
