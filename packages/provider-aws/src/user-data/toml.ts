/** The part of TOML that Bottlerocket settings use: strings, numbers, booleans, arrays and tables. */
export type TomlValue = string | number | boolean | TomlValue[] | TomlTable;
export type TomlTable = { [key: string]: TomlValue };

/** Members of `over` win; tables are merged member by member. */
export function mergeTables(under: TomlTable, over: TomlTable): TomlTable {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const known = merged[key];
    merged[key] = isTable(known) && isTable(value) ? mergeTables(known, value) : value;
  }
  return merged;
}

/** Plain members first, then a section for every table; keys sorted, so that equal settings are equal texts. */
export function printToml(table: TomlTable): string {
  return printTable(table, []).join('\n').replace(/^\n/, '') + '\n';
}

const bare = /^[A-Za-z0-9_-]+$/;
export const isTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value);

function printTable(table: TomlTable, path: readonly string[]): string[] {
  const members = Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const plain = members
    .filter(([, value]) => !isTable(value))
    .map(([key, value]) => `${printKey(key)} = ${printValue(value)}`);
  const inner = members.flatMap(([key, value]) => (isTable(value) ? printTable(value, [...path, key]) : []));
  const isNamed = path.length > 0 && (plain.length > 0 || inner.length === 0);
  return [...(isNamed ? ['', `[${path.map(printKey).join('.')}]`] : []), ...plain, ...inner];
}

const printKey = (key: string): string => (bare.test(key) ? key : JSON.stringify(key));

function printValue(value: TomlValue): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (isTable(value))
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${printKey(key)} = ${printValue(inner)}`)
      .join(', ')} }`;
  return JSON.stringify(value);
}
