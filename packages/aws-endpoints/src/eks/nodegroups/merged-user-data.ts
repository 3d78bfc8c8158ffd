import { readOwn } from '@nodewright/apis';
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml';
import type { Release } from '../../releases/release.ts';

type Family = Release['family'] | undefined;

/** What a customer says and then what EKS says, in the form that images of the family read. */
export function mergedUserData(customers: string | undefined, own: string, family: Family): string {
  if (customers === undefined || customers === '') return own;
  const theirs = textOf(customers);
  if (family === 'Bottlerocket') return stringify(over(parse(theirs), parse(own)));
  return isWindows(family) ? withScript(theirs, own) : withParts(theirs, own);
}

/** Why EKS cannot add anything to it; nothing when it can. */
export function problemOfUserData(customers: string | undefined, family: Family): string | undefined {
  if (customers === undefined || customers === '') return undefined;
  const theirs = textOf(customers);
  if (family === 'Bottlerocket') return isToml(theirs) ? undefined : 'User data was not in the TOML format.';
  if (isWindows(family)) return script.test(theirs) ? undefined : 'User data was not in the PowerShell format.';
  return boundaryOf(theirs) === undefined ? 'User data was not in the MIME multipart format.' : undefined;
}

const textOf = (userData: string): string => Buffer.from(userData, 'base64').toString('utf8');

const isWindows = (family: Family): boolean => family?.startsWith('Windows') === true;

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof TomlError) return false;
    throw error;
  }
}

/** Where both say something, the second one's word counts. */
function over(first: TomlTable, second: TomlTable): TomlTable {
  const merged = Object.entries(second).map(([key, value]) => {
    const before = readOwn(first, key);
    return [key, isTable(before) && isTable(value) ? over(before, value) : value] as const;
  });
  return { ...first, ...Object.fromEntries(merged) };
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) !== Date.prototype;

const script = /<powershell>([^]*?)<\/powershell>/i;

const withScript = (theirs: string, own: string): string =>
  own.replace('<powershell>', () => `<powershell>\n${script.exec(theirs)?.[1]?.trim() ?? ''}`);

const boundaryOf = (text: string): string | undefined =>
  /content-type:\s*multipart\/mixed[^]*?boundary="?([^"\n;]+)"?/i.exec(text)?.[1];

function withParts(theirs: string, own: string): string {
  const boundary = `--${boundaryOf(theirs)}`;
  const parts = theirs.slice(theirs.indexOf(boundary) + boundary.length).replace(`${boundary}--`, '');
  return own.replace('\n--//\n', () => `\n--//${parts.replaceAll(boundary, '--//').trimEnd()}\n\n--//\n`);
}
